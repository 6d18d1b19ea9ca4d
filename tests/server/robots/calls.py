"""Calls of skills in tests, as they are written."""

from __future__ import annotations

from server.skills.call import Call, parse


def as_call(text: str) -> Call:
    """A person's skills are all there are."""
    return parse(text, "human")
