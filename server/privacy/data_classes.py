"""Classes of the data that are kept: what a field tells of a person, why, how long, for whom.

Each field of each place stands in one of the tables beside this module, and a test compares them
with the code. `docs/privacy.md` is written from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class DataClass(StrEnum):
    """Class of a field, from what tells nothing about anybody to what may tell anything."""

    NONE = "none"
    """Data that tell nothing about a person."""
    TECHNICAL = "technical"
    """Data of how a page, a connection or a program ran, or when."""
    PSEUDONYMOUS = "pseudonymous"
    """Random ids of people, and what these people did."""
    PERSONAL = "personal"
    """Data that tell who somebody is outside of Cohabit."""
    FREE_TEXT = "free text"
    """Words of somebody's own, which may tell anything."""


class Seen(StrEnum):
    """Readers of data, beside whoever has the server's machine."""

    NOBODY = "nobody"
    THE_BROWSER = "their browser"
    OPERATORS = "operators"
    RESEARCHERS = "researchers"
    PAYERS = "who pays"
    GROUP = "the others in the session, operators, researchers"
    MODEL = "researchers; the model server reads what its robot sees and hears"


class Holding(NamedTuple):
    """Data that are held in one place (a table, a record, a cookie), with the class of each field.

    ``how_long`` is in words, and names a setting where that decides.
    """

    place: str
    why: str
    how_long: str
    seen_by: str
    fields: Mapping[str, DataClass]


def holding(
    place: str,
    why: str,
    how_long: str,
    seen_by: str,
    *,
    none: str = "",
    technical: str = "",
    pseudonymous: str = "",
    personal: str = "",
    free_text: str = "",
) -> Holding:
    """Return what a place holds; names of fields of a class stand with spaces between them.

    Raises ValueError for a field that is named twice.
    """
    named = {
        DataClass.NONE: none,
        DataClass.TECHNICAL: technical,
        DataClass.PSEUDONYMOUS: pseudonymous,
        DataClass.PERSONAL: personal,
        DataClass.FREE_TEXT: free_text,
    }
    fields: dict[str, DataClass] = {}
    for its_class, names in named.items():
        for name in names.split():
            if name in fields:
                raise ValueError(f"{place} names {name} twice")
            fields[name] = its_class
    return Holding(place, why, how_long, seen_by, fields)


def classes_of(holdings: tuple[Holding, ...]) -> dict[tuple[str, str], DataClass]:
    """Return the class of each field, by its place and name. Raises ValueError for two."""
    found: dict[tuple[str, str], DataClass] = {}
    for held in holdings:
        for name, its_class in held.fields.items():
            if (held.place, name) in found:
                raise ValueError(f"{held.place}.{name} is classed twice")
            found[held.place, name] = its_class
    return found
