"""The catalogue: furniture and object classes in several variants, their shapes and assets.

`catalogue` is the content for simulators and rules; `asset` makes the glTF binary of one
template. Both are made in memory and are the same for everyone: no seed enters here.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import msgspec

from episodes.catalogue.table import (
    OBJECT_CLASSES,
    Home,
    ObjectClass,
    classes_of_group,
    classes_usual_in,
    object_class,
)
from episodes.scene import Catalogue, Template

if TYPE_CHECKING:
    from episodes.catalogue.mesh.pieces import Piece

__all__ = [
    "OBJECT_CLASSES",
    "VERSION",
    "Home",
    "ObjectClass",
    "asset",
    "catalogue",
    "class_names",
    "classes_of_group",
    "classes_usual_in",
    "colour_areas",
    "object_class",
]

VERSION = 2
"""Version of the shapes; raised when they change without their templates changing."""


_FURNITURE = (
    "storage",
    "seating",
    "appliances",
    "fixtures",
    "kitchen_units",
    "small_furniture",
)
_OBJECTS = (
    "kitchenware",
    "tableware",
    "cookware",
    "utensils",
    "groceries",
    "produce",
    "toiletries",
    "grooming",
    "cleaning_supplies",
    "paper",
    "stationery",
    "computer_equipment",
    "electronics",
    "living_room_objects",
    "decorations",
    "bedding_and_games",
    "clothes",
    "accessories",
    "tools",
    "sports",
    "toy_food_and_bricks",
    "toy_creatures",
    "toy_vehicles",
    "toy_furniture",
    "toy_figures",
    "toys_and_clothes",
)


@cache
def _pieces() -> dict[str, Piece]:
    # Shapes are imported only when something is built: a worker reads the table of classes alone.
    modules = (
        *(import_module(f"episodes.catalogue.furniture.{m}") for m in _FURNITURE),
        *(import_module(f"episodes.catalogue.objects.{m}") for m in _OBJECTS),
    )
    made: list[Piece] = [piece for module in modules for piece in module.pieces()]
    by_name = {piece.name: piece for piece in made}
    assert len(by_name) == len(made), "two pieces share a name"
    return by_name


@cache
def catalogue() -> Catalogue:
    """Return all templates, with a digest of their content."""
    made = {name: piece.template() for name, piece in sorted(_pieces().items())}
    # One pass through JSON makes this equal what is read from a file, digest included.
    templates = msgspec.json.decode(msgspec.json.encode(made), type=dict[str, Template])
    digest = hashlib.sha256(msgspec.json.encode(templates)).hexdigest()
    return Catalogue(templates, digest)


def asset(template: str) -> bytes:
    """Return the glTF binary of a template: the same bytes each time.

    Raises KeyError when there is no such template.
    """
    return _pieces()[template].glb()


def colour_areas(template: str) -> dict[str, float]:
    """Return how much of a template (m²) is drawn in each colour (``#rrggbb``), states left out.

    Raises KeyError when there is no such template.
    """
    return _pieces()[template].model.areas()


def class_names(kind: str) -> list[str]:
    """Return the classes of ``object`` or ``furniture`` templates, sorted."""
    return sorted({t.class_name for t in catalogue().templates.values() if t.kind == kind})
