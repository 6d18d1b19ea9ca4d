"""A player that follows a list of steps, through the same intents as everybody else.

It looks at the whole world, so it is a tool for tests, load and demonstrations, not a partner.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Literal, NamedTuple

from episodes.poses import Vec3, wrap_angle
from episodes.rules import Refusal, parts_to
from server.sessions.core import SessionCore, Tick
from server.sessions.intents import (
    Act,
    Drive,
    Finish,
    Intent,
    Look,
    Place,
    Ready,
    Say,
    TargetVerb,
)
from server.sessions.placing import Spot, candidates, floor_candidates
from server.sessions.state import STILL
from server.sessions.surfaces import Surface
from server.sessions.walking import (
    MARGIN_M,
    TURNED_RAD,
    Fits,
    Walk,
    heading,
    middle,
    places_to_stand,
    to_touch,
)

ANSWER_TICKS = 300
"""An intent that is not answered within this time never will be."""
TURN_TICKS = 90
STANDS_TRIED = 5
FROM_ELSEWHERE = frozenset({"within_reach", "in_sight", "spot_in_reach", "spot_in_sight", "water"})
"""Refusals that another place to stand can help."""
BEST_HEIGHT_M = 0.9


class StepError(Exception):
    """A step that cannot be done: says which, and why."""


class Go(NamedTuple):
    """Walk to where the target can be reached and seen."""

    target: str


class Take(NamedTuple):
    """Pick an object up; a closed container is opened first."""

    target: str


class Turn(NamedTuple):
    """Open or close a part (None: the first that the verb changes)."""

    target: str
    opening: bool
    part: int | None = None


class Put(NamedTuple):
    """Put down what the hand holds on or within furniture, or on the floor of a room."""

    target: str
    relation: Literal["on", "within", "floor"] = "on"
    next_to: str | None = None


class PutAnywhere(NamedTuple):
    """Put down what the hand holds on the nearest surface."""


class Change(NamedTuple):
    """Clean, fill or switch; things that need water are carried to a tap."""

    verb: TargetVerb
    target: str


class Speak(NamedTuple):
    text: str


class Rest(NamedTuple):
    ticks: int


class Done(NamedTuple):
    """Say that the task is finished."""


Step = Go | Take | Turn | Put | PutAnywhere | Change | Speak | Rest | Done
_Script = Generator[list[Intent], None, None]


class ScriptedPlayer:
    """One seat. Each tick: `intents`, to be submitted; then the core's step; then `see`."""

    def __init__(self, seat: str, steps: Iterable[Step], seed: int = 0) -> None:
        self.seat = seat
        self._steps = list(steps)
        self._rng = random.Random(seed)
        self._script: _Script | None = None
        self._answers: dict[int, Refusal | None] = {}
        self._last_id = 0
        self.failure: StepError | None = None
        self.finished = False

    def intents(self, core: SessionCore) -> list[Intent]:
        """What to submit before the next step: nothing once the script has ended.

        A step that fails ends the script with ``failure`` set.
        """
        if self.finished:
            return []
        if self._script is None:
            self._script = self._run(core)
        try:
            return next(self._script)
        except StopIteration:
            self.finished = True
        except StepError as failure:
            self.failure = failure
            self.finished = True
        return [STILL]

    def see(self, tick: Tick) -> None:
        """Take note of what became of the intents."""
        for heard in tick.intents:
            if heard.seat == self.seat and isinstance(heard.intent, Act | Place):
                self._answers[heard.intent.intent_id] = heard.refusal

    # The script

    def _run(self, core: SessionCore) -> _Script:
        yield [Ready()]
        while core.phase == "gathering":
            yield []
        for step in self._steps:
            yield from self._do(core, step)

    def _do(self, core: SessionCore, step: Step) -> _Script:
        match step:
            case Go(target):
                yield from self._go(core, middle(core, target), to_touch(core, self.seat, target))
            case Take(target):
                yield from self._take(core, target)
            case Turn(target, opening, part):
                yield from self._turn_part(core, target, opening, part)
            case Put():
                yield from self._put(core, step)
            case PutAnywhere():
                yield from self._put_anywhere(core)
            case Change(verb, target):
                yield from self._change(core, verb, target)
            case Speak(text):
                yield [Say(text)]
            case Rest(ticks):
                for _ in range(ticks):
                    yield []
            case Done():
                yield [Finish()]

    def _ask(
        self, core: SessionCore, intent: Act | Place
    ) -> Generator[list[Intent], None, Refusal | None]:
        """Submit and wait for the answer."""
        yield [intent]
        for _ in range(ANSWER_TICKS):
            if intent.intent_id in self._answers:
                return self._answers.pop(intent.intent_id)
            yield []
        raise StepError(f"{intent} was never answered (phase {core.phase})")

    def _id(self) -> int:
        self._last_id += 1
        return self._last_id

    # Walking

    def _go(self, core: SessionCore, around: Vec3, fits: Fits) -> _Script:
        for point in self._stands(core, around, fits):
            arrived = yield from self._walk(core, point)
            if arrived:
                yield from self._face(core, around)
                return
        raise StepError(f"{self.seat} finds no way to {around}")

    def _stands(self, core: SessionCore, around: Vec3, fits: Fits) -> Iterator[Vec3]:
        return islice(places_to_stand(core, self.seat, around, fits), STANDS_TRIED)

    def _go_and_ask(
        self, core: SessionCore, around: Vec3, fits: Fits, wish: Callable[[int], Act | Place]
    ) -> Generator[list[Intent], None, str]:
        """Go somewhere and ask for something, from elsewhere if it does not go from there:
        standing a few centimetres beside the point that was looked at can hide a thing."""
        reason = f"{self.seat} finds no way to {around}"
        for point in self._stands(core, around, fits):
            arrived = yield from self._walk(core, point)
            if not arrived:
                continue
            yield from self._face(core, around)
            refusal = yield from self._ask(core, wish(self._id()))
            if refusal is None:
                return ""
            reason = refusal.reason
            if refusal.rule not in FROM_ELSEWHERE:
                break
        return reason

    def _walk(self, core: SessionCore, goal: Vec3) -> Generator[list[Intent], None, bool]:
        agent = core.world.agents[self.seat]
        path = core.simulator.find_path(agent.position, goal)
        if path is None:
            return False
        walk = Walk(self.seat, path, core.profile.speed[core.world.bodies[self.seat].kind])
        last: list[Intent] = []
        while (intents := walk.next(core.world.agents[self.seat])) is not None:
            yield [i for i in intents if i not in last]
            last = intents
            if core.phase != "running":
                raise StepError(f"{self.seat} was walking when the episode ended")
        yield [STILL]
        return not walk.stuck

    def _face(self, core: SessionCore, point: Vec3) -> _Script:
        yaw = heading(core.world.agents[self.seat].position, point)
        yield [Look(yaw, -0.3)]
        for _ in range(TURN_TICKS):
            if abs(wrap_angle(yaw - core.world.agents[self.seat].yaw)) <= TURNED_RAD:
                return
            yield []

    # Acting

    def _act(
        self, core: SessionCore, verb: TargetVerb, target: str, part: int | None = None
    ) -> _Script:
        refusal = yield from self._ask(core, Act(self._id(), verb, target, part))
        if refusal is not None:
            raise StepError(f"{self.seat} cannot {verb} {target}: {refusal.reason}")

    def _touch(
        self, core: SessionCore, verb: TargetVerb, target: str, part: int | None = None
    ) -> _Script:
        """Go to something and act on it."""
        reason = yield from self._go_and_ask(
            core,
            middle(core, target),
            to_touch(core, self.seat, target),
            lambda n: Act(n, verb, target, part),
        )
        if reason:
            raise StepError(f"{self.seat} cannot {verb} {target}: {reason}")

    def _take(self, core: SessionCore, target: str) -> _Script:
        if core.world.held.get(self.seat) == target:
            return
        shut = core.shut_in(target)
        if shut is not None:
            surface = core.view.receptacle_of(target)
            part = None if surface is None else surface.receptacle.part
            yield from self._turn_part(core, shut, True, part)
        try:
            yield from self._touch(core, "pick", target)
        except StepError:
            # A shelf can lie behind two doors, and the other one hides the thing.
            furniture = core.view.inside(target)
            parts = [] if furniture is None else parts_to(core.view, furniture, True)
            if furniture is None or not parts:
                raise
            for part in parts:
                yield from self._turn_part(core, furniture, True, part)
            yield from self._touch(core, "pick", target)

    def _turn_part(
        self, core: SessionCore, target: str, opening: bool, part: int | None
    ) -> _Script:
        yield from self._touch(core, "open" if opening else "close", target, part)

    def _change(self, core: SessionCore, verb: TargetVerb, target: str) -> _Script:
        template = core.view.template(target)
        wet = verb == "fill" or (verb == "clean" and template.cleaned_under_faucet)
        if not wet:
            yield from self._touch(core, verb, target)
            return
        if template.kind == "object":
            yield from self._take(core, target)
        yield from self._go_to_tap(core)
        yield from self._act(core, verb, target)

    def _go_to_tap(self, core: SessionCore) -> _Script:
        near = core.profile.faucet_m - MARGIN_M
        here = core.world.agents[self.seat].position
        taps = sorted(core.view.taps, key=lambda t: core.view.distance_from(here, t))
        for tap in taps:
            around = middle(core, tap)

            def fits(point: Vec3, yaw: float, tap: str = tap) -> bool:
                if core.view.distance_from(point, tap) > near:
                    return False
                eye = core.view.eye_at(self.seat, point, yaw)
                return core.simulator.can_see(eye, tap, core.view.carried())

            try:
                yield from self._go(core, around, fits)
            except StepError:
                continue
            return
        raise StepError(f"{self.seat} finds no tap")

    # Placing

    def _put(self, core: SessionCore, step: Put) -> _Script:
        held = self._held(core)
        if step.relation == "floor":
            yield from self._put_at(core, held, self._floor_spots(core, held, step))
            return
        surfaces = [s for s in core.surfaces.of[step.target] if s.receptacle.kind == step.relation]
        if step.next_to is not None:
            support = core.view.receptacle_of(step.next_to)
            surfaces = [s for s in surfaces if s == support] or surfaces
        surfaces.sort(key=lambda s: abs(s.receptacle.center[1] - BEST_HEIGHT_M))
        yield from self._put_on_one_of(core, held, surfaces, step.next_to, str(step))

    def _put_anywhere(self, core: SessionCore) -> _Script:
        held = self._held(core)
        here = core.world.agents[self.seat].position
        surfaces = [s for s in core.surfaces.by_name.values() if s.receptacle.kind == "on"]
        surfaces.sort(key=lambda s: core.view.distance_from(here, s.furniture.handle))
        yield from self._put_on_one_of(core, held, surfaces, None, "on anything")

    def _held(self, core: SessionCore) -> str:
        held = core.world.held.get(self.seat)
        if held is None:
            raise StepError(f"{self.seat} has nothing to put down")
        return held

    def _put_on_one_of(
        self,
        core: SessionCore,
        held: str,
        surfaces: list[Surface],
        next_to: str | None,
        what: str,
    ) -> _Script:
        reason = "there is no such surface"
        for surface in surfaces:
            try:
                if not surface.is_open(core.world.joints):
                    yield from self._turn_part(
                        core, surface.furniture.handle, True, surface.receptacle.part
                    )
                spots = candidates(core.view, held, [surface], self._rng, next_to=next_to)
                yield from self._put_at(core, held, spots)
            except StepError as failure:
                reason = str(failure)
                continue
            return
        raise StepError(f"{self.seat} cannot put {held} {what}: {reason}")

    def _put_at(self, core: SessionCore, held: str, spots: Iterator[Spot]) -> _Script:
        view, reach = core.view, core.profile.reach_m - MARGIN_M
        reason = f"no free place for {held}"
        for spot in spots:

            def fits(point: Vec3, yaw: float, spot: Spot = spot) -> bool:
                dx, dz = spot.point[0] - point[0], spot.point[2] - point[2]
                if (dx * dx + dz * dz) ** 0.5 > reach:
                    return False
                eye = view.eye_at(self.seat, point, yaw)
                return view.sees_spot_from(eye, held, spot.placement)

            reason = yield from self._go_and_ask(core, spot.point, fits, partial(_place, spot))
            if not reason:
                return
        raise StepError(reason)

    def _floor_spots(self, core: SessionCore, held: str, step: Put) -> Iterator[Spot]:
        around = core.world.agents[self.seat].position
        if step.next_to is not None:
            around = middle(core, step.next_to)
        for room in core.simulator.scene.rooms:
            if room.room_id == step.target:
                xs, zs = [p[0] for p in room.polygon], [p[1] for p in room.polygon]
                around = (sum(xs) / len(xs), room.floor_y, sum(zs) / len(zs))
        floor = core.world.agents[self.seat].position[1]
        around = (around[0], floor, around[2])
        return floor_candidates(core.view, held, around, self._rng, next_to=step.next_to)


def _place(spot: Spot, intent_id: int) -> Place:
    return Place(intent_id, spot.point, spot.yaw)


class Wanderer:
    """Walks about at random for ever: a body for load and benchmarks."""

    def __init__(self, seat: str, seed: int = 0, every_ticks: int = 20) -> None:
        self.seat = seat
        self._rng = random.Random(seed)
        self._every = every_ticks
        self._ready = False

    def intents(self, core: SessionCore) -> list[Intent]:
        if not self._ready:
            self._ready = True
            return [Ready()]
        if core.tick % self._every:
            return []
        return [Drive(1.5, 0.0), Look(self._rng.uniform(-3.1, 3.1), 0.0)]

    def see(self, tick: Tick) -> None:
        """It does not care."""
