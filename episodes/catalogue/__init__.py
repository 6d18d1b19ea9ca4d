"""The catalogue: furniture and object classes in several variants, their shapes and assets.

`catalogue` is the content for simulators and rules; `asset` makes the glTF binary of one
template. Both are made in memory and are the same for everyone: no seed enters here.
"""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec

from episodes.catalogue import (
    appliances,
    belongings,
    kitchenware,
    seating,
    storage,
    toys_and_clothes,
)
from episodes.catalogue.classes import (
    OBJECT_CLASSES,
    Home,
    ObjectClass,
    object_class,
    of_group,
    usual_in,
)
from episodes.catalogue.pieces import Piece
from episodes.scene import Catalogue, Template

__all__ = [
    "OBJECT_CLASSES",
    "VERSION",
    "Home",
    "ObjectClass",
    "asset",
    "catalogue",
    "class_names",
    "object_class",
    "of_group",
    "usual_in",
]

VERSION = 1
"""Raised when shapes change without their templates changing."""


@cache
def _pieces() -> dict[str, Piece]:
    modules = (storage, seating, appliances, kitchenware, belongings, toys_and_clothes)
    made = [piece for module in modules for piece in module.pieces()]
    by_name = {piece.name: piece for piece in made}
    assert len(by_name) == len(made), "two pieces share a name"
    return by_name


@cache
def catalogue() -> Catalogue:
    """All templates, with a digest of their content."""
    made = {name: piece.template() for name, piece in sorted(_pieces().items())}
    # Through JSON once, so that what is made here equals what is read from a file, digest included.
    templates = msgspec.json.decode(msgspec.json.encode(made), type=dict[str, Template])
    digest = hashlib.sha256(msgspec.json.encode(templates)).hexdigest()
    return Catalogue(templates, digest)


def asset(template: str) -> bytes:
    """The glTF binary of a template: the same bytes each time.

    Raises KeyError when there is no such template.
    """
    return _pieces()[template].model.glb()


def class_names(kind: str) -> list[str]:
    """The classes of ``object`` or ``furniture`` templates, sorted."""
    return sorted({t.class_name for t in catalogue().templates.values() if t.kind == kind})
