"""Random instances of a JSON schema, for the few keywords that our schemas have."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Mapping
from typing import Any


def instance(schema: Mapping[str, Any], rng: random.Random) -> Any:
    """Draw an instance that the schema allows; optional members are there or not."""
    if "anyOf" in schema:
        return instance(rng.choice(schema["anyOf"]), rng)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema["type"]:
        case "object":
            required = set(schema["required"])
            return {
                key: instance(inner, rng)
                for key, inner in schema["properties"].items()
                if key in required or rng.random() < 0.4
            }
        case "array":
            least = schema.get("minItems", 0)
            count = rng.randint(least, min(schema["maxItems"], least + 4))
            return [instance(schema["items"], rng) for _ in range(count)]
        case "integer":
            return rng.randint(schema["minimum"], schema["maximum"])
        case "boolean":
            return rng.random() < 0.5
        case "string":
            return _text(schema, rng)
    raise AssertionError(f"a keyword that is not drawn here: {schema}")


def _text(schema: Mapping[str, Any], rng: random.Random) -> str:
    pattern = schema.get("pattern", "")
    letters = string.ascii_lowercase
    while True:
        length = rng.randint(0, min(schema.get("maxLength", 12), 12))
        text = "".join(
            rng.choice(letters + "_3" + ("" if pattern else ' "\\é')) for _ in range(length)
        )
        if not pattern or re.search(pattern, text):
            return text
