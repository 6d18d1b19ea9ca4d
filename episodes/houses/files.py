"""Files of catalogues, houses and tasks below a data directory.

    catalogue/catalogue.json        all templates
    catalogue/<template>.glb        one asset each
    houses/<scene_id>/scene.json    a scene
    houses/<scene_id>/stage.glb     its stage
    tasks/<name>.json.gz            tasks in PARTNR's format

Every file is written beside its place and renamed, so that a reader never sees half of one.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

import msgspec

from episodes.bounded_files import UnreadableError, read_json
from episodes.catalogue import VERSION as CATALOGUE_VERSION
from episodes.catalogue import asset
from episodes.dataset import Task, write_dataset
from episodes.houses.generator import FORMAT, GENERATOR, House, generate_house, scene_id_of
from episodes.houses.stage import stage_model
from episodes.scene import Catalogue, Scene

REBUILD = "cohabit houses build"
_AT = re.compile(r" - at `\$(?P<path>.*)`$")
_SCENE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")

T = TypeVar("T")


class HouseError(Exception):
    """A file of a catalogue or house that cannot be used: where, why, and what rebuilds it."""

    def __init__(self, file: Path, reason: str, path: str = "") -> None:
        self.file = file
        self.path = path
        where = f"{file}" + (f" at {path}" if path else "")
        super().__init__(f"{where}: {reason}; `{REBUILD}` makes it anew")


class _CatalogueFile(msgspec.Struct):
    format: int
    generator: int
    catalogue: Catalogue


class _CatalogueDigest(msgspec.Struct):
    digest: str


class _CatalogueStamp(msgspec.Struct):
    """The part of the catalogue's file that says which catalogue it is."""

    catalogue: _CatalogueDigest


class _SceneFile(msgspec.Struct):
    format: int
    generator: int
    catalogue_digest: str
    scene: Scene


def write_bytes(file: Path, data: bytes) -> None:
    """Write a file so that it is either the old one or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, 0o644)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise


def _read(file: Path, as_type: type[T]) -> T:
    try:
        return read_json(file, as_type)
    except FileNotFoundError:
        raise HouseError(file, "there is no such file") from None
    except UnreadableError as error:
        found = _AT.search(error.reason)
        raise HouseError(file, _AT.sub("", error.reason), found["path"] if found else "") from None


def _expect_below(file: Path, path: str, asset: str) -> None:
    """Check that a file is named below the data directory. Raises HouseError."""
    parts = PurePosixPath(asset).parts
    if not parts or ".." in parts or PurePosixPath(asset).is_absolute() or "\0" in asset:
        raise HouseError(file, f"expected a path below the data directory, got {asset!r}", path)


def _expect(file: Path, path: str, expected: object, got: object) -> None:
    if expected != got:
        raise HouseError(file, f"expected {expected!r}, got {got!r}", path)


def catalogue_file(data: Path) -> Path:
    return data / "catalogue" / "catalogue.json"


def scene_file(data: Path, scene_id: str) -> Path:
    return data / "houses" / scene_id / "scene.json"


def digest_of(templates: object) -> str:
    """Return the digest that a catalogue with these templates has."""
    return hashlib.sha256(msgspec.json.encode(templates)).hexdigest()


def read_catalogue(data: Path) -> Catalogue:
    """Read the catalogue below a data directory. Raises HouseError."""
    file = catalogue_file(data)
    stored = _read(file, _CatalogueFile)
    _expect(file, ".format", FORMAT, stored.format)
    _expect(file, ".generator", CATALOGUE_VERSION, stored.generator)
    _expect(
        file, ".catalogue.digest", digest_of(stored.catalogue.templates), stored.catalogue.digest
    )
    for name, template in stored.catalogue.templates.items():
        if template.asset:
            _expect_below(file, f".catalogue.templates.{name}.asset", template.asset)
    return stored.catalogue


def read_scene(data: Path, scene_id: str) -> Scene:
    """Read a house below a data directory. Raises HouseError."""
    file = scene_file(data, scene_id)
    if not _SCENE_ID.fullmatch(scene_id):
        raise HouseError(file, f"expected a scene id, got {scene_id!r}")
    stored = _read(file, _SceneFile)
    _expect(file, ".format", FORMAT, stored.format)
    _expect(file, ".generator", GENERATOR, stored.generator)
    _expect(file, ".scene.scene_id", scene_id, stored.scene.scene_id)
    _expect_below(file, ".scene.stage_asset", stored.scene.stage_asset)
    if catalogue_file(data).is_file():
        # A house of another catalogue may lack templates, or have furniture that has grown since.
        stamp = _read(catalogue_file(data), _CatalogueStamp)
        _expect(file, ".catalogue_digest", stamp.catalogue.digest, stored.catalogue_digest)
    return stored.scene


def list_scenes(data: Path) -> list[str]:
    """Return the scene ids of the houses below a data directory, sorted."""
    return sorted(p.parent.name for p in (data / "houses").glob("*/scene.json"))


def write_catalogue(data: Path, catalogue: Catalogue) -> None:
    """Write the catalogue's JSON; see `write_asset` for its shapes."""
    stored = _CatalogueFile(FORMAT, CATALOGUE_VERSION, catalogue)
    write_bytes(catalogue_file(data), msgspec.json.encode(stored))


def write_asset(data: Path, catalogue: Catalogue, template: str) -> None:
    write_bytes(data / catalogue.templates[template].asset, asset(template))


def write_house(data: Path, house: House, catalogue: Catalogue) -> None:
    """Write the stage, then the scene: a scene that is there has its stage."""
    write_bytes(data / house.scene.stage_asset, stage_model(house, catalogue).glb())
    stored = _SceneFile(FORMAT, GENERATOR, catalogue.digest, house.scene)
    write_bytes(scene_file(data, house.scene.scene_id), msgspec.json.encode(stored))


def catalogue_is_current(data: Path, catalogue: Catalogue) -> bool:
    """Tell whether the disk has this catalogue, complete, from this generator."""
    try:
        stored = read_catalogue(data)
    except HouseError:
        return False
    there = all((data / t.asset).is_file() for t in catalogue.templates.values())
    return stored.digest == catalogue.digest and there


def house_is_current(data: Path, seed: int, catalogue: Catalogue) -> bool:
    """Tell whether the disk has a seed's house, by this generator with this catalogue."""
    file = scene_file(data, scene_id_of(seed))
    try:
        stored = _read(file, _SceneFile)
    except HouseError:
        return False
    current = (FORMAT, GENERATOR, catalogue.digest)
    made = (stored.format, stored.generator, stored.catalogue_digest)
    return made == current and (data / stored.scene.stage_asset).is_file()


def build_house(data: Path, seed: int, catalogue: Catalogue) -> bool:
    """Write the house of a seed unless it is there already; return whether it was written.

    Raises GenerationError when the seed gives no valid house.
    """
    if house_is_current(data, seed, catalogue):
        return False
    write_house(data, generate_house(seed, catalogue), catalogue)
    return True


def tasks_file(data: Path, name: str = "first") -> Path:
    return data / "tasks" / f"{name}.json.gz"


def write_tasks(data: Path, tasks: Sequence[Task], name: str = "first") -> Path:
    """Write tasks in PARTNR's format; return the file."""
    file = tasks_file(data, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_dataset(file, tasks)
    return file
