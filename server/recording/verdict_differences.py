"""The differences of two verdicts, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from episodes.evaluation import Verdict


class Difference(NamedTuple):
    """A difference; ``path`` is a field such as ``propositions[2].satisfied_tick``."""

    path: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.path}: {_short(self.before)} -> {_short(self.after)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Missing:
    def __repr__(self) -> str:
        return "(nothing)"


MISSING = _Missing()


def differences(
    before: Verdict, after: Verdict, *, ignore: frozenset[str] = frozenset()
) -> list[Difference]:
    """Return every field in which two verdicts differ, in order.

    ``ignore`` names top-level fields.
    """
    left, right = msgspec.to_builtins(before), msgspec.to_builtins(after)
    for name in ignore:
        left.pop(name, None)
        right.pop(name, None)
    return list(_walk("", left, right))


def _walk(path: str, a: Any, b: Any) -> Iterator[Difference]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(k for k in b if k not in a)]:
            below = f"{path}.{key}" if path else str(key)
            yield from _walk(below, a.get(key, MISSING), b.get(key, MISSING))
    elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
        for index in range(max(len(a), len(b))):
            x = a[index] if index < len(a) else MISSING
            y = b[index] if index < len(b) else MISSING
            yield from _walk(f"{path}[{index}]", x, y)
    elif a != b:
        yield Difference(path, a, b)
