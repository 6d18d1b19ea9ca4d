"""Moments of an episode: the columns with which rows from its log begin."""

from __future__ import annotations

from server.research.exports.cells import Value
from server.research.exports.columns import Column
from server.sessions.spec import TICK_RATE

MOMENT = (
    Column(name="episode_id", definition="Episode.", source="episodes"),
    Column(
        name="tick",
        definition="Step of the episode, from its start; below 0: before it.",
        kind="integer",
        unit="1/30 s",
        source="log",
    ),
    Column(name="t_s", definition="Time from the start.", kind="number", unit="s", source="log"),
)
"""Columns that tell the episode and the time of a row."""


def moment_cells(episode_id: str, tick: int) -> dict[str, Value]:
    """Return the cells of `MOMENT` for a tick of an episode, counted from its start."""
    return {"episode_id": episode_id, "tick": tick, "t_s": tick / TICK_RATE}
