"""Table of chat: what was said, in exports that are made with texts."""

from __future__ import annotations

from collections.abc import Iterator

from server.recording.log_records import TickLine
from server.recording.recordings import Recording
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.sessions.events import Said
from server.sessions.spec import TICK_RATE

TABLE = Table(
    name="chat",
    row="line of chat",
    is_outcome=True,
    columns=(
        Column(name="episode_id", definition="Episode.", source="episodes"),
        Column(
            name="tick",
            definition="Step of the episode, from its start; below 0: before it.",
            kind="integer",
            unit="1/30 s",
            source="log",
        ),
        Column(
            name="t_s", definition="Time from the start.", kind="number", unit="s", source="log"
        ),
        Column(name="seat", definition="Seat that said it.", source="log"),
        Column(
            name="said",
            definition="Words that were said, as they were written: personal data.",
            source="log",
        ),
    ),
)


def chat_rows(recording: Recording, started_tick: int) -> Iterator[dict[str, Value]]:
    """Yield what was said in an episode that started at a tick of its session."""
    with recording.folding():
        for line in recording.decoded():
            for event in line.events if isinstance(line, TickLine) else ():
                if isinstance(event, Said):
                    tick = line.tick - started_tick
                    yield {
                        "episode_id": recording.episode_id,
                        "tick": tick,
                        "t_s": tick / TICK_RATE,
                        "seat": event.seat,
                        "said": event.text,
                    }
