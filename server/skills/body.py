"""A body that a program moves by walking, facing and asking: what every skill is made of.

Everything goes through the same intents as a person's. A script is a generator: each tick it yields
what to submit before the next step, and it returns when it is done.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice

from msgspec import UNSET

from episodes.poses import Vec3, wrap_angle
from episodes.rules import Refusal, RuleProfile, Verb
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did
from server.sessions.intents import Act, Drive, Intent, Look, Place
from server.sessions.spec import TICK_S
from server.sessions.state import STILL
from server.skills.standing_places import (
    SIDE_M,
    TURNED_RAD,
    Fits,
    WalkingBody,
    heading,
    places_to_stand,
    room_beside,
)

Script = Generator[list[Intent], None, None]
Asking = Generator[list[Intent], None, Refusal | None]

ANSWER_TICKS = 300
"""The ticks after which an intent that has not been answered never will be."""
TURN_TICKS = 90
STANDS_TRIED = 5
GLANCE_TICKS = 6
"""The ticks for which a body looks at what its skill wants to see.

What bodies see is taken note of this often.
"""
SAME_PLACE_M = 0.3
TIMES_ASIDE = 2
"""The times that a body steps aside on one way."""
TIMES_MET = 20
"""The meetings on one way after which a body looks for a new one."""
FROM_ELSEWHERE = frozenset(
    {
        "within_reach",
        "within_state_reach",
        "in_sight",
        "spot_in_reach",
        "spot_in_sight",
        "water",
    }
)
"""The refusals that standing elsewhere can help."""


class SkillError(Exception):
    """Error for a thing that cannot be done: says what, and why.

    Where a primitive was refused it has the refusal, with its rule, and what was asked.
    """

    def __init__(
        self,
        text: str,
        refusal: Refusal | None = None,
        verb: Verb | None = None,
        target: str | None = None,
    ) -> None:
        super().__init__(text)
        self.refusal = refusal
        self.verb = verb
        self.target = target


class NoWayError(SkillError):
    """A target for which there is nowhere to stand, or to which there is no way."""


class Body:
    """The body of one seat.

    Each tick the script that moves it yields its intents; after the core's step comes `see`.
    """

    def __init__(self, seat: str, core: SessionCore, seed: int = 0) -> None:
        self.seat = seat
        self.core = core
        self._seed = seed
        self._answers: dict[int, Refusal | None] = {}
        self._last_id = 0
        self.opened_part: int | None = None
        """The part of furniture that it opened last."""
        self.looked_into: set[str] = set()
        """Receptacles behind doors and in drawers that it has looked into after opening them."""
        self._in_vain: dict[str, list[Vec3]] = {}

    @property
    def rules(self) -> RuleProfile:
        """The rules that skills of this session follow."""
        return self.core.profile.for_skills

    @property
    def position(self) -> Vec3:
        return self.core.world.agents[self.seat].position

    @property
    def held(self) -> str | None:
        return self.core.world.held.get(self.seat)

    def see(self, tick: Tick) -> None:
        """Take note of what became of the intents."""
        for heard in tick.intents:
            if heard.seat == self.seat and isinstance(heard.intent, Act | Place):
                self._answers[heard.intent.intent_id] = heard.refusal
        for event in tick.events:
            if isinstance(event, Did) and event.seat == self.seat and event.verb == "open":
                self.opened_part = event.part

    def rng_for(self, *what: str) -> random.Random:
        """Return draws for one purpose, whatever was drawn before.

        So two simulators, on which bodies try different places to stand, draw the same places to
        put things.
        """
        return random.Random(f"{self._seed} {self.seat} {' '.join(what)}")

    # Where something was tried in vain

    def note_in_vain(self, rule: str, target: str) -> None:
        """Note that a rule forbids here what may be possible with a target from elsewhere.

        Whoever goes there again stands elsewhere.
        """
        if rule not in FROM_ELSEWHERE:
            return
        for entity in self.core.view.taps if rule == "water" else (target,):
            self._in_vain.setdefault(entity, []).append(self.position)

    def elsewhere(self, entity: str) -> list[Fits]:
        """Return the wish to stand away from where things were tried in vain with an entity."""
        if entity not in self._in_vain:
            return []
        return [lambda point, yaw: self._is_away(entity, point, SAME_PLACE_M)]

    def forgive(self, entity: str) -> None:
        """Forget where things were tried in vain, if there is no place left but those.

        The world may have changed.
        """
        if not self._is_away(entity, self.position, SAME_PLACE_M / 2):
            del self._in_vain[entity]

    def _is_away(self, entity: str, point: Vec3, away_m: float) -> bool:
        return all(math.dist(point, p) > away_m for p in self._in_vain.get(entity, ()))

    def next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    # Walking

    def stands(
        self,
        around: Vec3,
        fits: Fits,
        detour: Callable[[Vec3], float] | None = None,
        wishes: Sequence[Fits] = (),
    ) -> Iterator[Vec3]:
        """Yield the first few places from which something can be done.

        First come those at which all wishes are fulfilled, then those at which all but the last
        are, and so on.
        """
        places = places_to_stand(self.core, self.seat, around, fits, detour)
        return islice(self._wished(places, around, wishes), STANDS_TRIED)

    def _wished(
        self, places: Iterator[Vec3], around: Vec3, wishes: Sequence[Fits]
    ) -> Iterator[Vec3]:
        left = places if not wishes else list(places)
        for count in range(len(wishes), 0, -1):
            others = []
            for point in left:
                if all(wish(point, heading(point, around)) for wish in wishes[:count]):
                    yield point
                else:
                    others.append(point)
            left = others
        yield from left

    def go(
        self,
        around: Vec3,
        fits: Fits,
        detour: Callable[[Vec3], float] | None = None,
        wishes: Sequence[Fits] = (),
    ) -> Script:
        """Walk to where ``fits`` holds, and face a point. Raises NoWayError.

        Where there is such a place, as many ``wishes`` hold there as can be, from the first on.
        Some centimetres beside the point that was looked at ``fits`` may hold no longer: then the
        next one is tried, and if it holds at none, the last one has to do.
        """
        arrived = False
        for point in self.stands(around, fits, detour, wishes):
            if not (yield from self.walk_to(point)):
                continue
            arrived = True
            yield from self.face(around)
            if fits(self.position, self.core.world.agents[self.seat].yaw):
                return
        if not arrived:
            raise NoWayError(f"{self.seat} finds no way to {around}")

    def walk_to(self, goal: Vec3) -> Generator[list[Intent], None, bool]:
        """Walk to a point, and return whether the body got there.

        Raises SkillError when the episode ends on the way.
        """
        core = self.core
        path = core.simulator.find_path(self.position, goal)
        if path is None:
            return False
        speed = self.rules.speed[core.world.bodies[self.seat].kind]
        walk = WalkingBody(self.seat, path, speed)
        last: list[Intent] = []
        times_met, times_aside, was_held_up = 0, 0, False
        while True:
            is_held_up = self._is_held_up()
            if was_held_up and not is_held_up and times_met < TIMES_MET:
                # Whoever met a body has come off the way.
                times_met += 1
                path = core.simulator.find_path(self.position, goal)
                walk, last = WalkingBody(self.seat, path or [], speed), []
            was_held_up = is_held_up
            intents = walk.next(core.world.agents[self.seat], is_held_up)
            if intents is None:
                break
            # Motion stays in force until told otherwise: only what is new is said.
            yield [i for i in intents if i not in last]
            last = intents
            if core.phase != "running":
                raise SkillError(f"{self.seat} was walking when the episode ended")
            # Whoever gives way for ever gets nowhere: after that it pushes.
            if times_aside < TIMES_ASIDE and self._is_held_up() and (yield from self._step_aside()):
                times_aside, was_held_up, last = times_aside + 1, True, []
        yield [STILL]
        return path is not None and not walk.stuck

    def _is_held_up(self) -> bool:
        """Tell whether the body pushes another, or passes through one."""
        push = self.core.seats[self.seat].push
        return push is not UNSET and push.until is None

    def _step_aside(self) -> Generator[list[Intent], None, bool]:
        """Step aside before a body in the way; returns whether there was room for that."""
        core = self.core
        push, yaw = core.seats[self.seat].push, core.world.agents[self.seat].yaw
        if push is UNSET or push.passes:
            return False
        same_way = abs(wrap_angle(core.world.agents[push.by].yaw - yaw)) < math.pi / 2
        if same_way and core.seats[push.by].drive != STILL:
            # In a queue there is nothing to give way to.
            return False
        side = room_beside(core, self.seat, yaw)
        if side == 0.0:
            return False
        speed = self.rules.speed[core.world.bodies[self.seat].kind]
        yield [Drive(0.0, side * speed), Look(yaw, 0.0)]
        for _ in range(math.ceil(SIDE_M / speed / TICK_S)):
            yield []
            if core.phase != "running":
                raise SkillError(f"{self.seat} gave way when the episode ended")
        return True

    def face(self, point: Vec3, pitch: float = -0.3) -> Script:
        yaw = heading(self.position, point)
        yield [Look(yaw, pitch)]
        for _ in range(TURN_TICKS):
            if abs(wrap_angle(yaw - self.core.world.agents[self.seat].yaw)) <= TURNED_RAD:
                return
            yield []

    def look_into(self, point: Vec3) -> Script:
        """Face a point, and look up or down at it as far as the rules let a view go."""
        x, y, z = self.core.view.eye(self.seat)
        away = math.hypot(point[0] - x, point[2] - z)
        down, up = self.rules.pitch
        yield from self.face(point, min(up, max(down, math.atan2(point[1] - y, away))))

    def glance_into(self, point: Vec3) -> Script:
        """Look at a point for as long as it takes to see what is there."""
        yield from self.look_into(point)
        for _ in range(GLANCE_TICKS):
            yield []

    # Asking

    def ask(self, intent: Act | Place) -> Asking:
        """Submit and wait for the answer. Raises SkillError when there is none."""
        yield [intent]
        for _ in range(ANSWER_TICKS):
            if intent.intent_id in self._answers:
                return self._answers.pop(intent.intent_id)
            yield []
        raise SkillError(f"{intent} was never answered (phase {self.core.phase})")

    def go_and_ask(self, around: Vec3, fits: Fits, wish: Callable[[int], Act | Place]) -> Asking:
        """Go somewhere and ask for something, from elsewhere if it does not go from there.

        Standing a few centimetres beside the point that was looked at can hide a thing. Raises
        NoWayError when there is nowhere to stand.
        """
        refusal: Refusal | None = None
        for point in self.stands(around, fits):
            arrived = yield from self.walk_to(point)
            if not arrived:
                continue
            yield from self.face(around)
            refusal = yield from self.ask(wish(self.next_id()))
            if refusal is None or refusal.rule not in FROM_ELSEWHERE:
                return refusal
        if refusal is None:
            raise NoWayError(f"{self.seat} finds no way to {around}")
        return refusal
