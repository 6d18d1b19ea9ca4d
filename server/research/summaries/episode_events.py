"""Events of a recorded episode, in their order, without what was said."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from server.personal.sealing import FORGOTTEN, KEYLESS
from server.recording.log_records import Line, TickLine
from server.sessions.events import (
    Blocked,
    Did,
    FinishChanged,
    OccupantChanged,
    PhaseChanged,
    PresenceChanged,
    Said,
)
from server.sessions.intents import Act, Place


class EpisodeEvent(msgspec.Struct, frozen=True, array_like=True):
    """An event at a tick; the codebook of the table of events says what each field holds."""

    tick: int
    seat: str | None
    event: str
    detail: str | int | bool | None = None
    object_id: str | None = None
    receptacle_id: str | None = None
    reason: str | None = None


class EventReader:
    """Reader of the lines of an episode that keeps its events, by ticks of the session."""

    def __init__(self) -> None:
        self._found: list[EpisodeEvent] = []

    def take(self, line: Line) -> None:
        """Read a line."""
        if isinstance(line, TickLine):
            self._found.extend(_events(line))

    def events(self, started_tick: int) -> tuple[EpisodeEvent, ...]:
        """Return the events of an episode that started at a tick of its session."""
        return tuple(
            msgspec.structs.replace(event, tick=event.tick - started_tick) for event in self._found
        )


def _events(line: TickLine) -> Iterator[EpisodeEvent]:
    tick = line.tick
    for heard in line.intents:
        intent, refusal = heard.intent, heard.refusal
        if refusal is not None and isinstance(intent, Act | Place):
            tried = intent.verb if isinstance(intent, Act) else "place"
            yield EpisodeEvent(
                tick, heard.seat, "refused", tried, intent.target, reason=refusal.rule
            )
    for event in line.events:
        match event:
            case Did(seat, verb, target, _, where):
                yield EpisodeEvent(tick, seat, "did", verb, target, where)
            case Said(seat, text):
                is_lost = text in (FORGOTTEN, KEYLESS)
                yield EpisodeEvent(tick, seat, "said", None if is_lost else len(text.split()))
            case PhaseChanged(phase, reason):
                yield EpisodeEvent(tick, None, "phase", phase, reason=reason)
            case PresenceChanged(seat, presence):
                yield EpisodeEvent(tick, seat, "presence", presence)
            case FinishChanged(seat, finished):
                yield EpisodeEvent(tick, seat, "finished", finished)
            case OccupantChanged(seat, policy):
                yield EpisodeEvent(tick, seat, "occupant", policy)
            case Blocked(seat, by, stage):
                yield EpisodeEvent(tick, seat, "blocked", stage, by)
    for change in line.propositions:
        now = "holds" if change.holds else "holds_no_more"
        yield EpisodeEvent(tick, change.by_seat, "goal", change.index, reason=now)
