"""`cohabit score`: recorded sessions, scored again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import typer

from episodes.bounded_files import UnreadableError, read_lines
from episodes.errors import error_log, goal_errors
from episodes.evaluation import Verdict
from episodes.trace import Trace
from matchmaking.study.pages import Permission
from server.cli.consents import agreed
from server.cli.options import DATA_DIR, DataDir
from server.cli.recordings import (
    LARGEST_MIB,
    NO_RECORDING,
    SEMANTICS,
    LargestOption,
    Recordings,
    SemanticsOption,
    check_semantics,
    for_each,
    read_recordings,
)
from server.cli.terminal import PlainTable, failed, output_console
from server.recording.recorded_houses import RecordedHouses, known_surroundings
from server.recording.recordings import Recording
from server.recording.rescoring import Scored, score_recording, version_note
from server.recording.traces import trace_of
from server.recording.verdict_differences import differences
from server.sessions.evaluation import task_of
from server.sessions.spec import TICK_S


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """Verdict in a file written by ``--out`` and read by ``--diff``."""

    session_id: str
    episode_id: str
    verdict: Verdict
    lost_ticks: int = 0
    """Ticks of the episode that were seen and then lost."""


class _Worked(NamedTuple):
    """Result of an episode: ``other`` is the verdict by the semantics to compare with."""

    scored: Scored
    errors: list[str]
    other: Verdict | None


def score(
    recordings: Recordings,
    semantics: SemanticsOption = None,
    diff: Annotated[
        str | None,
        typer.Option(
            help="Verdicts to compare with: documented, released, online, or a file that --out "
            "wrote (perhaps by another version)."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File to write, with all verdicts.")] = None,
    explain: Annotated[bool, typer.Option(help="Print why each failed episode failed.")] = False,
    errors: Annotated[bool, typer.Option(help="Print the errors, action by action.")] = False,
    largest: LargestOption = LARGEST_MIB,
    data_dir: DataDir = DATA_DIR,
) -> None:
    """Score recorded sessions again, from their logs alone.

    Exits with 1 if a verdict of the same evaluator differs from the one decided online.
    """
    console = output_console()
    check_semantics(semantics)
    houses = RecordedHouses(data_dir)
    before = _comparison(diff)
    table = PlainTable("session", "episode", "task", "complete", "online", "note")
    lines: list[Line] = []
    wrong = changed = 0
    details: list[str] = []

    def work(recording: Recording) -> _Worked:
        return _Worked(
            score_recording(recording, semantics, houses),
            _errors(recording, semantics, houses) if errors else [],
            score_recording(recording, diff).verdict if diff in SEMANTICS else None,
        )

    read = agreed(read_recordings(recordings, largest), Permission.RESEARCH)
    for recording, worked in for_each(read, work):
        scored = worked.scored
        verdict, header = scored.verdict, recording.header
        note = [version_note(recording)]
        if recording.lost_bytes:
            note.append(f"{recording.lost_bytes} bytes lost")
        if recording.result is None:
            note.append("its end is missing: scored as far as it goes")
        if scored.lost_ticks:
            note.append(f"{scored.lost_ticks * TICK_S:.1f} s were seen and then lost")
        found = scored.differences() if scored.comparable else []
        if found:
            wrong += 1
            note.append(f"{len(found)} fields differ from online")
            details += [f"{recording.episode_id}: {d}" for d in found]
        if diff is not None:
            other = _other(diff, before, recording, worked)
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
        lines.append(Line(header.spec.session_id, recording.episode_id, verdict, scored.lost_ticks))
        details += _words(recording, verdict, explain)
        details += worked.errors
    if not lines:
        raise failed(NO_RECORDING, 2)
    console.print(table)
    for detail in details:
        console.print(detail, markup=False, highlight=False, soft_wrap=True)
    if diff is not None:
        console.print(f"{changed} of {len(lines)} verdicts differ from {diff}", highlight=False)
    if out is not None:
        out.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    if wrong:
        raise typer.Exit(1)


def _comparison(diff: str | None) -> dict[str, Verdict]:
    if diff is None or diff == "online" or diff in SEMANTICS:
        return {}
    try:
        lines = read_lines(diff, Line)
    except OSError as error:
        raise failed(f"{diff}: {error.strerror or error}", 2) from error
    except UnreadableError as error:
        raise failed(f"not a file of verdicts: {error}", 2) from error
    return {line.episode_id: line.verdict for line in lines}


def _other(
    diff: str, before: dict[str, Verdict], recording: Recording, worked: _Worked
) -> Verdict | None:
    if diff == "online":
        return worked.scored.online
    if diff in SEMANTICS:
        return worked.other
    return before.get(recording.episode_id)


def _compare(before: Verdict, after: Verdict) -> list[str]:
    """Return the differences, without the names of semantics and version and our explanation."""
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
