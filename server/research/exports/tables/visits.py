"""Table of visits: how each arrival went, and how long it took."""

from __future__ import annotations

from collections.abc import Iterator

from matchmaking.study.pages import Quiz
from matchmaking.visit_times import Stay, times_of
from matchmaking.visits import Place
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.exports.tables.signs import COUNTS, sign_counts

TABLE = Table(
    name="visits",
    row="arrival of a participant",
    columns=(
        Column(name="visit_id", definition="Pseudonym of the visit.", source="visits"),
        Column(name="participant_id", definition="Pseudonym of the person.", source="visits"),
        Column(name="recruiter", definition="Kind of the link that led here.", source="visits"),
        Column(
            name="place",
            definition="Kind of page at which the visit stands; ended: it is over.",
            source="visits",
        ),
        Column(
            name="ended_at_page",
            definition="Kind of page from which the visit came to its end; empty: it goes on.",
            source="visit_steps",
        ),
        Column(
            name="decided_at_page",
            definition="Kind of page at which the ending was decided, after which there can be "
            "questions before the end; empty: none was decided early, and it goes on.",
            source="visit_steps",
        ),
        Column(
            name="ending",
            definition="How the visit ended: completed, no_partner, partner_left, withdrew (left "
            "before the end, by stopping or by staying away), …; empty: it goes on.",
            source="visits",
        ),
        Column(name="arrived_at", definition="Time of arrival.", kind="time", source="visits"),
        Column(
            name="consented_at",
            definition="Time of the latest consent; empty: there is none.",
            kind="time",
            source="consents",
        ),
        Column(
            name="ended_at",
            definition="Time of the end; empty: it goes on.",
            kind="time",
            source="visits",
            is_outcome=True,
        ),
        Column(
            name="duration_s",
            definition="Time from consent to the end; empty: either is missing.",
            kind="number",
            unit="s",
            source="visits, consents",
            is_outcome=True,
        ),
        Column(
            name="waited_s",
            definition="Time in the lobby, all stays together; empty: never there, or there now.",
            kind="number",
            unit="s",
            source="visit_steps",
        ),
        Column(
            name="quiz_attempts",
            definition="Attempts at the quiz; empty: none, or the study has no quiz.",
            kind="integer",
            source="answers",
        ),
        Column(
            name="rtt_median_ms",
            definition="Median of the round trips to the server, as the lobby knew it last.",
            kind="number",
            unit="ms",
            source="tickets",
        ),
        *COUNTS,
    ),
)


def visits_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield a row for each visit, in the order of arrival."""
    stored = context.stored
    consented = {consent.visit_id: consent.given_at for consent in stored.consents}
    steps: dict[str, list[Stay]] = {}
    ended_at: dict[str, str] = {}
    decided_at: dict[str, str] = {}
    for step in stored.steps:
        if step.place == Place.ENDED:
            ended_at[step.visit_id] = step.from_place
        if step.ending is not None:
            decided_at.setdefault(step.visit_id, step.from_place)
        stay = Stay(Place(step.place), step.at.timestamp())
        steps.setdefault(step.visit_id, []).append(stay)
    rtts = {t.participant_id: t.rtt_ms for t in stored.tickets if t.rtt_ms is not None}
    quiz = context.study.page_of(Quiz)
    attempts: dict[str, int] = {}
    for answer in stored.answers:
        if quiz is not None and answer.page == quiz.name:
            attempts[answer.visit_id] = max(answer.attempt, attempts.get(answer.visit_id, 0))
    names, signs = TABLE.names, sign_counts(context)
    no_counts = dict.fromkeys(column.name for column in COUNTS)
    for visit in context.visits:
        given, ended = consented.get(visit.visit_id), visit.ended_at
        mine = steps.get(visit.visit_id, [])
        waited_s = None
        if visit.place != Place.LOBBY and any(stay.place is Place.LOBBY for stay in mine):
            arrived_s = visit.arrived_at.timestamp()
            waited_s = times_of(arrived_s, mine, mine[-1].at_s).waited_s
        ended_so: dict[str, Value] = {
            "visit_id": context.pseudonym(visit.visit_id),
            "participant_id": context.pseudonym(visit.participant_id),
            "recruiter": visit.recruiter,
            "place": visit.place,
            "ended_at_page": ended_at.get(visit.visit_id),
            "decided_at_page": decided_at.get(visit.visit_id),
            "ending": visit.ending,
        }
        if visit.withdrawn_at is not None:
            # How it ended is counted; what the person did, and when, is theirs.
            yield {**dict.fromkeys(names), **ended_so}
            continue
        yield {
            **ended_so,
            "arrived_at": visit.arrived_at,
            "consented_at": given,
            "ended_at": ended,
            "duration_s": None
            if ended is None or given is None
            else (ended - given).total_seconds(),
            "waited_s": waited_s,
            "quiz_attempts": attempts.get(visit.visit_id),
            "rtt_median_ms": rtts.get(visit.participant_id),
            **signs.get(visit.visit_id, no_counts),
        }
