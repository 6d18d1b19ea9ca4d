"""Exported data set as the simulator finds it.

Read under an interpreter that has habitat-sim and little else, so nothing here may import the
generator of houses.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from episodes.bounded_files import UnreadableError, read_json
from episodes.scene import Catalogue, Scene
from server.simulators.contract import SimulatorError

CONFIG = "cohabit.scene_dataset_config.json"
NAVMESH_SETTINGS = "navmeshes/settings.json"
CATALOGUE = "cohabit/catalogue.json"

T = TypeVar("T")


def scene_file(scene_id: str) -> str:
    return f"cohabit/scenes/{scene_id}.json"


class HabitatDataset:
    """The folder that `cohabit houses export --habitat` wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._catalogue: Catalogue | None = None
        self._scenes: dict[str, Scene] = {}

    @property
    def config(self) -> Path:
        return self.folder / CONFIG

    @property
    def navmesh_settings(self) -> Path:
        return self.folder / NAVMESH_SETTINGS

    @property
    def catalogue(self) -> Catalogue:
        if self._catalogue is None:
            self._catalogue = self._read(CATALOGUE, Catalogue)
        return self._catalogue

    def scene(self, scene_id: str) -> Scene:
        """Return a house of the data set. Raises SimulatorError when it is not there."""
        if Path(scene_id).name != scene_id or scene_id == ".." or "\0" in scene_id:
            raise SimulatorError(f"expected the id of a house, got {scene_id!r}")
        if scene_id not in self._scenes:
            self._scenes[scene_id] = self._read(scene_file(scene_id), Scene)
        return self._scenes[scene_id]

    def _read(self, path: str, as_type: type[T]) -> T:
        file = self.folder / path
        remedy = f"run: cohabit houses export --habitat {self.folder}"
        try:
            return read_json(file, as_type)
        except FileNotFoundError:
            raise SimulatorError(f"{file} is missing; {remedy}") from None
        except UnreadableError as error:
            raise SimulatorError(f"{error}; {remedy}") from error
