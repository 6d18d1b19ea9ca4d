"""`cohabit robots traces`: the library of examples for `react-rag`."""

from __future__ import annotations

from server.cli.consents import agreed
from server.cli.recordings import LARGEST_MIB, LargestOption, Recordings, read_recordings
from server.cli.robots.training_data import Out, PolicyOption, SeatOption, kind_of
from server.cli.terminal import error_console, failed
from server.recording.recordings import RecordingError


def traces(
    recordings: Recordings,
    out: Out,
    seat: SeatOption = "robot",
    policy: PolicyOption = "",
    largest: LargestOption = LARGEST_MIB,
) -> None:
    """Write the library of solved tasks that `react-rag` takes its examples from.

    Recordings of people who did not agree to training, or have withdrawn, are left out.
    """
    from matchmaking.study.pages import Permission
    from server.robots.policies.shared.retrieval import Library
    from server.robots.training.traces import traces_of

    console = error_console()
    try:
        read = agreed(read_recordings(recordings, largest), Permission.TRAINING)
        found = traces_of(read, kind_of(seat), policy)
    except RecordingError as error:
        raise failed(error, 2) from error
    if not found:
        raise failed("no episode here was solved with a policy in that seat", 2)
    library = Library(found)
    try:
        library.write(out)
    except FileExistsError as error:
        text = f"{out} is there already: logs name a library by its hash, so write another"
        raise failed(text, 2) from error
    console.print(f"{len(found)} traces in {out}, sha256 {library.digest}", highlight=False)
