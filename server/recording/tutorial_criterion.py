"""The criterion of a tutorial: what somebody did in it, and whether that is enough for a study."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from episodes.bodies import SeatKind
from server.recording.log_records import TickLine
from server.recording.recordings import Recording
from server.sessions.events import Did, Said
from server.sessions.intents import Drive

Skill = Literal["walk", "pick", "open", "place", "put_inside", "change_state", "ask"]
STATE_VERBS = frozenset({"clean", "fill", "pour", "power_on", "power_off"})
NEEDED: dict[SeatKind, frozenset[Skill]] = {
    "human": frozenset({"walk", "pick", "open", "place", "put_inside", "change_state", "ask"}),
    "robot": frozenset({"walk", "pick", "open", "place", "put_inside", "ask"}),
}
"""Skills of a body that have to have been shown once."""


IN_THE_OPEN = ("top", "basin", "seat", "tub", "tray")
"""Beginnings of the names of places that no door and no drawer hides, on furniture that opens."""


class TutorialOutcome(NamedTuple):
    """Practice of a seat in a tutorial."""

    practised: frozenset[Skill]
    missing: frozenset[Skill]
    solved: bool
    """Whether its small task was solved."""

    @property
    def passed(self) -> bool:
        """Whether the criterion is met: everything was done once, and the task solved."""
        return self.solved and not self.missing


def tutorial_outcome(recording: Recording, seat: str) -> TutorialOutcome:
    """Return what a seat did in a recorded tutorial. Raises KeyError for a seat that it has not."""
    kinds = {s.seat.seat_id: s.seat.kind for s in recording.header.spec.seats}
    within = {r for s in recording.decoded() if isinstance(s, TickLine) for r in _insides(s)}
    lines = (line for line in recording.decoded() if isinstance(line, TickLine))
    practised = frozenset(_practised(lines, seat, within))
    result = recording.result
    return TutorialOutcome(
        practised,
        NEEDED[kinds[seat]] - practised,
        result is not None and result.verdict.success is True,
    )


def skill_of_put(where: str, opened: Collection[str]) -> Skill:
    """Return what a put shows, by the receptacle's unique name and furniture that was opened."""
    furniture, _, receptacle = where.partition("|")
    is_inside = furniture in opened and not receptacle.startswith(IN_THE_OPEN)
    return "put_inside" if is_inside else "place"


def _insides(line: TickLine) -> Iterable[str]:
    """Return the furniture that was opened in a tick: what lands in it is put inside."""
    return (e.target for e in line.events if isinstance(e, Did) and e.verb == "open")


def _practised(lines: Iterable[TickLine], seat: str, opened: set[str]) -> Iterable[Skill]:
    for line in lines:
        for heard in line.intents:
            drive = heard.intent
            if heard.seat == seat and isinstance(drive, Drive) and (drive.forward or drive.strafe):
                yield "walk"
        for event in line.events:
            match event:
                case Said() if event.seat == seat:
                    yield "ask"
                case Did() if event.seat == seat:
                    yield from _of(event, opened)


def _of(event: Did, opened: set[str]) -> Iterable[Skill]:
    match event.verb:
        case "pick" | "open":
            yield event.verb
        case "place":
            yield skill_of_put(event.where or "", opened)
        case verb if verb in STATE_VERBS:
            yield "change_state"
