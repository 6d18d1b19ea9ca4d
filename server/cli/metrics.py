"""`cohabit metrics`: measure recorded sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from episodes.metrics import Interval, rows_of, summarise, to_csv
from episodes.metrics.table import expert_lengths
from server.cli.options import DATA_DIR, DataDir
from server.cli.recordings import (
    NO_RECORDING,
    Recordings,
    SemanticsOption,
    check_semantics,
    read_recordings,
)
from server.cli.terminal import failed
from server.recording.recorded_houses import RecordedHouses
from server.recording.traces import trace_of


def metrics(
    recordings: Recordings,
    semantics: SemanticsOption = None,
    csv: Annotated[
        Path | None, typer.Option(help="File to write, with a row per episode, seat and metric.")
    ] = None,
    expert: Annotated[
        Path | None,
        typer.Option(
            help="JSON file with the ticks that an expert needs, by task id, for path weights. "
            "Default: the shortest success of each task among these recordings."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    data_dir: DataDir = DATA_DIR,
) -> None:
    """Print PARTNR's, MAP-THOR's and TEACh's metrics of recorded sessions."""
    console = Console()
    check_semantics(semantics)
    houses = RecordedHouses(data_dir)
    known = [(r, trace_of(r, semantics, houses)) for r in read_recordings(recordings)]
    if not known:
        raise failed(NO_RECORDING, 2)
    lengths = expert_lengths(trace for _, trace in known)
    if expert is not None:
        try:
            lengths = msgspec.json.decode(expert.read_bytes(), type=dict[str, int])
        except (OSError, msgspec.DecodeError) as error:
            raise failed(f"{expert}: {error}", 2) from error
    rows = [
        row
        for recording, trace in known
        for row in rows_of(
            trace,
            recording.header.task.evaluation_propositions,
            lengths.get(trace.task_id),
        )
    ]
    if csv is not None:
        csv.write_text(to_csv(rows), encoding="utf-8")
    table = Table(
        "family", "metric", "reading", "seat", "mean", "95 % interval", "tasks", "episodes"
    )
    for s in summarise(rows, seed):
        interval = _interval(s.interval)
        if s.episodes_interval is not None:
            interval += f"; by episode {_interval(s.episodes_interval)}"
        metric = s.metric
        table.add_row(
            metric.family,
            metric.name,
            metric.reading,
            s.seat,
            f"{s.mean:.3f}",
            interval,
            str(s.tasks),
            str(s.episodes),
        )
    console.print(table)


def _interval(interval: Interval | None) -> str:
    return "n too small" if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"
