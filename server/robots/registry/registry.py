"""Which policies there are, by the name that settings, specs and trials use, and how a player is
made of one. What a policy needs is imported when it is made: a worker that plays none loads none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from server.robots.registry import policy_files
from server.robots.registry.entry import PlayerOptions, PolicyEntry, RobotError
from server.sessions.player import Player


def _expert(text: str, seat: str, making: PlayerOptions) -> Player:
    from server.robots.baselines.expert import Expert

    return Expert(seat, seed=making.seed)


def _random(text: str, seat: str, making: PlayerOptions) -> Player:
    from server.robots.baselines.random_moves import RandomMoves
    from server.robots.playing.policy_player import PolicyPlayer

    return PolicyPlayer(seat, RandomMoves(making.seed), making.thinker)


def _configured(text: str, seat: str, making: PlayerOptions) -> Player:
    from server.robots.registry.builder import cast_player

    try:
        return cast_player(text, seat, making.thinker, making.model, making.company, making.seed)
    except ValueError as error:
        raise RobotError(str(error)) from error


_ENTRIES = (
    PolicyEntry(
        "cohab",
        "Cohab",
        "Reads the task, asks when it is unsure, and plans by itself.",
        _configured,
    ),
    PolicyEntry(
        "expert",
        "Scripted expert",
        "No language model: a script that knows the goal. It does its part and does not talk.",
        _expert,
        needs_model=False,
        privileged=True,
    ),
    PolicyEntry(
        "helper",
        "HELPER-X",
        "Writes a small program for the whole task, after examples, and repairs what fails.",
        _configured,
    ),
    PolicyEntry(
        "llamar",
        "LLaMAR",
        "Keeps a list of subtasks: one part plans, one acts, one corrects, one checks.",
        _configured,
    ),
    PolicyEntry(
        "llamar-oracle",
        "LLaMAR with an oracle",
        "Is told by the evaluator what is done, in place of a part that checks.",
        _configured,
        privileged=True,
        offered=False,
    ),
    PolicyEntry("react", "ReAct", "Decides each move with a language model.", _configured),
    PolicyEntry("react-rag", "ReAct with examples", "", _configured, offered=False),
    PolicyEntry("finetuned", "Finetuned", "", _configured, offered=False),
    PolicyEntry(
        "ghost", "Ghost", "", _configured, needs_model=False, privileged=True, offered=False
    ),
    PolicyEntry(
        "scripted",
        "Scripted person",
        "",
        _configured,
        needs_model=False,
        privileged=True,
        offered=False,
    ),
    PolicyEntry(
        "random", "Random", "Carries things about.", _random, needs_model=False, offered=False
    ),
)
POLICIES: dict[str, PolicyEntry] = {entry.name: entry for entry in _ENTRIES}


def entry_of(name: str) -> PolicyEntry:
    """Of a whole name: of what stands before its colon, or of a file (`own`).

    Raises RobotError: there is no such policy, or it has no such configuration or option.
    """
    if policy_files.is_file(name):
        return policy_files.entry_in_file(name)
    policy, colon, _ = name.partition(":")
    if policy not in POLICIES:
        known = ", ".join(sorted(POLICIES))
        raise RobotError(f"no policy {policy!r}; there are: {known}, or a file: my_policy.py")
    if colon:
        from server.robots.registry.presets import PresetError, configured

        try:
            configured(name)
        except PresetError as error:
            raise RobotError(str(error)) from error
    return POLICIES[policy]


def make_player(name: str, seat: str, making: PlayerOptions) -> Player:
    """A player for one episode. Raises RobotError."""
    return entry_of(name).make(name, seat, making)


def plays_both(name: str) -> bool:
    """Whether a policy is one mind for both seats of a home: it plays in both or in none.

    Raises RobotError for a name that means nothing.
    """
    if entry_of(name).make is not _configured:
        return False
    from server.robots.registry.presets import configured

    return getattr(configured(name).setup.settings, "arrangement", "") == "centralised"


def check_pair(robot: str, human: str) -> None:
    """Whether two policies can play together, by their whole names; an empty seat has none.

    Raises RobotError.
    """
    for name, other in ((robot, human), (human, robot)):
        if name and name != other and plays_both(name):
            beside = f"beside {other}" if other else "alone"
            raise RobotError(f"{name} is one mind for both seats: it does not play {beside}")


class PlayersByName(Mapping[str, Callable[[str, dict[str, Any]], Player]]):
    """What makes players, by their whole names: those of `POLICIES` with any configuration."""

    def __init__(self, make: Callable[[str, str, dict[str, Any]], Player]) -> None:
        """``make`` is given a whole name, a seat, and what the players of an episode share."""
        self._make = make

    def __getitem__(self, name: str) -> Callable[[str, dict[str, Any]], Player]:
        try:
            entry_of(name)
        except RobotError as error:
            raise KeyError(str(error)) from error
        return partial(self._make, name)

    def __iter__(self) -> Iterator[str]:
        return iter(POLICIES)

    def __len__(self) -> int:
        return len(POLICIES)
