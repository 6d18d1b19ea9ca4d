"""`cohabit metrics`: measure recorded sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from episodes.bounded_files import UnreadableError, read_json
from episodes.metrics import Interval, Row, rows_of, summarise, to_csv
from episodes.metrics.table import expert_lengths
from server.cli.options import DATA_DIR, DataDir
from server.cli.recordings import (
    LARGEST_MIB,
    NO_RECORDING,
    LargestOption,
    Recordings,
    SemanticsOption,
    check_semantics,
    for_each,
    read_recordings,
)
from server.cli.terminal import PlainTable, failed, output_console
from server.recording.recorded_houses import RecordedHouses
from server.recording.recordings import Recording
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
    largest: LargestOption = LARGEST_MIB,
    data_dir: DataDir = DATA_DIR,
) -> None:
    """Print PARTNR's, MAP-THOR's and TEACh's metrics of recorded sessions."""
    console = output_console()
    check_semantics(semantics)
    houses = RecordedHouses(data_dir)
    found = read_recordings(recordings, largest)
    known = list(for_each(found, lambda r: trace_of(r, semantics, houses)))
    if not known:
        raise failed(NO_RECORDING, 2)
    lengths = expert_lengths(trace for _, trace in known)
    if expert is not None:
        try:
            lengths = read_json(expert, dict[str, int])
        except OSError as error:
            raise failed(f"{expert}: {error.strerror or error}", 2) from error
        except UnreadableError as error:
            raise failed(error, 2) from error
    traces = {recording.key: trace for recording, trace in known}

    def work(recording: Recording) -> list[Row]:
        trace = traces[recording.key]
        propositions = recording.header.task.evaluation_propositions
        return list(rows_of(trace, propositions, lengths.get(trace.task_id)))

    rows = [row for _, found in for_each((r for r, _ in known), work) for row in found]
    if csv is not None:
        csv.write_text(to_csv(rows), encoding="utf-8")
    table = PlainTable(
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
