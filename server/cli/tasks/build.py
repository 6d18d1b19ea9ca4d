"""`cohabit tasks build`: sets of tasks from the generators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from episodes.dataset import DatasetError
from episodes.houses import GenerationError
from episodes.houses.files import HouseError
from episodes.tasks.versions import SETS, SetName, rebuild
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import echo, failed, progress
from server.research.task_sets.builder import (
    SIZES,
    build_set,
    is_current,
    remove_parts,
)
from server.research.task_sets.parts import PartError


def build(
    sets: Annotated[
        list[str] | None, typer.Argument(help=f"Sets to build: {', '.join(SETS)}. Default: all.")
    ] = None,
    data_dir: DataDir = DATA_DIR,
    count: Annotated[
        int | None, typer.Option(min=1, help="Tasks per set. Default: the full size.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the tasks.")] = 0,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Processes that work at once. Default: one per core.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Build current sets again.")] = False,
) -> None:
    """Generate tasks, try each in the simulator and keep the good ones.

    An interrupted build continues where it was when it is started again.
    """
    for name in _set_names(sets):
        wanted = count or SIZES[name]
        if force:
            remove_parts(data_dir, name)
        elif is_current(data_dir, name, wanted, seed):
            echo(f"{name}: {wanted} tasks are current")
            continue
        try:
            with progress(name) as tell:
                built = build_set(data_dir, name, wanted, seed, processes=processes, progress=tell)
        except (HouseError, GenerationError, PartError, DatasetError, OSError) as error:
            raise failed(error) from error
        except KeyboardInterrupt:
            echo(f"\nstopped; `{rebuild()} {name}` goes on from here", err=True)
            raise typer.Exit(130) from None
        remove_parts(data_dir, name)
        dropped = sum(built.record.faults.values())
        echo(
            f"{name}: {built.tasks} tasks in {built.file} ({dropped} dropped, "
            f"{built.record.cpu_s / built.tasks:.2f} s of CPU each)"
        )


def _set_names(sets: Sequence[str] | None) -> list[SetName]:
    unknown = [s for s in sets or () if s not in SETS]
    if unknown:
        raise failed(f"expected sets of {', '.join(SETS)}, got {', '.join(unknown)}")
    return [s for s in SETS if not sets or s in sets]
