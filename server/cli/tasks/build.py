"""`cohabit tasks build`: sets of tasks from the generators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from episodes.catalogue import catalogue
from episodes.dataset import DatasetError
from episodes.houses import GenerationError
from episodes.houses.files import HouseError, house_is_current, scene_file
from episodes.houses.generator import scene_id_of
from episodes.tasks.versions import SETS, SetName, rebuild
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import echo, failed, progress
from server.owner_lock import OwnedError, own_to_replace
from server.research.task_sets.builder import (
    SIZES,
    build_set,
    is_current,
    parts_of,
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
            stale = _stale_houses(data_dir, name, wanted, seed)
            with (
                own_to_replace(stale, data_dir, f"cohabit tasks build {name}"),
                progress(name) as tell,
            ):
                built = build_set(data_dir, name, wanted, seed, processes=processes, progress=tell)
        except (HouseError, GenerationError, PartError, DatasetError, OwnedError, OSError) as error:
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


def _stale_houses(data_dir: Path, name: SetName, count: int, seed: int) -> list[Path]:
    """Return the files of houses that a set needs and this version would make differently."""
    shapes = catalogue()
    seeds = {part.house_seed for part in parts_of(data_dir, name, count, seed)}
    stale = (seed for seed in sorted(seeds) if not house_is_current(data_dir, seed, shapes))
    return [scene_file(data_dir, scene_id_of(seed)) for seed in stale]


def _set_names(sets: Sequence[str] | None) -> list[SetName]:
    unknown = [s for s in sets or () if s not in SETS]
    if unknown:
        raise failed(f"expected sets of {', '.join(SETS)}, got {', '.join(unknown)}")
    return [s for s in SETS if not sets or s in sets]
