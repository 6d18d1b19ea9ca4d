"""Policies in files outside of this package.

They are named by their path: ``my_policies/fetch.py``, or ``fetch.py:FetchEverything`` where a file
has several.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import re
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from episodes.teams import MOST_BODIES
from server.robots.playing.seat_options import SeatOptions
from server.robots.policy import Policy
from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, RobotError, SeatSetup

_NAME = re.compile(r"(?P<path>.+\.py)(?::(?P<chosen>\w+))?")
_GIVEN = ("model", "seed")
"""The parameters that a class may want to be built with."""


def is_file(name: str) -> bool:
    """Tell whether a whole name names a file."""
    return _NAME.fullmatch(name) is not None


def spec_in_file(name: str) -> PolicySpec[Any, Policy]:
    """Declare the policy of a file: its one class with ``decide``, or the one that is named.

    Raises RobotError: there is no such file, what goes wrong in it, or what its class lacks.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise RobotError(f"expected FILE.py or FILE.py:CLASS, got {name!r}")
    path, chosen = Path(found["path"]), found["chosen"]
    classes = _policies(_module(path.absolute()))
    if chosen is not None:
        classes = {n: c for n, c in classes.items() if n == chosen}
    if len(classes) != 1:
        wanted = f"a class {chosen}" if chosen else "one class"
        there = ", ".join(classes) or "none"
        also = "" if chosen or not classes else f"; name one: {path}:{next(iter(classes))}"
        raise RobotError(f"{path}: expected {wanted} with `async def decide`, got {there}{also}")
    (policy,) = classes.values()
    wants = _wants(path, policy)
    with_hooks = _with_hooks(path, policy)

    def build(_: None, setup: SeatSetup) -> Policy:
        try:
            return with_hooks(**{wanted: getattr(setup.options, wanted) for wanted in wants})
        except (Exception, SystemExit) as error:
            raise RobotError(f"{setup.name}: {type(error).__name__}: {error}") from error

    return PolicySpec(
        name=name,
        title=str(getattr(policy, "title", policy.__name__)),
        description=(inspect.getdoc(policy) or "").partition("\n\n")[0].replace("\n", " "),
        build=build,
        presets={DEFAULT: Preset(settings=None, seating=_seating(path, policy))},
        most_bodies=int(getattr(policy, "most_bodies", MOST_BODIES)),
        needs_model="model" in wants,
    )


def _with_hooks(path: Path, policy: type[Any]) -> type[Policy]:
    """Return a file's class, with the hooks that do nothing where it does not inherit `Policy`.

    Raises RobotError for a class that cannot have a second base.
    """
    if issubclass(policy, Policy):
        return policy
    try:
        return type(policy.__name__, (policy, Policy), {"__module__": policy.__module__})
    except TypeError as error:
        raise RobotError(
            f"{path}: {policy.__name__} has to inherit server.robots.policy.Policy: {error}"
        ) from error


@lru_cache
def _module(path: Path) -> ModuleType:
    """Load a file's module, once per process, under a name that no other file's has."""
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
    name = f"cohabit_policy_{path.stem}_{digest}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise RobotError(f"{path}: there is no such file")
    module = importlib.util.module_from_spec(spec)
    # Data classes look their module up.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise RobotError(f"{path}: {type(error).__name__}: {error}") from error
    return module


def _policies(module: ModuleType) -> dict[str, type[Any]]:
    return {
        name: value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and value.__module__ == module.__name__
        and inspect.iscoroutinefunction(getattr(value, "decide", None))
    }


def _wants(path: Path, policy: type[Any]) -> list[str]:
    """Return what a class is to be built with."""
    parameters = [
        p
        for p in inspect.signature(policy).parameters.values()
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    unknown = [p.name for p in parameters if p.name not in _GIVEN and p.default is p.empty]
    if unknown:
        raise RobotError(
            f"{path}: {policy.__name__} wants {', '.join(unknown)}; policies are made with "
            f"{' and '.join(_GIVEN)}, by name, or with nothing"
        )
    return [p.name for p in parameters if p.name in _GIVEN]


def _seating(path: Path, policy: type[Any]) -> SeatOptions:
    seating = getattr(policy, "seating", None)
    if seating is None:
        return SeatOptions()
    if not isinstance(seating, SeatOptions):
        raise RobotError(
            f"{path}: expected {policy.__name__}.seating to be a SeatOptions "
            f"(server.robots.playing.seat_options), got {seating!r}"
        )
    return seating
