"""Table of chat: what was said, in exports that are made with texts."""

from __future__ import annotations

from collections.abc import Iterator

from server.recording.log_records import TickLine
from server.recording.recordings import Recording
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.tables.moments import MOMENT, moment_cells
from server.sessions.events import Said

TABLE = Table(
    name="chat",
    row="line of chat",
    is_outcome=True,
    columns=(
        *MOMENT,
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
            if not isinstance(line, TickLine):
                continue
            for event in line.events:
                if isinstance(event, Said):
                    yield {
                        **moment_cells(recording.episode_id, line.tick - started_tick),
                        "seat": event.seat,
                        "said": event.text,
                    }
