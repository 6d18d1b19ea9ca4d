"""Models and adapters that the options of policies name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from server.robots.registry.registry import lookup


def models_of(name: str) -> Iterator[str]:
    """Yield the models and adapters that the options of a policy's whole name ask for.

    None: it asks for the one of the server's setting. Raises RobotError as `lookup` does.
    """
    return _named(msgspec.to_builtins(lookup(name).setup.settings))


def _named(options: Any) -> Iterator[str]:
    if not isinstance(options, dict):
        return
    for key, value in options.items():
        if key == "models" and isinstance(value, dict):
            yield from filter(None, value.values())
        elif key == "model" and value:
            yield value
        else:
            yield from _named(value)
