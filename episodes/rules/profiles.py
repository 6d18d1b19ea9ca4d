"""Rule profiles: named, versioned tables of which precondition holds for which verb.

A profile is data: its digest stands in every log header and episode row, so that results under
different rules are never mixed up.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

import msgspec

from episodes.bodies import SeatKind
from episodes.rules.rule_view import Verb


class PitchLimits(NamedTuple):
    """Limits of how far a view looks down and up (rad)."""

    down: float
    up: float


class RuleProfile(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A set of rules.

    ``verbs`` lists the preconditions of each verb in the order in which they are checked: the
    first that fails is what the player reads.
    """

    name: str
    version: str
    reach_m: float
    faucet_m: float
    speed: dict[SeatKind, float]
    """Fastest walk (m/s)."""
    pitch: PitchLimits
    state_changers: tuple[SeatKind, ...]
    """Kinds of seats that can clean, fill, pour and switch."""
    upright: float
    """Least upward component of the normal of a surface to place on."""
    pouring_empties: bool
    """Whether what was poured from is empty afterwards."""
    features: tuple[str, ...]
    """Parts of the interface that players get, and quirks of skills."""
    verbs: dict[Verb, tuple[str, ...]]
    state_reach_m: float = 2.0
    """Distance from which the state of a thing can be changed, under ``within_state_reach`` (m)."""
    skills: RuleProfile | None = None
    """Rules that skills follow, where they are not those of people."""

    @property
    def for_skills(self) -> RuleProfile:
        return self if self.skills is None else self.skills

    @cached_property
    def digest(self) -> str:
        """Hash of the whole table."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()

    @property
    def exact_name(self) -> str:
        """Name and version, by which `profile_named` finds these very rules."""
        return f"{self.name}@{self.version}"

    def allows(self, feature: str) -> bool:
        return feature in self.features

    def without(self, features: Collection[str]) -> RuleProfile:
        """Return the same rules without some parts of the interface."""
        if not features:
            return self
        kept = tuple(feature for feature in self.features if feature not in features)
        return msgspec.structs.replace(self, features=kept)


_TOUCH = ("known", "not_with_partner", "not_shut_in", "within_reach", "in_sight")

COHABIT_1 = RuleProfile(
    name="cohabit",
    version="1",
    reach_m=2.0,
    faucet_m=1.5,
    speed={"human": 1.5, "robot": 1.5},
    pitch=PitchLimits(-1.4, 1.2),
    state_changers=("human",),
    upright=0.9,
    # As in PARTNR: its tasks are written for a jug that fills many cups, and cohabit's data sets
    # share them.
    pouring_empties=False,
    features=("chat", "map", "timer", "partner_status", "partner_view", "hints"),
    verbs={
        "pick": (
            "known",
            "movable",
            "not_in_hand",
            "not_with_partner",
            "hand_free",
            "not_shut_in",
            "within_reach",
            "in_sight",
            "nothing_on_it",
        ),
        "place": (
            "holding",
            "landed",
            "spot_in_reach",
            "spot_in_sight",
            "level",
            "on_surface",
            "container_open",
            "floor_walkable",
            "steady",
            "fits_height",
            "room_for_it",
        ),
        "open": ("known", "openable", "not_open", "within_reach", "in_sight", "way_clear_to_open"),
        "close": (
            "known",
            "openable",
            "not_closed",
            "within_reach",
            "in_sight",
            "way_clear_to_close",
        ),
        "clean": ("known", "can_be_clean", "changes_states", "not_clean", *_TOUCH[1:], "water"),
        "fill": ("known", "can_be_filled", "changes_states", "not_filled", *_TOUCH[1:], "water"),
        "pour": (
            "known",
            "can_be_filled",
            "changes_states",
            "pours_from_hand",
            "not_filled",
            *_TOUCH[1:],
        ),
        "power_on": ("known", "can_be_powered", "changes_states", "not_on", *_TOUCH[1:]),
        "power_off": ("known", "can_be_powered", "changes_states", "not_off", *_TOUCH[1:]),
    },
)

BODIES_BLOCK = "bodies_block"
"""The feature of profiles under which bodies do not pass through each other."""

COHABIT_2 = msgspec.structs.replace(
    COHABIT_1, version="2", features=(*COHABIT_1.features, BODIES_BLOCK)
)
"""The first version, but bodies block. Played where it is asked for by its exact name."""

_STATE_SKILL = ("changes_states", "not_with_partner", "within_state_reach", "in_sight")

PARTNR_SKILLS = RuleProfile(
    name="partnr-skills",
    version="1",
    reach_m=2.0,
    faucet_m=1.5,
    speed={"human": 2.5, "robot": 2.5},
    pitch=PitchLimits(-1.4, 1.2),
    state_changers=("human",),
    upright=0.9,
    pouring_empties=False,
    features=("place_whatever_is_held",),
    verbs={
        "pick": ("known", "movable", "not_in_hand", "not_with_partner", "hand_free",
                 "not_shut_in", "within_reach"),
        "place": ("holding", "landed", "spot_in_reach", "spot_in_sight", "level",
                  "on_receptacle", "floor_walkable"),
        "open": ("known", "openable", "within_reach", "in_sight"),
        "close": ("known", "openable", "within_reach", "in_sight"),
        "clean": ("known", "can_be_clean", "water", *_STATE_SKILL),
        "fill": ("known", "can_be_filled", "water", *_STATE_SKILL),
        "pour": ("known", "can_be_filled", "pours_from_hand", *_STATE_SKILL),
        "power_on": ("known", "can_be_powered", *_STATE_SKILL),
        "power_off": ("known", "can_be_powered", *_STATE_SKILL),
    },
    state_reach_m=1.5,
)  # fmt: skip
"""Checks of PARTNR's oracle skills.

They do not check occlusion for picking, nor whether a drawer is closed for placing; they open with
something in the hand, and change states from 1.5 m.
"""

PARTNR = RuleProfile(
    name="partnr",
    version="2",
    skills=PARTNR_SKILLS,
    reach_m=2.0,
    faucet_m=2.0,
    # Its lin_speed of 10 over a ctrl_freq of 120, at 30 steps a second.
    speed={"human": 2.5, "robot": 2.5},
    pitch=PitchLimits(math.radians(-60), math.radians(15)),
    state_changers=("human",),
    upright=0.9,
    pouring_empties=False,
    features=("partner_view", "hints"),
    verbs={
        "pick": (
            "known",
            "movable",
            "not_in_hand",
            "not_with_partner",
            "hand_free",
            "not_shut_in",
            "within_reach",
        ),
        "place": (
            "holding",
            "landed",
            "spot_in_reach",
            "level",
            "on_receptacle",
            "container_open",
            "floor_walkable",
        ),
        "open": ("known", "openable", "hands_empty", "not_open", "within_reach"),
        "close": ("known", "openable", "hands_empty", "not_closed", "within_reach"),
        "clean": ("known", "can_be_clean", "changes_states", "not_clean", *_TOUCH[1:], "water"),
        "fill": ("known", "can_be_filled", "changes_states", "not_filled", *_TOUCH[1:], "water"),
        "pour": (
            "known",
            "can_be_filled",
            "changes_states",
            "pours_from_hand",
            "not_filled",
            *_TOUCH[1:],
        ),
        "power_on": ("known", "can_be_powered", "changes_states", "not_on", *_TOUCH[1:]),
        "power_off": ("known", "can_be_powered", "changes_states", "not_off", *_TOUCH[1:]),
    },
)
"""Rules for people as in Habitat HITL's rearrange_v2.

They pick through walls within reach, and have no chat, map, timer or partner status. What lies in
closed furniture cannot be picked there either, because it cannot be pointed at.
"""

COHABIT = COHABIT_2
"""The version of ``cohabit`` that is played where none is named."""

PROFILES: dict[str, RuleProfile] = {p.name: p for p in (COHABIT, PARTNR)}
"""The profiles that are played, by name."""

_BY_EXACT_NAME = {p.exact_name: p for p in (COHABIT_1, COHABIT_2, PARTNR)}
_BEFORE_VERSIONS_WERE_NAMED = {"cohabit": "cohabit@1", "partnr": "partnr@2"}


def profile_named(name: str) -> RuleProfile:
    """Look up a profile: by name the one that is played now, by ``name@version`` that very one.

    Raises ValueError, listing the known ones, for an unknown name.
    """
    found = PROFILES.get(name) or _BY_EXACT_NAME.get(name)
    if found is None:
        known = ", ".join(sorted({*PROFILES, *_BY_EXACT_NAME}))
        raise ValueError(f"no rule profile {name!r}; there are: {known}")
    return found


def as_recorded(name: str) -> str:
    """Return the exact name of the rules that a stored session, episode or trial names.

    Those that name no version are older than the versions of today.
    """
    return _BEFORE_VERSIONS_WERE_NAMED.get(name, name)
