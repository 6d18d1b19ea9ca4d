"""Parser of the modules' answers.

The paper's own keys (``failure reason``, ``Bob's action``) are read like ours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from server.robots.grammar.json_objects import MOST_SUBTASKS, NONE, SUBTASK_CHARS

STOP = "}"
"""End of an answer: answers have no objects within objects."""
CALL_CHARS = 300
"""Longest call that is read: its names are those of things, however short thoughts are to be."""
_FENCE = re.compile(r"[\"\\]")


class AnswerError(ValueError):
    """Error for an answer that cannot be read: says what was expected and what came."""


Fields = Mapping[str, Any]


def read(text: str) -> Fields:
    """Return the members of an answer that was cut at `STOP`, by normalised key.

    Raises AnswerError.
    """
    _, brace, inner = text.partition("{")
    if not brace:
        raise AnswerError(f"expected a JSON object, got {text.strip()[:60]!r}")
    try:
        found = json.loads(f"{{{inner}{STOP}")
    except ValueError as error:
        raise AnswerError(f"this is no JSON object: {error}") from error
    return {_key(key): value for key, value in found.items()}


def _key(text: str) -> str:
    words = text.casefold().replace("'s ", " ").replace("_", " ").split()
    return " ".join(words)


def words_of(fields: Fields, *keys: str, most: int) -> str:
    """Return the text under the first of ``keys`` that is there, on one line; empty for "none".

    Raises AnswerError where it is no text.
    """
    value = _first(fields, keys)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise AnswerError(f"expected text under {keys[0]!r}, got {value!r}")
    text = " ".join(value.split())
    return "" if text.casefold().rstrip(".") == NONE else text[:most]


def subtasks_of(fields: Fields, *keys: str) -> tuple[str, ...]:
    """Return the list under the first of ``keys`` that is there.

    Raises AnswerError where none is there, or it is no list of texts.
    """
    value = _first(fields, keys)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise AnswerError(f"expected a list of texts under {keys[0]!r}, got {value!r}")
    cleaned = (_FENCE.sub("'", " ".join(item.split()))[:SUBTASK_CHARS] for item in value)
    return tuple(text for text in cleaned if text)[:MOST_SUBTASKS]


def _first(fields: Fields, keys: tuple[str, ...]) -> Any:
    return next((fields[key] for key in keys if key in fields), None)
