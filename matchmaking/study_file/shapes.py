"""Shapes of a study file: what is written shorter in a file than in the value.

A text in one language is written alone, a team by its short name, and instruments by their names.
What all conditions have in common in their treatment is written once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import msgspec
from msgspec import inspect as types

from episodes.teams import Team
from matchmaking.study.pages import Survey
from matchmaking.study.study import Study
from matchmaking.study.treatment import Treatment

NOT_WRITTEN: Mapping[type, tuple[str, ...]] = {Study: ("menu",)}
"""Fields of the value that a file does not have: a menu of teams is open play's."""

_PLAIN_KEYS = types.DictType(types.StrType(), types.StrType())
_NAMES = types.VarTupleType(types.StrType())


class Key(NamedTuple):
    """A key of a mapping in a file."""

    type: types.Type
    is_required: bool = False
    default: Any = msgspec.NODEFAULT
    """Value of a key that is not written, where it is a plain one."""


def is_text(of: types.Type) -> TypeGuard[types.Metadata]:
    """Tell whether a type is a text by language."""
    return isinstance(of, types.Metadata) and bool((of.extra or {}).get("is_text"))


def is_team(of: types.Type) -> bool:
    """Tell whether a type is a team."""
    return isinstance(of, types.StructType) and of.cls is Team


def keys_of(of: types.StructType) -> dict[str, Key]:
    """Return the keys that a struct has in a file."""
    left_out = NOT_WRITTEN.get(of.cls, ())
    keys = {
        field.encode_name: Key(field.type, field.required, field.default)
        for field in of.fields
        if field.encode_name not in left_out
    }
    if of.cls is Survey:
        # A survey may consist of instruments alone.
        keys["questions"] = Key(keys["questions"].type)
        keys["instruments"] = Key(_NAMES)
    if of.cls is Study:
        # Without a recruiter it would be open play, which has no file.
        keys["recruiter"] = Key(keys["recruiter"].type, is_required=True)
        keys["treatment"] = Key(types.type_info(Treatment))
    return keys


def struct_by_tag(of: Sequence[types.Type]) -> Mapping[str, types.StructType]:
    """Return the structs of a union by their tags; empty where there are none."""
    return {
        str(member.tag): member
        for member in of
        if isinstance(member, types.StructType) and member.tag is not None
    }


def is_survey(of: types.StructType) -> bool:
    """Tell whether a struct is a survey."""
    return of.cls is Survey


def is_survey_instruments(owner: type, name: str) -> bool:
    """Tell whether a key is that of the instruments of a survey."""
    return owner is Survey and name == "instruments"
