"""Tests for a running call that is of no use any more, from what has come to light.

No model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from server.robots.policy import PolicyView

FETCHING = ("Navigate", "Pick", "Rearrange")


def is_taken(view: PolicyView) -> bool:
    """Tell whether somebody else holds what the running call goes for."""
    if view.doing is None or view.doing.name not in FETCHING:
        return False
    key = view.graph.find(view.doing.thing)
    known = view.graph.objects.get(key) if key is not None else None
    return known is not None and known.place.kind == "agent" and known.place.key != view.seat


def is_found(view: PolicyView, before: Collection[str], subtasks: Iterable[str]) -> bool:
    """Tell whether a subtask names a thing, or its kind, that was not known before.

    ``before`` holds the handles that were known.
    """
    names = [
        view.graph.names.graph[handle] for handle in view.graph.objects if handle not in before
    ]
    kinds = (name.rpartition("_")[0].replace("_", " ") for name in names)
    words = [re.escape(word) for word in (*names, *kinds)]
    if not words:
        return False
    named = re.compile(rf"\b({'|'.join(words)})(s|es)?\b", re.I)
    return any(named.search(subtask) for subtask in subtasks)
