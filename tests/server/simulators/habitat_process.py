"""habitat-sim from the tests' interpreter: a process under the other one, asked over a pipe.

Sessions do not do this; their whole worker runs under the interpreter that has habitat-sim. Here it
lets one contract suite, in one process, ask every backend. Calls are pickled: both ends are ours.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

ROOT = Path(__file__).parents[3]
_HEAD = struct.Struct("<I")
Key = Any


class ProcessEndedError(Exception):
    """The process has ended."""


class HabitatProcess:
    """Simulators in one process under another interpreter."""

    def __init__(self, python: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(
            [str(python), "-m", "tests.server.simulators.habitat_process"],
            cwd=ROOT,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.pid = self._process.pid

    def ask(self, simulator: int, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method (or read an attribute, with no arguments given as ``args``)."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            _write(self._process.stdin, (simulator, name, args, kwargs))
            worked, value = _read(self._process.stdout)
        except (OSError, EOFError) as error:
            raise ProcessEndedError(f"status {self._process.wait()}") from error
        if not worked:
            raise value
        return value

    def simulator(self, folder: Path) -> RemoteSimulator:
        """Return a simulator over an exported data set."""
        return RemoteSimulator(self, self.ask(0, "new", folder))

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()


class _View(Mapping[Any, Any]):
    """A mapping of the other process, as it is when it is looked at."""

    def __init__(self, remote: RemoteSimulator, name: str) -> None:
        self._remote, self._name = remote, name

    def _now(self) -> dict[Any, Any]:
        now: dict[Any, Any] = self._remote._ask(self._name)
        return now

    def __getitem__(self, key: Key) -> Any:
        return self._now()[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())


class RemoteSimulator:
    """The Simulator contract over a pipe."""

    def __init__(self, process: HabitatProcess, number: int) -> None:
        self._process, self._number = process, number
        self._static: dict[str, Any] = {}

    def _ask(self, name: str, *args: Any, **kwargs: Any) -> Any:
        return self._process.ask(self._number, name, *args, **kwargs)

    def reset(self, *args: Any) -> None:
        self._static.clear()
        self._ask("reset", *args)

    def objects(self) -> Mapping[Any, Any]:
        return _View(self, "objects")

    def joints(self) -> Mapping[Any, Any]:
        return _View(self, "joints")

    def __getattr__(self, name: str) -> Any:
        if name in ("scene", "plan", "catalogue", "name", "version"):
            if name not in self._static:
                self._static[name] = self._ask(name)
            return self._static[name]

        def call(*args: Any, **kwargs: Any) -> Any:
            return self._ask(name, *args, **kwargs)

        return call

    def __del__(self) -> None:
        # A test that forgets its simulator leaves it to the process otherwise.
        try:
            self._ask("close")
        except Exception:
            return


def _write(stream: BinaryIO | Any, value: object) -> None:
    data = pickle.dumps(value)
    stream.write(_HEAD.pack(len(data)) + data)
    stream.flush()


def _read(stream: BinaryIO | Any) -> Any:
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        raise EOFError
    return pickle.loads(stream.read(_HEAD.unpack(head)[0]))


def _answer(simulators: dict[int, Any], number: int, name: str, args: Any, kwargs: Any) -> Any:
    from server.simulators.habitat.simulator import habitat

    if name == "new":
        simulators[len(simulators) + 1] = habitat(*args)
        return len(simulators)
    if name == "inspect":
        return _inspect(*args)
    if name == "walkable_m2":
        return _walkable_m2(*args)
    if name == "receptacles":
        return _receptacles(*args)
    if name == "exit":
        os._exit(*args)
    if name == "abort":
        os.abort()
    member = getattr(simulators[number], name)
    value = member(*args, **kwargs) if callable(member) else member
    return dict(value) if isinstance(value, Mapping) else value


def _inspect(folder: Path, scene_id: str) -> dict[str, Any]:
    """Return a scene as habitat-sim has it, in plain values.

    Boxes of links are in the furniture's frame.
    """
    from server.simulators.habitat import engine
    from server.simulators.habitat.dataset import HabitatDataset

    sim = engine.start(HabitatDataset(folder).config, scene_id)
    furniture: dict[str, Any] = {}
    rigid, articulated = sim.get_rigid_object_manager(), sim.get_articulated_object_manager()
    for handle, found in rigid.get_objects_by_handle_substring().items():
        box = found.aabb
        drawn = {None: (engine.point(box.min), engine.point(box.max))}
        furniture[handle] = _placed(found, [], drawn)
    for handle, found in articulated.get_objects_by_handle_substring().items():
        links = [
            (i, found.get_link_name(i), found.get_link_joint_name(i)) for i in found.get_link_ids()
        ]
        drawn = {
            None if link < 0 else link: _local_box(found, link)
            for link in (-1, *found.get_link_ids())
        }
        furniture[handle] = _placed(found, links, drawn)
    rooms = {region.id: region.category.name() for region in sim.semantic_scene.regions}
    sim.close()
    return {"furniture": furniture, "rooms": rooms}


def _walkable_m2(folder: Path, scene_id: str) -> float:
    """Return the largest island of a scene's navigation mesh (m²)."""
    from server.simulators.habitat.dataset import HabitatDataset
    from server.simulators.habitat.house import LoadedHouse

    house = LoadedHouse(HabitatDataset(folder), scene_id)
    area = house.navigation.area_m2
    house.sim.close()
    return area


def _receptacles(folder: Path, scene_id: str) -> dict[str, Any] | None:
    """Return where habitat-lab finds each receptacle's middle; None without habitat-lab."""
    from server.simulators.habitat import engine
    from server.simulators.habitat.dataset import HabitatDataset

    try:
        from habitat.datasets.rearrange.samplers.receptacle import find_receptacles
    except ImportError:
        return None
    sim = engine.start(HabitatDataset(folder).config, scene_id)
    middles = {}
    for receptacle in find_receptacles(sim):
        to_world = receptacle.get_global_transform(sim)
        middles[receptacle.unique_name] = engine.point(
            to_world.transform_point(receptacle.bounds.center())
        )
    sim.close()
    return middles


def _placed(found: Any, links: list[Any], drawn: dict[Any, Any]) -> dict[str, Any]:
    from server.simulators.habitat import engine

    return {
        "position": engine.point(found.translation),
        "rotation": engine.rotation(found.rotation),
        "links": links,
        "drawn": drawn,
    }


def _local_box(found: Any, link: int) -> Any:
    from server.simulators.habitat import engine

    node = found.get_link_scene_node(link)
    to_furniture = found.transformation.inverted() @ node.absolute_transformation()
    box = node.cumulative_bb
    corners = [
        engine.point(to_furniture.transform_point(engine.vector((x, y, z))))
        for x in (box.min[0], box.max[0])
        for y in (box.min[1], box.max[1])
        for z in (box.min[2], box.max[2])
    ]
    low = tuple(min(c[k] for c in corners) for k in range(3))
    return low, tuple(max(c[k] for c in corners) for k in range(3))


def serve() -> None:
    """Answer until the pipe closes.

    C++ libraries print to standard output; that goes to errors.
    """
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    simulators: dict[int, Any] = {}
    while True:
        try:
            request = _read(sys.stdin.buffer)
        except EOFError:
            break
        try:
            reply = (True, _answer(simulators, *request))
        except Exception as error:
            reply = (False, error)
        _write(out, reply)


if __name__ == "__main__":
    serve()
