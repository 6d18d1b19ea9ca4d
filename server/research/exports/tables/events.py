"""Table of events: what happened in each episode, in its order, without what was said."""

from __future__ import annotations

from collections.abc import Iterator

from server.recording.log_records import TickLine
from server.recording.recordings import Recording
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.tables.moments import MOMENT, moment_cells
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

TABLE = Table(
    name="events",
    row="event in an episode whose log can be read",
    is_outcome=True,
    columns=(
        *MOMENT,
        Column(name="seat", definition="Seat; empty: all.", source="log"),
        Column(
            name="event",
            definition="did, refused, said, phase, presence, finished, occupant, blocked, or goal.",
            source="log",
        ),
        Column(
            name="detail",
            definition="Verb of an action; phase and presence; true or false of finished; policy "
            "that took the seat; stage of a push; number of the goal; words that were said, as a "
            "number.",
            source="log",
        ),
        Column(
            name="object_id",
            definition="Thing that it is about: its handle; of a push, the other seat.",
            source="log",
        ),
        Column(name="receptacle_id", definition="Place where something was put.", source="log"),
        Column(
            name="reason",
            definition="Rule by which an action was refused; reason of an end; of a goal, holds or "
            "holds_no_more.",
            source="log",
        ),
    ),
)


def event_rows(recording: Recording, started_tick: int) -> Iterator[dict[str, Value]]:
    """Yield the events of an episode that started at a tick of its session."""
    with recording.folding():
        for line in recording.decoded():
            if isinstance(line, TickLine):
                for cells in _events(line):
                    moment = moment_cells(recording, line.tick - started_tick)
                    yield {**moment, **dict(zip(_REST, cells, strict=True))}


_REST = TABLE.names[len(MOMENT) :]
_Cells = tuple[str | None, str, Value, str | None, str | None, str | None]


def _events(line: TickLine) -> Iterator[_Cells]:
    for heard in line.intents:
        intent, refusal = heard.intent, heard.refusal
        if refusal is not None and isinstance(intent, Act | Place):
            tried = intent.verb if isinstance(intent, Act) else "place"
            yield heard.seat, "refused", tried, intent.target, None, refusal.rule
    for event in line.events:
        match event:
            case Did(seat, verb, target, _, where):
                yield seat, "did", verb, target, where, None
            case Said(seat, text):
                yield seat, "said", len(text.split()), None, None, None
            case PhaseChanged(phase, reason):
                yield None, "phase", phase, None, None, reason
            case PresenceChanged(seat, presence):
                yield seat, "presence", presence, None, None, None
            case FinishChanged(seat, finished):
                yield seat, "finished", finished, None, None, None
            case OccupantChanged(seat, policy):
                yield seat, "occupant", policy, None, None, None
            case Blocked(seat, by, stage):
                yield seat, "blocked", stage, by, None, None
    for change in line.propositions:
        now = "holds" if change.holds else "holds_no_more"
        yield change.by_seat, "goal", change.index, None, None, now
