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
from episodes.houses.splits import HOUSES, Split, seeds_of, split_of
from episodes.tasks.versions import SETS, SetName, rebuild
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import echo, failed, progress
from server.owner_lock import OwnedError, own_to_replace
from server.research.task_sets.builder import (
    SIZES,
    SPLIT,
    build_set,
    foreign_houses,
    is_current,
    parts_of,
    remove_parts,
)
from server.research.task_sets.parts import Part, PartError


def build(
    sets: Annotated[
        list[str] | None, typer.Argument(help=f"Sets to build: {', '.join(SETS)}. Default: all.")
    ] = None,
    data_dir: DataDir = DATA_DIR,
    count: Annotated[
        int | None, typer.Option(min=1, help="Tasks per set. Default: the full size.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the tasks.")] = 0,
    house: Annotated[
        list[int] | None,
        typer.Option(
            min=0,
            help="Seed of a house, of the set's split, that the tasks are in; may be repeated. "
            "Default: the 60 houses of `cohabit houses build`.",
        ),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Processes that work at once. Default: one per core.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Build current sets again.")] = False,
) -> None:
    """Generate tasks, try each in the simulator and keep the good ones.

    An interrupted build continues where it was when it is started again.
    """
    houses = sorted(set(house or ()))
    names = _set_names(sets)
    for name in names:
        _check_houses(name, houses)
    for name in names:
        wanted = count or SIZES[name]
        if force:
            remove_parts(data_dir, name)
        elif is_current(data_dir, name, wanted, seed, houses):
            echo(f"{name}: {wanted} tasks are current")
            continue
        try:
            stale = _stale_houses(data_dir, parts_of(data_dir, name, wanted, seed, houses))
            with (
                own_to_replace(stale, data_dir, f"cohabit tasks build {name}"),
                progress(name) as tell,
            ):
                built = build_set(
                    data_dir, name, wanted, seed, houses=houses, processes=processes, progress=tell
                )
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


def _check_houses(name: SetName, houses: Sequence[int]) -> None:
    """Check that the houses of a set are of its split, so that held-out ones stay so."""
    foreign = foreign_houses(name, houses)
    if foreign:
        told = ", ".join(f"{seed} ({split_of(seed)})" for seed in foreign)
        raise failed(
            f"expected houses of the split {SPLIT[name]} for {name}, got {told}; the first ones "
            f"beyond those of the default sets: {_some_beyond(SPLIT[name])}"
        )


def _some_beyond(split: Split) -> str:
    seeds = [seed for seed in seeds_of(split, 2 * HOUSES) if seed >= HOUSES]
    return ", ".join(map(str, seeds))


def _stale_houses(data_dir: Path, parts: Sequence[Part]) -> list[Path]:
    """Return the files of houses that a set needs and this version would make differently."""
    shapes = catalogue()
    seeds = {part.house_seed for part in parts}
    stale = (seed for seed in sorted(seeds) if not house_is_current(data_dir, seed, shapes))
    return [scene_file(data_dir, scene_id_of(seed)) for seed in stale]


def _set_names(sets: Sequence[str] | None) -> list[SetName]:
    unknown = [s for s in sets or () if s not in SETS]
    if unknown:
        raise failed(f"expected sets of {', '.join(SETS)}, got {', '.join(unknown)}")
    return [s for s in SETS if not sets or s in sets]
