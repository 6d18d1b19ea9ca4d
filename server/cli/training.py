"""`cohabit robots export-sft` and `cohabit robots traces`: what models learn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BufferedWriter
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from episodes.bodies import SeatKind
from server.recording.recordings import Recording, RecordingError, find_recordings, read_recording

Recordings = Annotated[
    list[Path], typer.Argument(help="Recordings, or folders with recordings in them.")
]
DataDir = Annotated[
    Path,
    typer.Option("--data-dir", envvar="COHABIT_DATA_DIR", help="Where the houses are kept."),
]
Out = Annotated[Path, typer.Option("--out", help="The file to write; it must not be there yet.")]
SeatOption = Annotated[str, typer.Option("--seat", help="robot or human: whose actions.")]
PolicyOption = Annotated[
    str, typer.Option("--policy", help="Only of this policy, as in: react; default: of any.")
]


def export_sft(
    recordings: Recordings,
    out: Out,
    percent: Annotated[
        float, typer.Option(help="Leave out episodes that reached less (0 to 1).")
    ] = 1.0,
    to_the_end: Annotated[
        bool, typer.Option("--to-the-end", help="Keep what came after the first success, too.")
    ] = False,
    seat: SeatOption = "robot",
    policy: PolicyOption = "",
    data_dir: DataDir = Path("data"),
) -> None:
    """Write the training set of a finetuned planner: a JSON line per action that succeeded.

    Each episode is played again in its house, to tell what the robot knew when it decided.
    """
    from server.robots.training.samples import Rules, lines_of, samples_of
    from server.simulators.household import HouseholdSimulator, HouseLibrary

    console = Console(stderr=True)
    rules = Rules(percent=percent, stops_early=not to_the_end, kind=_kind(seat), policy=policy)
    library = HouseLibrary(data_dir)
    episodes = count = 0
    with _new(out) as file:
        for recording in _read(recordings, console):
            try:
                samples = samples_of(recording, lambda: HouseholdSimulator(library), rules)
            except RecordingError as error:
                console.print(f"[yellow]left out:[/] {escape(str(error))}", highlight=False)
                continue
            episodes += bool(samples)
            count += len(samples)
            file.writelines(lines_of(samples))
    console.print(f"{count} samples of {episodes} episodes in {out}", highlight=False)
    if not count:
        out.unlink()
        _fail("no episode here has a success of a policy in that seat")


def traces(
    recordings: Recordings, out: Out, seat: SeatOption = "robot", policy: PolicyOption = ""
) -> None:
    """Write the library of solved tasks that `react-rag` takes its examples from."""
    from server.robots.policies.shared.retrieval import Library
    from server.robots.training.traces import traces_of

    console = Console(stderr=True)
    found = traces_of(_read(recordings, console), _kind(seat), policy)
    if not found:
        _fail("no episode here was solved with a policy in that seat")
    library = Library(found)
    try:
        library.write(out)
    except FileExistsError:
        _fail(f"{out} is there already: logs name a library by its hash, so write another")
    console.print(f"{len(found)} traces in {out}, sha256 {library.digest}", highlight=False)


def _kind(seat: str) -> SeatKind:
    if seat not in ("robot", "human"):
        _fail(f"expected robot or human, got {seat!r}")
    return "robot" if seat == "robot" else "human"


def _new(path: Path) -> BufferedWriter:
    try:
        return path.open("xb")
    except OSError as error:
        _fail(f"{path}: {error.strerror or error}")


def _fail(text: str) -> NoReturn:
    Console(stderr=True).print(f"[red]error:[/] {escape(text)}", highlight=False)
    raise typer.Exit(2)


def _read(paths: Iterable[Path], console: Console) -> Iterator[Recording]:
    """All episodes; a file that is no recording is said and left out."""
    try:
        files = find_recordings(paths)
    except RecordingError as error:
        _fail(str(error))
    for path in files:
        try:
            yield from read_recording(path)
        except RecordingError as error:
            console.print(f"[yellow]left out:[/] {escape(str(error))}", highlight=False)
