"""`cohabit score` and `cohabit metrics`: recorded sessions, scored again and measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from episodes.errors import error_log, goal_errors
from episodes.evaluation import Verdict
from episodes.metrics import Interval, rows_of, summarise, to_csv
from episodes.metrics.table import expert_lengths
from episodes.trace import Trace
from server.recording.recorded_houses import RecordedHouses, known_surroundings
from server.recording.recordings import Recording, RecordingError, find_recordings, read_recording
from server.recording.rescoring import Scored, score_recording, version_note
from server.recording.traces import trace_of
from server.recording.verdict_differences import differences
from server.sessions.evaluation import task_of

SEMANTICS = ("documented", "released")

Recordings = Annotated[
    list[Path], typer.Argument(help="Recordings, or folders with recordings in them.")
]
DataDir = Annotated[
    Path,
    typer.Option("--data-dir", envvar="COHABIT_DATA_DIR", help="Where the houses are kept."),
]
SemanticsOption = Annotated[
    str | None,
    typer.Option("--semantics", help="documented or released; default: as it was played."),
]


class Line(msgspec.Struct, frozen=True):
    """One verdict in a file written by ``--out`` and read by ``--diff``."""

    session_id: str
    episode_id: str
    verdict: Verdict


def score(
    recordings: Recordings,
    semantics: SemanticsOption = None,
    diff: Annotated[
        str | None,
        typer.Option(
            help="Compare with: documented, released, online, or a file that --out wrote "
            "(perhaps by another version)."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write all verdicts to this file.")] = None,
    explain: Annotated[bool, typer.Option(help="Print why each failure failed.")] = False,
    errors: Annotated[bool, typer.Option(help="Print what went wrong, action by action.")] = False,
    data_dir: DataDir = Path("data"),
) -> None:
    """Score recorded sessions again, from what was logged alone.

    Exits with 1 where a verdict of the same evaluator differs from the one decided online.
    """
    console = Console()
    _check_semantics(semantics)
    houses = RecordedHouses(data_dir)
    before = _comparison(diff)
    table = Table("session", "episode", "task", "complete", "online", "note")
    lines: list[Line] = []
    wrong = changed = 0
    details: list[str] = []
    for recording in _read(recordings, console):
        scored = score_recording(recording, semantics, houses)
        verdict, header = scored.verdict, recording.header
        note = [version_note(recording)]
        if recording.lost_bytes:
            note.append(f"{recording.lost_bytes} bytes lost")
        found = scored.differences() if scored.comparable else []
        if found:
            wrong += 1
            note.append(f"{len(found)} fields differ from online")
            details += [f"{recording.episode_id}: {d}" for d in found]
        if diff is not None:
            other = _other(diff, before, recording, scored)
            told = [] if other is None else _compare(other, verdict)
            if other is None:
                note.append("not in the other")
            elif told:
                changed += 1
                note.append(f"{len(told)} fields differ from {diff}")
                details += [f"{recording.episode_id}: {d}" for d in told]
        row = (header.spec.session_id, recording.episode_id, header.task.task_id)
        table.add_row(
            *row, _percent(verdict), _percent(scored.online), "; ".join(filter(None, note))
        )
        lines.append(Line(header.spec.session_id, recording.episode_id, verdict))
        details += _words(recording, verdict, explain)
        if errors:
            details += _errors(recording, semantics, houses)
    console.print(table)
    for detail in details:
        console.print(detail, markup=False, highlight=False, soft_wrap=True)
    if diff is not None:
        console.print(f"{changed} of {len(lines)} verdicts differ from {diff}", highlight=False)
    if out is not None:
        out.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    if wrong:
        raise typer.Exit(1)


def metrics(
    recordings: Recordings,
    semantics: SemanticsOption = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write one row per episode, seat and metric.")
    ] = None,
    expert: Annotated[
        Path | None,
        typer.Option(
            help="JSON with the ticks an expert needs, by task id, for path weights; default: the "
            "shortest success of each task among these recordings."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    data_dir: DataDir = Path("data"),
) -> None:
    """Print PARTNR's, MAP-THOR's and TEACh's metrics of recorded sessions."""
    console = Console()
    _check_semantics(semantics)
    houses = RecordedHouses(data_dir)
    known = [(r, trace_of(r, semantics, houses)) for r in _read(recordings, console)]
    lengths = expert_lengths(trace for _, trace in known)
    if expert is not None:
        try:
            lengths = msgspec.json.decode(expert.read_bytes(), type=dict[str, int])
        except (OSError, msgspec.DecodeError) as error:
            _fail(f"{expert}: {error}")
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


def _fail(text: str) -> NoReturn:
    Console(stderr=True).print(f"[red]error:[/] {escape(text)}", highlight=False)
    raise typer.Exit(2)


def _check_semantics(name: str | None) -> None:
    if name is not None and name not in SEMANTICS:
        _fail(f"expected documented or released, got {name!r}")


def _read(paths: Iterable[Path], console: Console) -> Iterator[Recording]:
    """All episodes; a file that is no recording is said and left out, unless there is none."""
    count = 0
    try:
        files = find_recordings(paths)
    except RecordingError as error:
        _fail(str(error))
    for path in files:
        try:
            episodes = read_recording(path)
        except RecordingError as error:
            Console(stderr=True).print(
                f"[yellow]left out:[/] {escape(str(error))}", highlight=False
            )
            continue
        count += len(episodes)
        yield from episodes
    if not count:
        _fail("there is no recording here")


def _comparison(diff: str | None) -> dict[str, Verdict]:
    if diff is None or diff == "online" or diff in SEMANTICS:
        return {}
    try:
        raw = Path(diff).read_bytes()
        lines = [msgspec.json.decode(line, type=Line) for line in raw.splitlines() if line]
    except OSError as error:
        _fail(f"{diff}: {error.strerror or error}")
    except msgspec.DecodeError as error:
        _fail(f"{diff}: not a file of verdicts: {error}")
    return {line.episode_id: line.verdict for line in lines}


def _other(
    diff: str, before: dict[str, Verdict], recording: Recording, scored: Scored
) -> Verdict | None:
    if diff == "online":
        return scored.online
    if diff in SEMANTICS:
        return score_recording(recording, diff).verdict
    return before.get(recording.episode_id)


def _compare(before: Verdict, after: Verdict) -> list[str]:
    """What differs, the names of semantics and version and our explanation apart."""
    ignore = frozenset({"semantics", "evaluator_version", "account"})
    return [str(d) for d in differences(before, after, ignore=ignore)]


def _percent(verdict: Verdict | None) -> str:
    if verdict is None:
        return "-"
    if verdict.percent_complete is None:
        return f"unavailable: {verdict.reason}"
    return f"{verdict.percent_complete:.1%}"


def _words(recording: Recording, verdict: Verdict, explain: bool) -> list[str]:
    if not explain or verdict.success:
        return []
    text = verdict.explanation if verdict.account is None else verdict.account.text
    return [f"{recording.episode_id}:", text] if text else []


def _errors(recording: Recording, semantics: str | None, houses: RecordedHouses) -> list[str]:
    header = recording.header
    trace: Trace = trace_of(recording, semantics, houses)
    surroundings = known_surroundings(header, houses)
    if surroundings is None:
        log = error_log(trace)
    else:
        labels = surroundings.labels
        log = error_log(
            trace,
            within=surroundings.within,
            things=frozenset(labels),
            label=lambda key: labels.get(key, key),
        )
    goals = goal_errors(trace, task_of(header.task, header.classes))
    return [
        f"{recording.episode_id}: tick {r.t} {r.agent or 'nobody'}: {r.error_class}"
        f"{'/' + r.subclass if r.subclass else ''}: {r.text}"
        for r in (*log.records, *goals)
        if r.error_class != "OK"
    ]


def _interval(interval: Interval | None) -> str:
    return "n too small" if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"
