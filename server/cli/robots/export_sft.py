"""`cohabit robots export-sft`: the training set of a finetuned planner."""

from __future__ import annotations

from io import BufferedWriter
from pathlib import Path
from typing import Annotated

import typer

from server.cli.consents import agreed
from server.cli.options import DATA_DIR, DataDir
from server.cli.recordings import (
    LARGEST_MIB,
    LargestOption,
    Recordings,
    for_each,
    read_recordings,
)
from server.cli.robots.training_data import Out, PolicyOption, SeatOption, kind_of
from server.cli.terminal import error_console, failed


def export_sft(
    recordings: Recordings,
    out: Out,
    percent: Annotated[
        float, typer.Option(help="Leave out episodes with a lower percent complete (0 to 1).")
    ] = 1.0,
    to_the_end: Annotated[
        bool, typer.Option("--to-the-end", help="Keep what happened after the first success, too.")
    ] = False,
    seat: SeatOption = "robot",
    policy: PolicyOption = "",
    largest: LargestOption = LARGEST_MIB,
    data_dir: DataDir = DATA_DIR,
) -> None:
    """Write the training set of a finetuned planner: a JSON line per action that succeeded.

    Plays each episode again in its house, to tell what the robot knew when it decided. Recordings
    of people who did not agree to training, or have withdrawn, are left out.
    """
    from matchmaking.study.pages import Permission
    from server.robots.training.samples import Rules, lines_of, samples_of
    from server.simulators.household import HouseholdSimulator, HouseLibrary

    console = error_console()
    rules = Rules(percent=percent, stops_early=not to_the_end, kind=kind_of(seat), policy=policy)
    library = HouseLibrary(data_dir)
    episodes = count = 0
    with _new(out) as file:
        for _, samples in for_each(
            agreed(read_recordings(recordings, largest), Permission.TRAINING),
            lambda recording: samples_of(recording, lambda: HouseholdSimulator(library), rules),
        ):
            episodes += bool(samples)
            count += len(samples)
            file.writelines(lines_of(samples))
    console.print(f"{count} samples of {episodes} episodes in {out}", highlight=False)
    if not count:
        out.unlink()
        raise failed("no episode here has a success of a policy in that seat", 2)


def _new(path: Path) -> BufferedWriter:
    try:
        return path.open("xb")
    except OSError as error:
        raise failed(f"{path}: {error.strerror or error}", 2) from error
