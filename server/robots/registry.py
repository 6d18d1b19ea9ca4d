"""Which policies there are, by the name that settings, specs and trials use, and how a player is
made of one. What a policy needs is imported when it is made: a worker that plays none loads none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from server.robots.models.client import Completes
from server.robots.thinking import Thinker
from server.sessions.unpaced import Player


class RobotError(Exception):
    """A policy that is not there, or that lacks something: says what."""


@dataclass(frozen=True)
class Making:
    """What players are made with."""

    thinker: Thinker
    model: Completes | None = None
    seed: int = 0


class Entry(NamedTuple):
    """A policy. ``title`` and ``words`` are for people who choose one."""

    name: str
    title: str
    words: str
    make: Callable[[str, Making], Player]
    needs_model: bool = True
    privileged: bool = False
    """It reads the goal: no partner, but a yardstick."""
    offered: bool = True
    """Whether open play offers it."""


def _expert(seat: str, making: Making) -> Player:
    from server.robots.expert import Expert

    return Expert(seat, seed=making.seed)


def _random(seat: str, making: Making) -> Player:
    from server.robots.player import PolicyPlayer
    from server.robots.policies.random_moves import RandomMoves

    return PolicyPlayer(seat, RandomMoves(making.seed), making.thinker)


def _cohab(seat: str, making: Making) -> Player:
    from server.robots.player import PolicyPlayer
    from server.robots.policies.cohab.policy import Cohab

    return PolicyPlayer(seat, Cohab(model_of(making, "cohab")), making.thinker)


def model_of(making: Making, name: str) -> Completes:
    """The model server. Raises RobotError where none is set."""
    if making.model is None:
        raise RobotError(f"{name} needs a model server: set COHABIT_MODEL_URL")
    return making.model


_ENTRIES = (
    Entry(
        "cohab",
        "Cohab",
        "Reads the task, asks when it is unsure, and plans by itself.",
        _cohab,
    ),
    Entry(
        "expert",
        "Scripted expert",
        "No language model: a script that knows the goal. It does its part and does not talk.",
        _expert,
        needs_model=False,
        privileged=True,
    ),
    Entry("random", "Random", "Carries things about.", _random, needs_model=False, offered=False),
)
POLICIES: dict[str, Entry] = {entry.name: entry for entry in _ENTRIES}


def entry_of(name: str) -> Entry:
    """Raises RobotError, listing what there is."""
    try:
        return POLICIES[name]
    except KeyError:
        known = ", ".join(sorted(POLICIES))
        raise RobotError(f"no policy {name!r}; there are: {known}") from None


def make_player(name: str, seat: str, making: Making) -> Player:
    """A player for one episode. Raises RobotError."""
    return entry_of(name).make(seat, making)
