"""The criterion of a tutorial: what somebody did in it, and whether that is enough for a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    # Recordings from before their headers told of the house know of no insides.
    surroundings = recording.header.surroundings
    within = {} if surroundings is None else surroundings.within
    lines = (line for line in recording.decoded() if isinstance(line, TickLine))
    practised = frozenset(_practised(lines, seat, within))
    result = recording.result
    return TutorialOutcome(
        practised,
        NEEDED[kinds[seat]] - practised,
        result is not None and result.verdict.success is True,
    )


def skill_of_put(where: str, within: Mapping[str, int | None]) -> Skill:
    """Return what a put shows, by the receptacle's unique name and what opens it.

    ``within`` has the part of every receptacle inside furniture that must be open to reach it. A
    basin has none, and neither has an open shelf: what is put there is behind no door.
    """
    return "place" if within.get(where) is None else "put_inside"


def _practised(
    lines: Iterable[TickLine], seat: str, within: Mapping[str, int | None]
) -> Iterable[Skill]:
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
                    yield from _of(event, within)


def _of(event: Did, within: Mapping[str, int | None]) -> Iterable[Skill]:
    match event.verb:
        case "pick" | "open":
            yield event.verb
        case "place":
            yield skill_of_put(event.where or "", within)
        case verb if verb in STATE_VERBS:
            yield "change_state"
