"""`cohabit metrics`: measure recorded sessions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from episodes.bounded_files import UnreadableError, read_json
from episodes.metrics import Interval, Row, rows_of, summarise, to_csv
from episodes.metrics.clusters import FEW_HOUSES, FEWEST
from episodes.metrics.table import Origin, expert_lengths
from episodes.metrics.tries import Try, solved_by_round
from episodes.metrics.tries import best_of_tries as choose
from episodes.trace import Trace
from matchmaking.study.pages import Permission
from server.cli.consents import agreed
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
from server.recording.answering import answered_by, caption_of, short_caption
from server.recording.recorded_houses import RecordedHouses
from server.recording.recordings import Recording, RecordingError
from server.recording.traces import trace_of


class By(StrEnum):
    """Groups of episodes that have a table of their own."""

    team = "team"
    profile = "profile"
    house = "house"


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
    by: Annotated[
        list[By] | None,
        typer.Option(
            help="Print a table for each team, rule profile or house; may be repeated. Default: "
            "one table that pools all."
        ),
    ] = None,
    best_of_tries: Annotated[
        bool,
        typer.Option(
            "--best-of-tries",
            help="Keep one finished try of each task, the most complete one and of equals the "
            "first, as PARTNR's human study does; with --by, one in each table.",
        ),
    ] = False,
    largest: LargestOption = LARGEST_MIB,
    data_dir: DataDir = DATA_DIR,
) -> None:
    """Print PARTNR's, MAP-THOR's and TEACh's metrics of recorded sessions.

    SE is the standard error of the mean over tasks, which PARTNR's tables print.
    """
    console = output_console()
    check_semantics(semantics)
    houses = RecordedHouses(data_dir)
    found = agreed(read_recordings(recordings, largest), Permission.RESEARCH)

    def traced(recording: Recording) -> Trace:
        if recording.is_cut:
            raise RecordingError(
                f"{recording.path}: the end of episode {recording.episode_id} was lost, and what "
                "is left of it would count as a whole one"
            )
        if recording.result is None:
            raise RecordingError(
                f"{recording.path}: episode {recording.episode_id} has no end: it was cut off, or "
                "still goes on, and would count as a whole one"
            )
        return trace_of(recording, semantics, houses)

    known = list(for_each(found, traced))
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
    answered = {recording.episode_id: answered_by(recording) for recording, _ in known}
    origins = {r.episode_id: _origin(r, answered[r.episode_id]) for r, _ in known}
    if csv is not None:
        try:
            csv.write_text(to_csv(rows, origins), encoding="utf-8")
        except OSError as error:
            raise failed(f"{csv}: {error.strerror or error}", 2) from error
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        origin = origins[row.episode_id]
        groups.setdefault(tuple(getattr(origin, b.value) for b in by or ()), []).append(row)
    for names, mine in groups.items():
        if by:
            told = ", ".join(f"{b.value} {name}" for b, name in zip(by, names, strict=True))
            console.print(told, markup=False, highlight=False)
        if best_of_tries:
            tried = {row.episode_id for row in mine}
            kept = choose(t for t in map(_try_of, known) if t and t.episode_id in tried)
            mine = [row for row in mine if row.episode_id in {k.episode_id for k in kept.values()}]
            told = ", ".join(f"{share:.3f}" for share in solved_by_round(kept.values()))
            console.print(f"success by round: {told or 'no finished try'}", highlight=False)
        _show(console, mine, origins)
        here = dict.fromkeys(row.episode_id for row in mine)
        if told := caption_of(answered[episode] for episode in here):
            console.print(told, markup=False, highlight=False)


def _try_of(known: tuple[Recording, Trace]) -> Try | None:
    """Return a recorded episode as a try; None: it has no end, or no percent complete."""
    recording, trace = known
    percent = trace.verdict.percent_complete
    if recording.result is None or percent is None:
        return None
    return Try(recording.episode_id, trace.task_id, recording.header.wall, percent)


def _origin(recording: Recording, answered: str) -> Origin:
    header = recording.header
    return Origin(
        header.spec.team.written_out,
        header.played_spec.profile,
        header.task.scene_id,
        short_caption([answered]),
    )


def _show(console: Console, rows: list[Row], origins: Mapping[str, Origin]) -> None:
    table = PlainTable(
        "family", "metric", "reading", "seat", "mean", "SE", "95 % interval", "tasks", "episodes"
    )
    found = summarise(rows, {episode: origin.house for episode, origin in origins.items()})
    for s in found:
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
            "-" if s.error is None else f"{s.error:.3f}",
            interval,
            str(s.tasks),
            str(s.episodes),
        )
    console.print(table)
    houses = max((s.houses for s in found), default=0)
    console.print(
        f"Intervals have houses as units ({houses} here; none below {FEWEST}); those by episode "
        "are exact, as if episodes were independent.",
        highlight=False,
    )
    if houses < FEW_HOUSES:
        console.print(
            f"Rough: of fewer than {FEW_HOUSES} houses intervals hold the true mean less often "
            "than they say where figures are skewed.",
            highlight=False,
        )


def _interval(interval: Interval | None) -> str:
    return "-" if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"
