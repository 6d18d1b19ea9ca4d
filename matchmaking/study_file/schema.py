"""JSON Schema of study files, for editors that complete and check while one writes.

Made from the types of `Study` and the strings below their fields, so that it cannot differ from
what is read.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect as types

from matchmaking.study.instruments.registry import INSTRUMENTS
from matchmaking.study.pages import Survey
from matchmaking.study.study import Study
from matchmaking.study_file import shapes
from matchmaking.study_file.reading import STUDY_TYPE

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DOCS: dict[tuple[type, str], str] = {
    (Study, "treatment"): "Treatment that all conditions have in common.",
    (Survey, "instruments"): "Published questionnaires that are asked after the questions.",
}


def study_schema() -> dict[str, Any]:
    """Return the JSON Schema of a study file."""
    parts: dict[str, Any] = {}
    root = _schema(STUDY_TYPE, parts)
    return {
        "$schema": DIALECT,
        "title": "Cohabit study",
        **root,
        "$defs": dict(sorted(parts.items())),
    }


def _schema(of: types.Type, parts: dict[str, Any]) -> dict[str, Any]:
    if shapes.is_text(of):
        by_language = {"type": "object", "additionalProperties": {"type": "string"}}
        return {"anyOf": [{"type": "string"}, by_language]}
    if shapes.is_team(of):
        return {"type": "string"}
    match of:
        case types.Metadata():
            return _schema(of.type, parts)
        case types.StructType():
            return _reference(of, parts)
        case types.UnionType():
            return {"anyOf": [_member(member, of.types, parts) for member in of.types]}
        case types.DictType():
            return {"type": "object", "additionalProperties": _schema(of.value_type, parts)}
        case types.VarTupleType():
            return {"type": "array", "items": _schema(of.item_type, parts)}
        case types.TupleType():
            items = [_schema(item, parts) for item in of.item_types]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "items": False}
        case types.LiteralType():
            return {"enum": list(of.values)}
        case types.EnumType():
            return {"enum": [member.value for member in of.cls]}
        case types.StrType():
            # Numbers without quotes are read as texts, too: versions, task ids.
            return {"type": ["string", "number"]}
        case types.BoolType():
            return {"type": "boolean"}
        case types.IntType():
            return {"type": "integer"}
        case types.FloatType():
            return {"type": "number"}
        case types.NoneType():
            return {"type": "null"}
        case _:
            raise TypeError(f"no schema for {of}")


def _member(of: types.Type, among: Sequence[types.Type], parts: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a member of a union; where others have tags, too, it needs its own."""
    schema = _schema(of, parts)
    if isinstance(of, types.StructType) and len(shapes.struct_by_tag(among)) > 1:
        return {**schema, "required": [of.tag_field]}
    return schema


def _reference(of: types.StructType, parts: dict[str, Any]) -> dict[str, Any]:
    name = of.cls.__name__
    if name not in parts:
        parts[name] = {}
        parts[name] = _struct(of, parts)
    return {"$ref": f"#/$defs/{name}"}


def _struct(of: types.StructType, parts: dict[str, Any]) -> dict[str, Any]:
    keys = shapes.keys_of(of)
    properties = {name: _property(of.cls, name, key, parts) for name, key in keys.items()}
    required = [name for name, key in keys.items() if key.is_required]
    if of.tag_field is not None:
        properties = {of.tag_field: {"const": of.tag}, **properties}
    schema: dict[str, Any] = {
        "type": "object",
        "description": inspect.cleandoc(of.cls.__doc__ or "").split("\n\n")[0],
        "properties": properties,
        "additionalProperties": False,
    }
    return {**schema, "required": required} if required else schema


def _property(owner: type, name: str, key: shapes.Key, parts: dict[str, Any]) -> dict[str, Any]:
    schema = _schema(key.type, parts)
    if shapes.is_survey_instruments(owner, name):
        schema = {"type": "array", "items": {"enum": list(INSTRUMENTS)}}
    doc = _DOCS.get((owner, name)) or _docs(owner).get(name)
    if doc:
        schema = {**schema, "description": doc}
    if isinstance(key.default, bool | int | float | str) and key.default != "":
        schema = {**schema, "default": msgspec.to_builtins(key.default)}
    return schema


@cache
def _docs(owner: type) -> dict[str, str]:
    """Return the strings that stand below the fields of a class and of what it inherits from."""
    docs: dict[str, str] = {}
    for base in reversed(owner.__mro__):
        if not base.__module__.startswith("matchmaking"):
            continue
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(definition, ast.ClassDef), "the source of a class is a class"
        field = ""
        for part in definition.body:
            match part:
                case ast.AnnAssign(target=ast.Name(id=name)):
                    field = name
                case ast.Expr(value=ast.Constant(value=str(text))) if field:
                    docs[field] = " ".join(text.split())
                    field = ""
                case _:
                    field = ""
    return docs
