"""What a policy is to those who choose one and make players of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from server.robots.models.client import Completes
from server.robots.playing.thinkers import Thinker
from server.sessions.player import Player


class RobotError(Exception):
    """A policy that is not there, or that lacks something: says what."""


@dataclass(frozen=True)
class PlayerOptions:
    """What players are made with."""

    thinker: Thinker
    model: Completes | None = None
    seed: int = 0
    company: dict[str, Any] = field(default_factory=dict)
    """What the players of one episode share: a model that plays both seats is in it."""


class PolicyEntry(NamedTuple):
    """A policy. ``title`` and ``words`` are for people who choose one."""

    name: str
    title: str
    words: str
    make: Callable[[str, str, PlayerOptions], Player]
    """From its whole name (``react:partnr-tools``), for a seat."""
    needs_model: bool = True
    privileged: bool = False
    """It reads the goal: no partner, but a yardstick."""
    offered: bool = True
    """Whether open play offers it."""
