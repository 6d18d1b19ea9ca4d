"""The houses that recordings were played in, for explanations and the error log.

A recording scores without its house; only rooms, surfaces and names need it.
"""

from __future__ import annotations

from pathlib import Path

from episodes.evaluation import Surroundings, surroundings_of
from episodes.houses.files import HouseError, read_catalogue, read_scene
from episodes.names import name_things
from episodes.scene import Catalogue, Scene
from server.recording.log_records import Header


class OtherHouseError(Exception):
    """A house of the same name as the one that was played in, and not the same house."""

    def __init__(self, scene_id: str) -> None:
        super().__init__(f"{scene_id} is another house than the one that was played in")


def played_house(header: Header, data_dir: Path) -> tuple[Scene, Catalogue]:
    """Read the house that an episode was played in.

    Raises HouseError where it is not here, OtherHouseError where it was built anew since.
    """
    scene = read_scene(data_dir, header.task.scene_id)
    if scene.digest != header.scene_digest:
        raise OtherHouseError(scene.scene_id)
    return scene, read_catalogue(data_dir)


def known_surroundings(header: Header, houses: RecordedHouses | None) -> Surroundings | None:
    """Return what explanations need of an episode's scene, as far as it is known.

    From its header if it has it, else from the house, if it is here and has not been built anew
    since; else None.
    """
    if header.surroundings is not None:
        return header.surroundings
    return None if houses is None else houses.surroundings(header)


class RecordedHouses:
    """The houses of a data directory; each is read at most once."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._catalogue: Catalogue | None = None
        self._scenes: dict[str, Scene | None] = {}

    def surroundings(self, header: Header) -> Surroundings | None:
        """Return the surroundings in the house of an episode.

        None if the house is not here, or is another one by now.
        """
        scene = self._scene(header.task.scene_id)
        if scene is None or self._catalogue is None:
            return None
        if header.scene_digest != scene.digest:
            return None
        objects = list(header.task.name_to_receptacle)
        names = name_things(scene, self._catalogue, objects, header.spec.labels)
        return surroundings_of(scene, self._catalogue, names.labels)

    def _scene(self, scene_id: str) -> Scene | None:
        if scene_id not in self._scenes:
            try:
                if self._catalogue is None:
                    self._catalogue = read_catalogue(self._data_dir)
                self._scenes[scene_id] = read_scene(self._data_dir, scene_id)
            except (HouseError, OSError):
                self._scenes[scene_id] = None
        return self._scenes[scene_id]
