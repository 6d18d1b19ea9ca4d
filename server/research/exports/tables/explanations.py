"""Table of explanations: the text that each person was shown of an attempt, as it was sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from matchmaking.study.treatment import NAME_GOALS, Explanation
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.exports.played_episodes import PlayedEpisode
from server.research.exports.tables.propositions import is_mended, is_named, next_attempt
from server.store.shown_explanations import ShownExplanation, ShownKind
from server.store.visit_models import AnswerRow

TABLE = Table(
    name="explanations",
    row="text on an attempt that a page showed a participant: another one is another row",
    is_outcome=True,
    columns=(
        Column(name="participant_id", definition="Pseudonym of the person.", source="answers"),
        Column(name="episode_id", definition="Attempt that it is about.", source="answers"),
        Column(
            name="seat",
            definition="Seat that the person had last in the session.",
            source="occupancies",
        ),
        Column(
            name="shown_index",
            definition="Number among the texts that the person was shown of the attempt, from 0. "
            "The same text on the same page counts once, however often it was loaded.",
            kind="integer",
            source="answers",
        ),
        Column(
            name="shown_at",
            definition="Time at which the page with it was first sent.",
            kind="time",
            source="answers",
        ),
        Column(
            name="shown_after_s",
            definition="The same from the end of the attempt.",
            kind="number",
            unit="s",
            source="answers, episodes",
        ),
        Column(
            name="is_before_next",
            definition="Whether it was sent before the group's next attempt at the task was "
            "opened; empty: there was none.",
            kind="boolean",
            source="answers, episodes",
        ),
        Column(
            name="shown_on",
            definition="Page: between (two attempts) or report.",
            source="answers",
        ),
        Column(
            name="kind_shown",
            definition="Kind of explanation: none, verdict, partnr or ours; delayed: none yet, "
            "since the condition explains it later.",
            source="answers",
        ),
        Column(
            name="language_shown",
            definition="Language of the page. What the evaluator says is in English on all pages.",
            source="answers",
        ),
        Column(
            name="text_shown",
            definition="Text, word for word, a line for each block of the page: headings, "
            "the result, goals and explanation. Lines that say whether a try succeeded are there "
            "in each kind where the page has them. Pictures, and the report's tables of who did "
            "what, are not in it.",
            source="answers",
        ),
        Column(
            name="n_named",
            definition="Goals that this kind of explanation names (propositions.is_named says for "
            "which kinds how); empty: it names none (none, delayed, verdict).",
            kind="integer",
            source="answers, episodes",
        ),
        Column(
            name="n_mended",
            definition="Those of them that do not count in this attempt, by the final verdict, and "
            "do in the group's next attempt at the task; empty: there was none, or n_named is "
            "empty.",
            kind="integer",
            source="answers, log, else episodes",
        ),
    ),
)
_TOLD: dict[ShownKind, Explanation] = {
    "none": "none",
    "delayed": "none",
    "verdict": "verdict",
    "partnr": "partnr",
    "ours": "ours",
}


def explanation_rows(
    context: ExportContext, played: PlayedEpisode, session: Sequence[PlayedEpisode]
) -> Iterator[dict[str, Value]]:
    """Yield what each person was shown of an episode; ``session`` are all of its session."""
    row, following = played.row, next_attempt(played.row, session)
    by_person: dict[str, list[AnswerRow]] = {}
    for answer in context.shown_explanations.get(row.episode_id, ()):
        by_person.setdefault(context.people[answer.visit_id], []).append(answer)
    for person, answers in by_person.items():
        if person in context.left_out:
            continue
        for index, answer in enumerate(sorted(answers, key=lambda answer: answer.attempt)):
            shown = msgspec.convert(answer.value, ShownExplanation)
            ended_at, at = row.ended_at, answer.answered_at
            n_named, n_mended = named_and_mended(played, following, _TOLD[shown.kind])
            yield {
                "participant_id": context.pseudonym(person),
                "episode_id": row.episode_id,
                "seat": _seat_of(context, row.session_id, person),
                "shown_index": index,
                "shown_at": at,
                "shown_after_s": None if ended_at is None else (at - ended_at).total_seconds(),
                "is_before_next": None if following is None else at < following.row.opened_at,
                "shown_on": shown.place,
                "kind_shown": shown.kind,
                "language_shown": shown.language,
                "text_shown": shown.text,
                "n_named": n_named,
                "n_mended": n_mended,
            }


def named_and_mended(
    played: PlayedEpisode, following: PlayedEpisode | None, told: Explanation
) -> tuple[int | None, int | None]:
    """Return how many goals an explanation named, and how many of them were mended.

    Of a kind that names no goals neither is told: it did not name none of them.
    """
    final, after = played.verdict, None if following is None else following.verdict
    if final is None or played.shown is None or played.shown.status == "unavailable":
        return None, None
    if told not in NAME_GOALS:
        return None, None
    named = [goal for goal in final.propositions if is_named(goal.index, played.shown, told)]
    if after is None or after.status == "unavailable":
        return len(named), None
    return len(named), sum(is_mended(goal, after) is True for goal in named)


def _seat_of(context: ExportContext, session_id: str, person: str) -> str | None:
    mine = [o for o in context.occupancies.get(session_id, ()) if o.participant_id == person]
    return max(mine, key=lambda o: o.since).seat_id if mine else None
