"""`cohabit robots traces`: the library of examples for `react-rag`."""

from __future__ import annotations

from rich.console import Console

from server.cli.recordings import Recordings, read_recordings
from server.cli.robots.training_data import Out, PolicyOption, SeatOption, kind_of
from server.cli.terminal import failed


def traces(
    recordings: Recordings, out: Out, seat: SeatOption = "robot", policy: PolicyOption = ""
) -> None:
    """Write the library of solved tasks that `react-rag` takes its examples from."""
    from server.robots.policies.shared.retrieval import Library
    from server.robots.training.traces import traces_of

    console = Console(stderr=True)
    found = traces_of(read_recordings(recordings), kind_of(seat), policy)
    if not found:
        raise failed("no episode here was solved with a policy in that seat", 2)
    library = Library(found)
    try:
        library.write(out)
    except FileExistsError as error:
        text = f"{out} is there already: logs name a library by its hash, so write another"
        raise failed(text, 2) from error
    console.print(f"{len(found)} traces in {out}, sha256 {library.digest}", highlight=False)
