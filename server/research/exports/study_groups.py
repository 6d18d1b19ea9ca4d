"""Groups of a study as its ledger drew them, with the people, the match and what became of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from matchmaking.assignment.group_plan import GroupPlan
from matchmaking.assignment.ledger import State
from matchmaking.assignment.records import (
    Begun,
    Completed,
    Drawn,
    GivenUp,
    Lost,
    Record,
)
from matchmaking.study import Study
from server.research.exports.stored_study import StoredStudy
from server.store.models import MatchRow, SessionRow
from server.store.study_groups import plan_of


class Group(NamedTuple):
    """A place of the ledger, or a match without one, because too few people came."""

    group_id: str
    drawn: Drawn | None
    state: State | None
    """State of the place; None: it has none."""
    reason: str
    """Reason for which the place was left; empty: it was not."""
    drawn_at: datetime | None
    begun_at: datetime | None
    ended_at: datetime | None
    people: tuple[str, ...]
    match: MatchRow | None
    session: SessionRow | None
    plan: GroupPlan | None
    is_substituted: bool
    has_withdrawn: bool
    """Whether somebody of it has withdrawn, so that nothing of what it did is exported."""

    @property
    def condition(self) -> str:
        """Condition, or order of conditions, that it was assigned to; empty: none."""
        return "" if self.drawn is None else self.drawn.arm

    @property
    def is_assigned(self) -> bool:
        """Whether it belongs to the analysis by assigned condition: its first task began."""
        return self.state in (State.BEGUN, State.COMPLETED, State.LOST)

    @property
    def is_per_protocol(self) -> bool:
        """Whether it did all its tasks as its condition says, and nobody of it has withdrawn."""
        is_whole = self.state is State.COMPLETED and not self.is_substituted
        return is_whole and not self.has_withdrawn


class _Fate(NamedTuple):
    state: State = State.DRAWN
    reason: str = ""
    begun_at: float | None = None
    ended_at: float | None = None


def groups_of(stored: StoredStudy) -> list[Group]:
    """Return the groups: places in the order in which they were drawn, then matches without one."""
    fates = _fates(stored.draws)
    sessions = {session.match_id: session for session in stored.sessions}
    substituted = {e.session_id for e in stored.episodes if e.is_substituted}
    left_out = left_out_of(stored)
    people: dict[str, list[str]] = {}
    for ticket in stored.tickets:
        if ticket.match_id is not None:
            people.setdefault(ticket.match_id, []).append(ticket.participant_id)
    by_place = {match.place: match for match in stored.matches if match.place is not None}

    def group(name: str, match: MatchRow | None, drawn: Drawn | None = None) -> Group:
        fate = None if drawn is None else fates.get(drawn.place, _Fate())
        session = None if match is None else sessions.get(match.match_id)
        mine = () if match is None else tuple(people.get(match.match_id, ()))
        if not mine and drawn is not None:
            mine = drawn.who
        return Group(
            name,
            drawn,
            None if fate is None else fate.state,
            "" if fate is None else fate.reason,
            _time(None if drawn is None else drawn.at),
            _time(None if fate is None else fate.begun_at),
            _time(None if fate is None else fate.ended_at),
            mine,
            match,
            session,
            None if match is None else plan_of(match),
            (match is not None and match.is_substituted)
            or (session is not None and session.session_id in substituted),
            not left_out.isdisjoint(mine),
        )

    places = [r for r in stored.draws if isinstance(r, Drawn) and r.stage == "match"]
    found = [group(f"group_{d.place + 1:04d}", by_place.get(d.place), d) for d in places]
    unplaced = [match for match in stored.matches if match.place is None]
    found += [group(f"unplaced_{n:04d}", match) for n, match in enumerate(unplaced, 1)]
    return found


def left_out_of(stored: StoredStudy, *, is_shared: bool = False) -> frozenset[str]:
    """Return the participants whose data are left out: they withdrew, or did not consent.

    Of data that are shared those are left out, too, who did not agree to that.
    """
    agreed = {}
    for consent in stored.consents:
        agreed[consent.visit_id] = consent.research and (consent.sharing or not is_shared)
    return frozenset(
        visit.participant_id
        for visit in stored.visits
        if visit.withdrawn_at is not None or not agreed.get(visit.visit_id, False)
    )


def entry_levels_of(stored: StoredStudy) -> dict[str, str]:
    """Return the levels that were drawn for people at entry, as ``factor=level,…``."""
    return {
        record.who[0]: record.arm
        for record in stored.draws
        if isinstance(record, Drawn) and record.stage == "entry"
    }


def levels_of(study: Study, condition: str, stratum: str = "") -> Mapping[str, str]:
    """Return the level of each factor in a condition; of an order of them, those drawn at entry."""
    levels = dict(part.split("=", 1) for part in stratum.split(",") if part)
    for cell in study.cells:
        if cell.name == condition:
            levels |= cell.levels
    return levels


def _fates(records: Sequence[Record]) -> dict[int, _Fate]:
    """Return what became of each place, by its number."""
    found: dict[int, _Fate] = {}
    for record in records:
        before = found.get(record.place, _Fate())
        match record:
            case Begun(at=at):
                found[record.place] = before._replace(state=State.BEGUN, begun_at=at)
            case Completed(at=at):
                found[record.place] = before._replace(state=State.COMPLETED, ended_at=at)
            case GivenUp(at=at, reason=reason):
                found[record.place] = before._replace(
                    state=State.GIVEN_UP, reason=reason, ended_at=at
                )
            case Lost(at=at, reason=reason):
                found[record.place] = before._replace(state=State.LOST, reason=reason, ended_at=at)
    return found


def _time(at: float | None) -> datetime | None:
    return None if at is None else datetime.fromtimestamp(at, UTC)
