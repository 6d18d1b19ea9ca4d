"""Skill calls in tests, from their text."""

from __future__ import annotations

from server.skills.call import Call, parse


def as_call(text: str) -> Call:
    """Parse a call of a person's, whose skills are all there are."""
    return parse(text, "human")
