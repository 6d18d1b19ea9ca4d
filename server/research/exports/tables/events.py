"""Table of events: what happened in each episode, in its order, without what was said."""

from __future__ import annotations

from collections.abc import Iterator

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.tables.moments import MOMENT, moment_cells
from server.research.summaries.episode_summary import EpisodeSummary

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


def event_rows(summary: EpisodeSummary) -> Iterator[dict[str, Value]]:
    """Yield the events of an episode."""
    for event in summary.events:
        yield {
            **moment_cells(summary.episode_id, event.tick),
            "seat": event.seat,
            "event": event.event,
            "detail": event.detail,
            "object_id": event.object_id,
            "receptacle_id": event.receptacle_id,
            "reason": event.reason,
        }
