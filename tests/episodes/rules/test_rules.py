"""Rules: which precondition refuses, and in which words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from episodes.bodies import SeatKind
from episodes.poses import IDENTITY, Box, Pose, Vec3
from episodes.rules import (
    COHABIT,
    NOWHERE,
    PARTNR,
    Placement,
    RuleProfile,
    Verb,
    available,
    judge,
)
from episodes.scene import Affordance, Part, Receptacle, Template
from episodes.seats import Seat

ME, PARTNER = "human_0", "robot_0"
POSE = Pose((1.0, 0.8, 0.0), IDENTITY)
TABLE = Placement(POSE, "receptacle", "table|top", "table", 1.0, 1.2)


def _template(
    name: str, kind: Any, affords: Iterable[Affordance] = (), parts: int = 0, wet: bool = False
) -> Template:
    box = Box((-0.1, 0.0, -0.1), (0.1, 0.3, 0.1))
    joints = tuple(
        Part(i, f"door_{i}", "hinge", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 1.5) for i in range(parts)
    )
    return Template(
        name, name, kind, box, (), joints, affords=tuple(affords), cleaned_under_faucet=wet
    )


TEMPLATES = {
    "cup": _template("cup", "object", ("is_clean", "is_filled"), wet=True),
    "jug": _template("jug", "object", ("is_filled",)),
    "plate": _template("plate", "object", ("is_clean",), wet=True),
    "lamp": _template("lamp", "object", ("is_powered_on",)),
    "book": _template("book", "object"),
    "table": _template("table", "furniture", ("is_clean",)),
    "fridge": _template("fridge", "furniture", parts=2),
    "cabinet": msgspec.structs.replace(
        _template("cabinet", "furniture", parts=2),
        receptacles=(
            Receptacle("shelf", "within", (0.0, 0.1, 0.0), 0.1, 0.1, 0.2, part=0),
            Receptacle("drawer", "within", (0.0, 0.2, 0.0), 0.1, 0.1, 0.1, part=1, moves=True),
        ),
    ),
}


@dataclass
class World:
    """A world with all near, visible, closed, dirty, empty and off unless a test says otherwise."""

    kinds: dict[str, SeatKind] = field(default_factory=lambda: {ME: "human", PARTNER: "robot"})
    holding: dict[str, str] = field(default_factory=dict)
    far: dict[str, float] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    tap_m: float = 1.0
    shut: dict[str, str] = field(default_factory=dict)
    within: dict[str, str] = field(default_factory=dict)
    on_top: dict[str, str] = field(default_factory=dict)
    true: set[tuple[str, str]] = field(default_factory=set)
    share: dict[tuple[str, int], float] = field(default_factory=dict)
    blocked_by: str | None = None
    spot_m: float = 1.0
    spot_seen: bool = True
    spot_open: bool = True

    def seats(self) -> list[Seat]:
        return [Seat(seat, kind) for seat, kind in self.kinds.items()]

    def seat_kind(self, seat: str) -> SeatKind:
        return self.kinds[seat]

    def held(self, seat: str) -> str | None:
        return self.holding.get(seat)

    def holder(self, entity: str) -> str | None:
        return next((s for s, h in self.holding.items() if h == entity), None)

    def exists(self, entity: str) -> bool:
        return entity in TEMPLATES

    def template(self, entity: str) -> Template:
        return TEMPLATES[entity]

    def label(self, entity: str) -> str:
        return TEMPLATES[entity].class_name

    def distance(self, seat: str, entity: str) -> float:
        return 0.0 if self.held(seat) == entity else self.far.get(entity, 1.0)

    def can_see(self, seat: str, entity: str) -> bool:
        return entity not in self.hidden

    def faucet_distance(self, seat: str) -> float:
        return self.tap_m

    def shut_in(self, entity: str) -> str | None:
        return self.shut.get(entity)

    def inside(self, entity: str) -> str | None:
        return self.within.get(entity)

    def resting_on(self, entity: str) -> str | None:
        return self.on_top.get(entity)

    def state(self, entity: str, name: str) -> bool | None:
        return (entity, name) in self.true if name in TEMPLATES[entity].affords else None

    def opened(self, entity: str, part: int) -> float:
        return self.share.get((entity, part), 0.0)

    def obstacle(self, entity: str, part: int, opening: bool) -> str | None:
        return self.blocked_by

    def reach_to(self, seat: str, point: Vec3) -> float:
        return self.spot_m

    def sees_spot(self, seat: str, placement: Placement) -> bool:
        return self.spot_seen

    def support_open(self, placement: Placement) -> bool:
        return self.spot_open


def _ask(
    world: World,
    verb: Verb,
    target: str = "cup",
    *,
    part: int | None = None,
    seat: str = ME,
    at: Placement = NOWHERE,
    profile: RuleProfile = COHABIT,
) -> tuple[str, str] | None:
    return judge(profile, verb, world, seat, target, part, at)


OPEN_FRIDGE = {("fridge", 0): 1.0, ("fridge", 1): 1.0}
OPEN_CABINET = {("cabinet", 0): 1.0}
IN_HAND = {ME: "cup"}

REFUSALS: list[tuple[str, World, Verb, str, Placement, str, str]] = [
    # name, world, verb, target, placement, rule, reason
    ("gone", World(), "pick", "ghost", NOWHERE, "known", "That is not here"),
    ("heavy", World(), "pick", "table", NOWHERE, "movable", "The table cannot be carried"),
    (
        "mine", World(holding=IN_HAND), "pick", "cup", NOWHERE, "not_in_hand",
        "You are already holding the cup",
    ),
    (
        "theirs", World(holding={PARTNER: "cup"}), "pick", "cup", NOWHERE, "not_with_partner",
        "Your partner is holding the cup",
    ),
    (
        "full", World(holding={ME: "book"}), "pick", "cup", NOWHERE, "hand_free",
        "Your hand is full: put the book down first",
    ),
    (
        "shut", World(shut={"cup": "fridge"}), "pick", "cup", NOWHERE, "not_shut_in",
        "The fridge is closed: open it first",
    ),
    (
        "far", World(far={"cup": 2.01}), "pick", "cup", NOWHERE, "within_reach",
        "Too far away: walk closer",
    ),
    (
        "hidden", World(hidden={"cup"}), "pick", "cup", NOWHERE, "in_sight",
        "Something is between you and the cup: walk around it",
    ),
    (
        "behind a door", World(hidden={"cup"}, within={"cup": "fridge"}), "pick", "cup", NOWHERE,
        "in_sight", "You cannot see the cup from here: open the fridge further",
    ),
    (
        # Only a drawer is shut, and the thing lies on a shelf: its open door hides it.
        "behind an open door", World(hidden={"cup"}, within={"cup": "cabinet"}, share=OPEN_CABINET),
        "pick", "cup", NOWHERE, "in_sight",
        "You cannot see the cup from here: walk round to where the cabinet is open",
    ),
    (
        "laden", World(on_top={"plate": "cup"}), "pick", "plate", NOWHERE, "nothing_on_it",
        "The cup is on the plate: take it off first",
    ),
    ("solid", World(), "open", "table", NOWHERE, "openable", "The table does not open"),
    (
        "open", World(share=OPEN_FRIDGE), "open", "fridge", NOWHERE, "not_open",
        "The fridge is already open",
    ),
    (
        "closed", World(), "close", "fridge", NOWHERE, "not_closed",
        "The fridge is already closed",
    ),
    (
        "far fridge", World(far={"fridge": 3.0}), "open", "fridge", NOWHERE, "within_reach",
        "Too far away: walk closer",
    ),
    (
        "blocked", World(blocked_by="book"), "open", "fridge", NOWHERE, "way_clear_to_open",
        "The book is in the way: move it first",
    ),
    (
        "sticks out", World(blocked_by="jug", share=OPEN_FRIDGE), "close", "fridge", NOWHERE,
        "way_clear_to_close", "The jug is in the way: move it first",
    ),
    (
        "not washed", World(), "clean", "book", NOWHERE, "can_be_clean",
        "The book does not need washing",
    ),
    (
        "clean", World(true={("cup", "is_clean")}), "clean", "cup", NOWHERE, "not_clean",
        "The cup is already clean",
    ),
    (
        "dry", World(tap_m=1.6), "clean", "cup", NOWHERE, "water",
        "You need water for that: go to a tap",
    ),
    (
        "nothing to fill", World(), "fill", "book", NOWHERE, "can_be_filled",
        "The book cannot be filled",
    ),
    (
        "no tap", World(tap_m=math.inf), "fill", "cup", NOWHERE, "water",
        "You need water for that: go to a tap",
    ),
    (
        "full cup", World(true={("cup", "is_filled")}), "fill", "cup", NOWHERE, "not_filled",
        "The cup is already full",
    ),
    (
        "nothing to pour", World(), "pour", "cup", NOWHERE, "pours_from_hand",
        "You have nothing to pour from: pick up something with water in it",
    ),
    (
        "empty jug", World(holding={ME: "jug"}), "pour", "cup", NOWHERE, "pours_from_hand",
        "The jug is empty: fill it first",
    ),
    (
        "into itself", World(holding=IN_HAND, true={("cup", "is_filled")}), "pour", "cup", NOWHERE,
        "pours_from_hand", "You cannot pour the cup into itself",
    ),
    (
        "no switch", World(), "power_on", "book", NOWHERE, "can_be_powered",
        "The book cannot be switched on or off",
    ),
    (
        "on", World(true={("lamp", "is_powered_on")}), "power_on", "lamp", NOWHERE, "not_on",
        "The lamp is already on",
    ),
    ("off", World(), "power_off", "lamp", NOWHERE, "not_off", "The lamp is already off"),
    ("empty hand", World(), "place", "", TABLE, "holding", "You are not holding anything"),
    (
        "nowhere", World(holding=IN_HAND), "place", "cup", NOWHERE, "landed",
        "There is nothing to put it on",
    ),
    (
        "far spot", World(holding=IN_HAND, spot_m=2.1), "place", "cup", TABLE, "spot_in_reach",
        "Too far away: walk closer",
    ),
    (
        "unseen spot", World(holding=IN_HAND, spot_seen=False), "place", "cup", TABLE,
        "spot_in_sight", "You cannot see that spot: walk around",
    ),
    (
        "steep", World(holding=IN_HAND), "place", "cup", TABLE._replace(up=0.89), "level",
        "It is too steep there",
    ),
    (
        "not a surface", World(holding=IN_HAND), "place", "cup",
        TABLE._replace(surface="none", support=None), "on_surface",
        "Nothing can stand on that part of the table: aim at a flat surface",
    ),
    (
        "closed drawer", World(holding=IN_HAND, spot_open=False), "place", "cup",
        TABLE._replace(entity="fridge"), "container_open", "The fridge is closed: open it first",
    ),
    (
        "by the wall", World(holding=IN_HAND), "place", "cup",
        Placement(POSE, "floor", "floor", walkable=False), "floor_walkable",
        "Too close to a wall or furniture: put it where you could walk",
    ),
    (
        "edge", World(holding=IN_HAND), "place", "cup",
        Placement(POSE, "object", "book", "book", steady=False), "steady",
        "It would fall off: aim further in",
    ),
    (
        "tall", World(holding=IN_HAND), "place", "cup", TABLE._replace(clearance=0.2),
        "fits_height", "The cup is too tall for the table",
    ),
    (
        "taken", World(holding=IN_HAND), "place", "cup", TABLE._replace(overlaps=("plate",)),
        "room_for_it", "It does not fit there: the plate is in the way",
    ),
    (
        "wall", World(holding=IN_HAND), "place", "cup", TABLE._replace(overlaps=("stage",)),
        "room_for_it", "It does not fit there: the wall is in the way",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("world", "verb", "target", "placement", "rule", "reason"),
    [case[1:] for case in REFUSALS],
    ids=[case[0] for case in REFUSALS],
)
def test_refusal(
    world: World, verb: Verb, target: str, placement: Placement, rule: str, reason: str
) -> None:
    assert _ask(world, verb, target, at=placement) == (rule, reason)


def test_every_precondition_of_cohabit_has_a_case() -> None:
    used = {name for names in COHABIT.verbs.values() for name in names}
    assert used - {case[5] for case in REFUSALS} == {"changes_states"}


@pytest.mark.parametrize(
    ("verb", "target", "words"),
    [
        ("clean", "cup", "wash things"),
        ("fill", "cup", "fill things"),
        ("pour", "cup", "pour"),
        ("power_on", "lamp", "switch things on"),
        ("power_off", "lamp", "switch things off"),
    ],
)
@pytest.mark.parametrize("profile", [COHABIT, PARTNR], ids=lambda p: p.name)
def test_robots_change_no_states(profile: RuleProfile, verb: Verb, target: str, words: str) -> None:
    refusal = _ask(World(), verb, target, seat=PARTNER, profile=profile)
    assert refusal == ("changes_states", f"Your robot cannot {words}: ask your partner")


@pytest.mark.parametrize(
    ("world", "verb", "target", "placement"),
    [
        (World(), "pick", "cup", NOWHERE),
        (World(far={"cup": 2.0}), "pick", "cup", NOWHERE),
        (World(holding=IN_HAND), "place", "cup", TABLE),
        (World(holding=IN_HAND), "open", "fridge", NOWHERE),
        (World(share={("fridge", 1): 1.0}, holding=IN_HAND), "close", "fridge", NOWHERE),
        (World(), "clean", "cup", NOWHERE),
        (World(tap_m=math.inf), "clean", "table", NOWHERE),
        (World(holding=IN_HAND, hidden={"sink"}), "fill", "cup", NOWHERE),
        (World(holding={ME: "jug"}, true={("jug", "is_filled")}), "pour", "cup", NOWHERE),
        (World(), "power_on", "lamp", NOWHERE),
        (World(true={("lamp", "is_powered_on")}), "power_off", "lamp", NOWHERE),
    ],
)
def test_allowed(world: World, verb: Verb, target: str, placement: Placement) -> None:
    assert _ask(world, verb, target, at=placement) is None


def test_part_zero_is_a_part() -> None:
    world = World(share={("fridge", 1): 1.0})
    assert _ask(world, "open", "fridge", part=0) is None
    assert _ask(world, "open", "fridge", part=1) == ("not_open", "The fridge is already open")
    rule, reason = _ask(world, "open", "fridge", part=7) or ("", "")
    assert (rule, reason) == ("openable", "That part of the fridge does not open")


def test_partnr_picks_without_seeing_and_opens_with_empty_hands_only() -> None:
    hidden = World(hidden={"cup"}, on_top={"cup": "book"})
    assert _ask(hidden, "pick", profile=PARTNR) is None
    assert _ask(World(far={"cup": 2.1}), "pick", profile=PARTNR) is not None
    holding = World(holding=IN_HAND)
    assert _ask(holding, "open", "fridge", profile=PARTNR) == (
        "hands_empty",
        "You need a free hand for that: put the cup down first",
    )


def test_partnr_places_on_receptacles_and_floors_only() -> None:
    world = World(holding=IN_HAND)
    on_book = Placement(POSE, "object", "book", "book")
    assert _ask(world, "place", at=on_book) is None
    assert _ask(world, "place", at=on_book, profile=PARTNR) == (
        "on_receptacle",
        "Nothing can stand on the book",
    )
    crowded = TABLE._replace(overlaps=("plate",))
    assert _ask(world, "place", at=crowded, profile=PARTNR) is None
    assert _ask(world, "place", at=TABLE._replace(up=0.5), profile=PARTNR) is not None


def test_available_lists_what_would_change_something() -> None:
    assert available(COHABIT, World(), ME, "cup") == [
        ("pick", True, ""),
        ("clean", True, ""),
        ("fill", True, ""),
    ]
    held = World(holding=IN_HAND, true={("cup", "is_clean")})
    assert available(COHABIT, held, ME, "cup") == [("fill", True, "")]
    pouring = World(holding={ME: "jug"}, true={("jug", "is_filled")})
    verbs = [a.verb for a in available(COHABIT, pouring, ME, "cup")]
    assert verbs == ["pick", "clean", "fill", "pour"]


def test_available_opens_or_closes_parts() -> None:
    half = World(share={("fridge", 1): 1.0})
    assert [a.verb for a in available(COHABIT, half, ME, "fridge")] == ["open", "close"]
    assert [a.verb for a in available(COHABIT, half, ME, "fridge", 0)] == ["open"]
    assert [a.verb for a in available(COHABIT, half, ME, "fridge", 1)] == ["close"]


def test_available_says_why_not() -> None:
    actions = available(COHABIT, World(), PARTNER, "lamp")
    assert actions == [
        ("pick", True, ""),
        ("power_on", False, "Your robot cannot switch things on: ask your partner"),
    ]
    assert available(COHABIT, World(), ME, "ghost") == []


def test_reasons_are_short_and_plain() -> None:
    for case in REFUSALS:
        reason = case[6]
        assert len(reason) <= 80
        assert "_" not in reason
        assert not reason.endswith(".")
