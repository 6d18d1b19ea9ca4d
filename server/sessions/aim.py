"""Aim of a body that a program moves: what it is about to do, with what, where to and why."""

from __future__ import annotations

from typing import Literal

import msgspec

AimVerb = Literal[
    "go", "pick", "place", "open", "close", "clean", "fill", "power", "look", "wait", "think"
]  # fmt: skip


class Aim(msgspec.Struct, frozen=True, array_like=True):
    """An act that a body is about to do, for those who see it.

    ``target`` is the handle of the thing that it is about; ``place`` the furniture's handle or
    room's id where it goes now. Either may be empty.
    """

    verb: AimVerb
    text: str
    """The act in words: ``taking the red book to the coffee table``."""
    target: str = ""
    place: str = ""
    why: str = ""
    """The reason, as a clause: ``it belongs there``."""
