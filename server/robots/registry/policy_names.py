"""Whole names of policies: a preset, perhaps with single options changed.

A policy is named as ``react``, ``react:partnr-decentralised`` or, with options,
``react:partnr-decentralised,observability=full,generation.temperature=0.3``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any

import msgspec

from server.robots.policy import Policy
from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, RobotError
from server.sessions.player import Player

AnySpec = PolicySpec[Any, Policy | Player]
"""A policy with settings of any type."""


class Named(msgspec.Struct, frozen=True):
    """A whole name taken apart: the policy, its preset, and the preset with the options changed."""

    spec: AnySpec
    configuration: str
    setup: Preset[Any]

    @property
    def policy(self) -> str:
        return self.spec.name


def preset_of(spec: AnySpec, text: str) -> Named:
    """Look up the preset and change the options that a whole name of this policy has.

    Raises RobotError for a preset or an option that the policy has not, with those that it has.
    """
    parts = [part.strip() for part in text.partition(":")[2].split(",") if part.strip()]
    name = parts.pop(0) if parts and "=" not in parts[0] else DEFAULT
    if name not in spec.presets:
        if name in _options(spec.presets[DEFAULT]):
            raise RobotError(
                f"{name!r} is an option of {spec.name}: write {spec.name}:{name}=VALUE"
            )
        meant = did_you_mean(name, spec.presets)
        raise RobotError(
            f"{spec.name} has no configuration {name!r}; {meant}there are: "
            f"{', '.join(spec.presets)}"
        )
    setup = spec.presets[name]
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise RobotError(f"expected option=value in {text!r}, got {part!r}")
        setup = _changed(setup, spec.name, key.strip(), value.strip())
    return Named(spec, name, setup)


def _changed(setup: Preset[Any], policy: str, key: str, value: str) -> Preset[Any]:
    """Return the preset with one option changed, of the policy or of how it sits in its seat."""
    for field in ("settings", "seating"):
        struct = getattr(setup, field)
        raw = msgspec.to_builtins(struct)
        *path, last = key.split(".")
        inner = raw
        for step in path:
            inner = inner.get(step) if isinstance(inner, dict) else None
        if not isinstance(inner, dict) or last not in inner:
            continue
        inner[last] = value.split("+") if isinstance(inner[last], list | tuple) else value
        try:
            changed = msgspec.convert(raw, type(struct), strict=False)
        except msgspec.ValidationError as error:
            raise RobotError(f"{policy}: {key}={value}: {error}") from error
        if not all(map(math.isfinite, _numbers(msgspec.to_builtins(changed)))):
            raise RobotError(f"{policy}: {key}={value}: expected a finite number")
        return msgspec.structs.replace(setup, **{field: changed})
    meant = did_you_mean(key, _options(setup))
    raise RobotError(
        f"{policy} has no option {key!r}; {meant}there are: {', '.join(_options(setup))}"
    )


def did_you_mean(written: str, known: Collection[str]) -> str:
    """Return a question after the known name nearest to a written one; empty: none is near."""
    near = get_close_matches(written, known, n=1, cutoff=0.75)
    return f"did you mean {near[0]!r}? " if near else ""


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _numbers(inner)
    elif isinstance(value, float):
        yield value


def _options(setup: Preset[Any]) -> list[str]:
    found = []
    for struct in (setup.settings, setup.seating):
        for name, value in msgspec.to_builtins(struct).items():
            found += [f"{name}.{inner}" for inner in value] if isinstance(value, dict) else [name]
    return found
