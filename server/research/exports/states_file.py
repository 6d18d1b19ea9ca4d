"""File of states in Parquet: one group of rows for each episode. Needs pyarrow."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from server.recording.recordings import Recording
from server.research.exports.columns import Table
from server.research.exports.tables.states import TABLE, SeatStates, seat_states
from server.sessions.spec import TICK_RATE

SCHEMA = pa.schema(
    [
        ("episode_id", pa.string()),
        ("tick", pa.int32()),
        ("t_s", pa.float64()),
        ("seat", pa.string()),
        # A thousandth of a millimetre is left of a float32 in any house.
        *((name, pa.float32()) for name in ("x_m", "y_m", "z_m", "yaw_rad", "pitch_rad")),
        ("held_object", pa.string()),
    ]
)


class StatesFile:
    """Writer of the states of episodes, whose columns are those of the table of states."""

    table: Table = TABLE

    def __init__(self, stream: BinaryIO) -> None:
        self._writer = pq.ParquetWriter(stream, SCHEMA, compression="zstd")
        self.n_rows = 0

    def add(self, recording: Recording) -> None:
        """Write the states of an episode. Raises RecordingError."""
        parts = [_rows(recording.episode_id, states) for states in seat_states(recording)]
        if not parts:
            return
        rows = pa.concat_tables(parts)
        self._writer.write_table(rows, row_group_size=max(1, rows.num_rows))
        self.n_rows += rows.num_rows

    def close(self) -> None:
        """Write the end of the file; the stream stays open."""
        self._writer.close()


def _rows(episode_id: str, states: SeatStates) -> pa.Table:
    n = len(states.poses)
    ticks = np.arange(n)
    held = pa.DictionaryArray.from_arrays(states.held_index, pa.array(states.held, pa.string()))
    columns = [
        pa.repeat(episode_id, n),
        pa.array(ticks, pa.int32()),
        pa.array(ticks / TICK_RATE),
        pa.repeat(states.seat, n),
        *(pa.array(column.astype(np.float32)) for column in states.poses.T),
        held.cast(pa.string()),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)
