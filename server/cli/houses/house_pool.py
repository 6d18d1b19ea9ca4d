"""Pool of processes, one per processor, that work on many houses.

A worker is given the catalogue once and reads or writes houses below the data directory; what it
returns is small. Each file is written beside its place and renamed, so that whatever is interrupted
leaves whole houses only, and building again goes on where it stopped.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from episodes.catalogue import catalogue
from episodes.houses.checks import check_house
from episodes.houses.files import (
    catalogue_file,
    catalogue_is_current,
    house_is_current,
    read_scene,
    scene_file,
    write_asset,
    write_catalogue,
    write_house,
)
from episodes.houses.generator import generate_house, scene_id_of
from episodes.scene import Catalogue
from server.child_processes import end_with_parent
from server.cli.terminal import Tell
from server.owner_lock import own_to_replace

T = TypeVar("T")
Item = TypeVar("Item", int, str)
Work = Callable[[Path, Item, Catalogue], T]


class Written(NamedTuple):
    """Files that a build wrote; none where everything was current."""

    templates: int
    houses: list[str]


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def build(data: Path, seeds: Sequence[int], force: bool, tell: Tell) -> Written:
    """Write the catalogue and the houses of seeds, except what is there and current.

    What is there is replaced only while no server runs: its sessions go on in the houses and with
    the catalogue that they began with. Raises OwnedError where one does, GenerationError when a
    seed gives no valid house, OSError when nothing can be written.
    """
    shapes = catalogue()
    stale = force or not catalogue_is_current(data, shapes)
    names = sorted(shapes.templates) if stale else []
    todo = [s for s in seeds if force or not house_is_current(data, s, shapes)]
    replaced = [scene_file(data, scene_id_of(seed)) for seed in todo]
    replaced += [catalogue_file(data)] if stale else []
    with own_to_replace(replaced, data, "cohabit houses build"):
        return _build(data, names, todo, shapes, tell)


def _build(
    data: Path, names: Sequence[str], todo: Sequence[int], shapes: Catalogue, tell: Tell
) -> Written:
    total = len(names) + len(todo)
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        tell(done, total)

    tell(done, total)
    with Pool(shapes, min(processors(), len(todo))) as pool:
        making = pool.start(_write_house, data, todo)
        for name in names:
            write_asset(data, shapes, name)
            advance()
        if names:
            # Last, so that a catalogue that is there has its assets.
            write_catalogue(data, shapes)
        houses = []
        for scene_id in making:
            houses.append(scene_id)
            advance()
    return Written(len(names), sorted(houses))


def check(data: Path, scene_ids: Sequence[str], shapes: Catalogue, tell: Tell) -> list[str]:
    """Return what is wrong with houses, a line each. Raises HouseError for another file."""
    problems: list[str] = []
    with Pool(shapes, min(processors(), len(scene_ids) // 4)) as pool:
        for done, found in enumerate(pool.start(_check_house, data, scene_ids), start=1):
            problems += found
            tell(done, len(scene_ids))
    return sorted(problems)


def _write_house(data: Path, seed: int, shapes: Catalogue) -> str:
    write_house(data, generate_house(seed, shapes), shapes)
    return scene_id_of(seed)


def _check_house(data: Path, scene_id: str, shapes: Catalogue) -> list[str]:
    scene = read_scene(data, scene_id)
    assets = {shapes.templates[f.template].asset for f in scene.furniture} | {scene.stage_asset}
    missing = sorted(asset for asset in assets if not (data / asset).is_file())
    found = [f"{scene_id}: {asset} is not there" for asset in missing]
    return found + [f"{scene_id}: {problem}" for problem in check_house(scene, shapes)]


class Pool:
    """Processes that share a catalogue; with fewer than two, the work is done in this one."""

    def __init__(self, shapes: Catalogue, processes: int) -> None:
        self._shapes = shapes
        self._executor = None
        if processes > 1:
            # Not forked: the caller draws a progress bar from a thread.
            self._executor = ProcessPoolExecutor(
                processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_start,
                initargs=(msgspec.json.encode(shapes),),
            )

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._executor is not None:
            # What has begun is finished; the rest does not begin.
            self._executor.shutdown(wait=True, cancel_futures=True)

    def start(self, work: Work[Item, T], data: Path, items: Sequence[Item]) -> Iterator[T]:
        """Begin work on all items; yield their results as they come."""
        if self._executor is None:
            return (work(data, item, self._shapes) for item in items)
        futures = [self._executor.submit(_run, work, data, item) for item in items]
        return _results(futures)


def _results(futures: Sequence[Future[T]]) -> Iterator[T]:
    for future in as_completed(futures):
        yield future.result()


_CATALOGUE: list[Catalogue] = []
"""Catalogue that a worker was given when it started."""


def _start(encoded: bytes) -> None:
    end_with_parent()
    _CATALOGUE.append(msgspec.json.decode(encoded, type=Catalogue))


def _run(work: Work[Item, T], data: Path, item: Item) -> T:
    return work(data, item, _CATALOGUE[0])
