"""`cohabit houses compare`: measures that relate results in different houses to each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from episodes.dataset import DatasetError, Task, read_dataset
from episodes.houses.files import HouseError, list_scenes, read_catalogue, read_scene, tasks_file
from episodes.houses.splits import SPLITS, split_of
from episodes.scene import Catalogue, Scene
from episodes.tasks.versions import expect_of
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import Tell, echo, failed, progress
from server.research.house_comparison.exported_houses import (
    ExportedError,
    check_export,
    measure_exported,
)
from server.research.house_comparison.measures import Measures, mean, measure
from server.research.house_comparison.tables import differences, table
from server.simulators.contract import SimulatorError
from server.simulators.household import HouseholdSimulator, HouseLibrary


def compare(
    data_dir: DataDir = DATA_DIR,
    tasks: Annotated[str, typer.Option(help="Set of tasks that are measured.")] = "first",
    habitat: Annotated[
        Path | None,
        typer.Option(
            help="Folder of `cohabit houses export`, whose houses are measured on habitat-sim, too."
        ),
    ] = None,
) -> None:
    """Measure walkable area, ways, clutter, closed containers and starts by house and split."""
    try:
        shapes = read_catalogue(data_dir)
        scenes = [read_scene(data_dir, scene_id) for scene_id in list_scenes(data_dir)]
        file = tasks_file(data_dir, tasks)
        known = read_dataset(file) if file.is_file() or tasks != "first" else []
        if not scenes:
            raise HouseError(data_dir / "houses", "there are no houses")
        python = None if habitat is None else check_export(habitat, scenes, tasks)
        with progress("houses") as tell:
            ours = _measured(scenes, shapes, known, tasks, tell)
        if habitat is None or python is None:
            lines = table([((n,), m) for n, m in _summed(scenes, ours)], ["house"])
        else:
            with progress("on habitat-sim") as tell:
                found = measure_exported(python, habitat, tasks, list(ours), tell)
            lines = _side_by_side(scenes, ours, dict(zip(ours, found, strict=True)))
    except (HouseError, DatasetError, SimulatorError, ExportedError) as error:
        raise failed(error) from error
    for line in lines:
        echo(line)


def _measured(
    scenes: Sequence[Scene],
    shapes: Catalogue,
    tasks: Sequence[Task],
    name: str,
    tell: Tell,
) -> dict[str, Measures]:
    """Return the measures of each house on the household simulator, with the tasks of a set."""
    found = {}
    for scene in scenes:
        simulator = HouseholdSimulator(HouseLibrary.of(shapes, [scene]))
        mine = [task for task in tasks if task.scene_id == scene.scene_id]
        for task in mine:
            expect_of(task, scene, name)
        found[scene.scene_id] = measure(simulator, scene.scene_id, mine)
        tell(len(found), len(scenes))
    return found


def _summed(
    scenes: Sequence[Scene], by_house: Mapping[str, Measures]
) -> Iterator[tuple[str, Measures]]:
    """Yield the measures of each house, of each split and of all, each with a name for a table."""
    by_split: dict[str, list[Measures]] = {split: [] for split in SPLITS}
    for scene in scenes:
        by_split[split_of(scene.seed)].append(by_house[scene.scene_id])
    yield from by_house.items()
    yield from ((f"{split} ({len(m)})", mean(m)) for split, m in by_split.items() if m)
    yield f"all ({len(scenes)})", mean(list(itertools.chain(*by_split.values())))


def _side_by_side(
    scenes: Sequence[Scene], ours: Mapping[str, Measures], theirs: Mapping[str, Measures]
) -> list[str]:
    rows = []
    for (name, here), (_, there) in zip(
        _summed(scenes, ours), _summed(scenes, theirs), strict=True
    ):
        rows += [((name, "household"), here), (("", "Habitat"), there)]
    return [*table(rows, ["house", "simulator"]), "", *differences(ours, theirs)]
