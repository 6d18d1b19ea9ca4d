"""Orders that somebody gave in the chat."""

from __future__ import annotations

from typing import NamedTuple

from server.robots.baselines.scripted_player import Step


class Order(NamedTuple):
    """Steps about a thing, and why. Then it is brought to ``to_seat``, where one is named."""

    thing: str
    steps: list[Step]
    why: str
    to_seat: str = ""
    is_short: bool = False
    """Whether it only comes over, with nothing to carry."""
    makes_way: bool = False
    """Whether it only goes out of the way."""
