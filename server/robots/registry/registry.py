"""The policies that exist, by the names that settings, specs and trials use.

A policy is one package with a `PolicySpec` and one entry in `_SPECS`. What a policy needs is
imported when one is built: a worker that plays none loads none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from episodes.seats import Seat
from server.robots.baselines.people.specs import PEOPLE
from server.robots.baselines.specs import EXPERT, GHOST, LLAMAR_ORACLE, RANDOM, SCRIPTED, TUTOR
from server.robots.policies.cohab.spec import COHAB
from server.robots.policies.finetuned.spec import FINETUNED
from server.robots.policies.helper.spec import HELPER
from server.robots.policies.llamar.spec import LLAMAR
from server.robots.policies.react.spec import REACT, REACT_RAG
from server.robots.policy_spec import DEFAULT, PlayerOptions, Preset, RobotError, SeatSetup
from server.robots.registry.policy_files import is_file, spec_in_file
from server.robots.registry.policy_names import AnySpec, Named, did_you_mean, preset_of
from server.robots.remote.spec import is_remote, remote_spec
from server.sessions.player import Player

_SPECS: tuple[AnySpec, ...] = (
    REACT,
    REACT_RAG,
    FINETUNED,
    COHAB,
    HELPER,
    LLAMAR,
    LLAMAR_ORACLE,
    GHOST,
    SCRIPTED,
    EXPERT,
    TUTOR,
    RANDOM,
    *PEOPLE,
)
POLICIES = {spec.name: spec for spec in _SPECS}
"""The policies of this package by their names; those of files have theirs from their paths."""


def configured(name: str) -> Named:
    """Look up the preset and the options of a whole name.

    Raises RobotError: the policy has no presets or does not exist, or has no such preset or option.
    """
    policy = name.partition(":")[0]
    known = [spec.name for spec in _SPECS if spec.presets]
    if policy not in known:
        raise RobotError(f"no policy {policy!r} with configurations; there are: {', '.join(known)}")
    return preset_of(POLICIES[policy], name)


def lookup(name: str) -> Named:
    """Look up a whole name: of a policy with or without presets, of a file, or of one elsewhere.

    Raises RobotError for a name that means nothing, and for what is wrong in a file.
    """
    if is_remote(name):
        remote = remote_spec(name)
        return Named(remote, DEFAULT, remote.presets[DEFAULT])
    if is_file(name):
        spec = spec_in_file(name)
        return Named(spec, DEFAULT, spec.presets[DEFAULT])
    policy, colon, _ = name.partition(":")
    if policy not in POLICIES:
        known = ", ".join(sorted(POLICIES))
        whole = [f"{spec.name}:{preset}" for spec in _SPECS for preset in spec.presets or ()]
        meant = did_you_mean(name, [*POLICIES, *whole]) or did_you_mean(policy, POLICIES)
        raise RobotError(
            f"no policy {policy!r}; {meant}there are: {known}, a file: my_policy.py, or remote:NAME"
        )
    if not colon and not POLICIES[policy].presets:
        return Named(POLICIES[policy], DEFAULT, Preset(settings=None))
    return configured(name)


def spec_of(name: str) -> AnySpec:
    """Look up the policy of a whole name. Raises RobotError as `lookup` does."""
    return lookup(name).spec


def make_player(name: str, seat: str, options: PlayerOptions) -> Player:
    """Build the player of one seat for one episode, by the whole name of its policy.

    Raises RobotError, also where what the name asks for is missing.
    """
    named = lookup(name)
    spec = named.spec
    if spec.needs_model and options.model is None:
        raise RobotError(f"{spec.name} needs a model server: set COHABIT_MODEL_URL")
    seating = named.setup.seating_of(Seat.of(seat).kind)
    settings = spec.seeded(named.setup.settings, options.seed)
    try:
        built = spec.build(settings, SeatSetup(name, seat, seating, options))
    except ValueError as error:
        raise RobotError(str(error)) from error
    if isinstance(built, Player):
        return built
    from server.robots.playing.policy_player import PolicyPlayer

    return PolicyPlayer(seat, built, options.thinker, seating)


def one_mind(name: str) -> bool:
    """Tell whether a policy is one mind for all bodies of a team: it plays all of them or none.

    Raises RobotError for a name that means nothing.
    """
    named = lookup(name)
    return named.spec.one_mind(named.setup.settings)


class PlayersByName(Mapping[str, Callable[[str, dict[str, Any]], Player]]):
    """Builders of players by the whole names of their policies, with any preset and options."""

    def __init__(self, make: Callable[[str, str, dict[str, Any]], Player]) -> None:
        """Take ``make``, given a full name, a seat and what the players of an episode share."""
        self._make = make

    def __getitem__(self, name: str) -> Callable[[str, dict[str, Any]], Player]:
        try:
            lookup(name)
        except RobotError as error:
            raise KeyError(str(error)) from error
        return partial(self._make, name)

    def __iter__(self) -> Iterator[str]:
        return iter(POLICIES)

    def __len__(self) -> int:
        return len(POLICIES)
