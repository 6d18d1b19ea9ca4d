"""`cohabit houses compare`: what a reader needs to relate results in houses to each other."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, NamedTuple

import typer

from episodes.dataset import DatasetError, Episode, read_dataset
from episodes.houses.files import HouseError, list_scenes, read_catalogue, read_scene, tasks_file
from episodes.houses.splits import SPLITS, split_of
from episodes.houses.walkable import as_shape
from episodes.poses import Vec2
from episodes.scene import Catalogue, Scene
from server.houses_cli import DataDir
from server.simulators.household.paths import Paths
from server.simulators.household.walkable import Walkable

PAIRS = 60
"""Ways between pieces of furniture that are measured in a house, drawn from its seed."""


class Measures(NamedTuple):
    """What is compared of a house, or the mean over some; None where there is nothing to measure.

    Ways are shortest ways on the walkable area, in metres.
    """

    rooms: float
    furniture: float
    walkable_m2: float
    closed: float
    """The share of receptacles that are behind a door or in a drawer."""
    way_m: float | None
    """Between two pieces of furniture."""
    tasks: float
    task_way_m: float | None
    """From where an object of a task lies to the furniture of its goal, the nearest of several."""
    clutter: float | None
    """Objects of a task that its goal does not name."""
    starts_m: float | None
    """Between the places where the seats of a task start."""


COLUMNS = (
    ("rooms", "{:.1f}"), ("furniture", "{:.1f}"), ("walkable m²", "{:.1f}"), ("closed", "{:.0%}"),
    ("way m", "{:.1f}"), ("tasks", "{:.0f}"), ("task way m", "{:.1f}"), ("clutter", "{:.1f}"),
    ("starts m", "{:.1f}"),
)  # fmt: skip


def compare(
    data_dir: DataDir = Path("data"),
    tasks: Annotated[
        str, typer.Option(help="The data set below DATA_DIR/tasks whose tasks are measured.")
    ] = "first",
) -> None:
    """Walkable area, ways, clutter, closed containers and starts: by house, by split, in all."""
    try:
        shapes = read_catalogue(data_dir)
        scenes = [read_scene(data_dir, scene_id) for scene_id in list_scenes(data_dir)]
        file = tasks_file(data_dir, tasks)
        episodes = read_dataset(file) if file.is_file() or tasks != "first" else []
    except (HouseError, DatasetError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from error
    if not scenes:
        typer.echo(f"no houses in {data_dir}; `cohabit houses build` makes them", err=True)
        raise typer.Exit(1)
    rows: list[tuple[str, Measures]] = []
    by_split: dict[str, list[Measures]] = {split: [] for split in SPLITS}
    for scene in scenes:
        mine = [e for e in episodes if e.scene_id == scene.scene_id]
        measured = measure(scene, shapes, mine)
        rows.append((scene.scene_id, measured))
        by_split[split_of(scene.seed)].append(measured)
    rows += [(f"{split} ({len(m)})", mean(m)) for split, m in by_split.items() if m]
    rows.append((f"all ({len(scenes)})", mean(list(itertools.chain(*by_split.values())))))
    for line in table(rows):
        typer.echo(line)


def measure(scene: Scene, catalogue: Catalogue, episodes: Sequence[Episode]) -> Measures:
    """The measures of one house, with tasks that are played in it."""
    paths = Paths([Walkable([polygon]) for polygon in scene.walkable])
    at = {f.handle: (f.pose.position[0], f.pose.position[2]) for f in scene.furniture}
    receptacles = [
        receptacle
        for furniture in scene.furniture
        for receptacle in catalogue.templates[furniture.template].receptacles
    ]
    rng = random.Random(f"ways of {scene.scene_id}")
    pairs = [rng.sample(sorted(at), 2) for _ in range(PAIRS)]
    return Measures(
        rooms=len(scene.rooms),
        furniture=len(scene.furniture),
        walkable_m2=float(as_shape(scene.walkable[0]).area),
        closed=fmean(r.part is not None for r in receptacles),
        way_m=_mean(_way(paths, at[a], at[b]) for a, b in pairs),
        tasks=len(episodes),
        task_way_m=_mean(w for e in episodes for w in _ways_of_task(e, at, paths)),
        clutter=_mean(_clutter(e) for e in episodes),
        starts_m=_mean(w for e in episodes for w in _ways_between_starts(e, paths)),
    )


def mean(measures: Sequence[Measures]) -> Measures:
    """Over houses alike, however many tasks are played in each."""
    columns: list[Any] = [_mean(column) for column in zip(*measures, strict=True)]
    return Measures(*columns)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return fmean(known) if known else None


def _way(paths: Paths, start: Vec2, goal: Vec2) -> float | None:
    found = paths.find(start, goal)
    return None if found is None else sum(math.dist(a, b) for a, b in itertools.pairwise(found))


def _places(episode: Episode) -> dict[str, Vec2]:
    """Where the objects of a task lie, by the handles that the simulators give them."""
    # In the order of the file, numbered per template: as `name_to_receptacle` is keyed.
    return {
        handle: (matrix[0][3], matrix[2][3])
        for handle, (_, matrix) in zip(episode.name_to_receptacle, episode.rigid_objs, strict=False)
    }


def _named(episode: Episode, argument: str) -> list[list[str]]:
    """What each proposition names under an argument; nothing where it has none."""
    return [
        [value] if isinstance(value := p.args.get(argument, []), str) else list(value)
        for p in episode.evaluation_propositions
    ]


def _ways_of_task(episode: Episode, at: dict[str, Vec2], paths: Paths) -> list[float]:
    places = _places(episode)
    ways = []
    goals = zip(
        _named(episode, "object_handles"), _named(episode, "receptacle_handles"), strict=True
    )
    for objects, receptacles in goals:
        ends = {at[handle] for r in receptacles if (handle := r.partition("|")[0]) in at}
        for name in objects:
            if name in places and ends:
                lengths = [w for end in ends if (w := _way(paths, places[name], end)) is not None]
                ways += [min(lengths)] if lengths else []
    return ways


def _clutter(episode: Episode) -> float:
    arguments = ("object_handles", "entity_handles_a", "entity_handles_b")
    named = {n for argument in arguments for names in _named(episode, argument) for n in names}
    return float(sum(handle not in named for handle in _places(episode)))


def _ways_between_starts(episode: Episode, paths: Paths) -> list[float | None]:
    poses = episode.info.get("start_poses", {})
    starts: list[Vec2] = [(pose[0], pose[2]) for pose in poses.values()]
    return [_way(paths, a, b) for a, b in itertools.combinations(starts, 2)]


def table(rows: Sequence[tuple[str, Measures]]) -> list[str]:
    """Aligned lines, the first one with the names of the columns."""
    cells = [["house", *(name for name, _ in COLUMNS)]]
    for name, measures in rows:
        values = zip(COLUMNS, measures, strict=True)
        cells.append([name, *("-" if v is None else form.format(v) for (_, form), v in values)])
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    return [
        "  ".join(
            cell.rjust(width) if k else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    ]
