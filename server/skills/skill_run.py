"""A call of a skill while it runs, tick by tick, answered in PARTNR's words."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Literal, cast

from episodes.names import floor_key
from episodes.poses import Vec3
from episodes.rules import TargetVerb
from episodes.worldgraph import UNKNOWN, WorldGraph
from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Act, Intent
from server.sessions.state import STILL
from server.sessions.surfaces import Surface
from server.skills import feedback
from server.skills.body import Asking, Body, NoWayError, Script, SkillError
from server.skills.call import Call
from server.skills.drawers import drawer_of, minds_sight, next_to_open, out_above
from server.skills.errands import put, take
from server.skills.feedback import SUCCESS, TOO_LONG, About, failure, refused
from server.skills.insides import Insides
from server.skills.making_way import Courtesy
from server.skills.navigate import explore, go_to, navigate, room_of
from server.skills.place import Placement
from server.skills.registry import WAIT_TICKS, state_phrase

LOOKS_TICKS = 150
"""Ticks that a body has to look into what it has opened, from elsewhere if it must."""
TICKS_TO_CLOSE = 2
"""Ticks from asking to close a part until the answer is there."""

_Answer = Generator[list[Intent], None, str]


class SkillRun:
    """A run of a call. Each tick: `intents`, the core's step, `see`.

    ``response`` is empty while it runs; any text means that it is over. ``targets`` are what the
    arguments name, once looked up in the agent's graph. Who walks at a ``pace`` below 1 has
    correspondingly more ticks for it.
    """

    def __init__(self, body: Body, call: Call, graph: WorldGraph, pace: float = 1.0) -> None:
        self.body = body
        self.call = call
        self.graph = graph
        self.response = ""
        self.targets: tuple[str | None, ...] = ()
        cap = call.skill.cap
        self._cap = None if cap is None else math.ceil(cap / pace)
        self._ticks = 0
        self._stopped = ""
        self._script: _Answer | None = None

    @property
    def phrase(self) -> str:
        """The body's doing as others are told."""
        names = self.body.core.names.graph
        x = self.body.position
        room = self.graph.room_at(x)
        return state_phrase(self.call.skill, self.call.arguments, names.get(room, "the house"))

    def intents(self) -> list[Intent]:
        """Return what to submit before the next step; nothing once the skill is over."""
        if self.response:
            return []
        if self._script is None:
            self._script = self._start()
        if self._cap is not None and self._ticks >= self._cap:
            self._stopped = TOO_LONG
        if self._stopped:
            self._script.close()
            self.response = failure(self._stopped)
            return [STILL]
        self._ticks += 1
        try:
            return next(self._script)
        except StopIteration as end:
            self.response = cast(str, end.value) or SUCCESS
        except SkillError as error:
            self.response = self._told(error)
        return [STILL]

    def stop(self, why: str) -> None:
        """End the run as a failure, at the next tick."""
        self._stopped = why

    def see(self, tick: Tick) -> None:
        """Take note of the answers to intents."""
        self.body.see(tick)

    # Looking up

    def _start(self) -> _Answer:
        found: list[str | None] = []
        for kind, name in zip(self.call.skill.arguments, self.call.arguments, strict=True):
            if kind in ("relation", "constraint") or name == "none":
                found.append(None)
                continue
            key = self.graph.find(name)
            if key is None:
                known = (self.graph.names.graph[h] for h in self.graph.objects)
                return _at_once(failure(feedback.not_in_graph(name, known)))
            found.append(key)
        self.targets = tuple(found)
        return self._run()

    def _run(self) -> _Answer:
        match self.call.skill.script:
            case "navigate":
                return self._navigate()
            case "explore":
                return self._explore()
            case "act":
                return self._act()
            case "place":
                return self._place()
            case "rearrange":
                return self._rearrange()
            case "wait":
                return self._wait()

    # The skills

    def _wait(self) -> _Answer:
        courtesy = Courtesy(self.body)
        yield [STILL]
        for _ in range(WAIT_TICKS - 1):
            yield courtesy.intents()
        return SUCCESS

    def _act(self) -> _Answer:
        target = cast(str, self.targets[0])
        verb = self.call.skill.verb
        assert verb is not None
        assert verb != "place"
        known = self.graph.objects.get(target)
        if verb == "pick" and self.body.held is None and known and known.place == UNKNOWN:
            return failure(feedback.NO_FURNITURE)
        opens = verb == "open" and target in self.body.core.surfaces.of
        part = next_to_open(self.body.core, target) if opens and self._minds_sight else None
        yield [STILL]
        refusal = yield from self._ask(verb, target, part)
        if verb == "pick" and refusal is not None and refusal.rule == "in_sight":
            drawer = drawer_of(self.body.core, target)
            if drawer is not None and (yield from self._close_above(drawer)):
                refusal = yield from self._ask(verb, target)
        if refusal is None:
            if verb == "open":
                yield from self._look_into(target)
            return SUCCESS
        is_all_open = opens and self._minds_sight and refusal.rule == "not_open"
        if is_all_open and (yield from self._look_into_next(target)):
            return SUCCESS
        self.body.note_in_vain(refusal.rule, target)
        return refused(verb, refusal, self._about(target))

    @property
    def _minds_sight(self) -> bool:
        return minds_sight(self.body)

    def _ask(self, verb: TargetVerb, target: str, part: int | None = None) -> Asking:
        return self.body.ask(Act(self.body.next_id(), verb, target, part, by_skill=True))

    def _close_above(self, drawer: Surface) -> Generator[list[Intent], None, bool]:
        """Close from where the body stands what is out above a drawer, as far as there is time.

        Returns whether something was closed.
        """
        has_closed, cap = False, self._cap
        for part in out_above(self.body.core, drawer):
            if cap is not None and self._ticks + TICKS_TO_CLOSE > cap:
                break
            refusal = yield from self._ask("close", drawer.furniture.handle, part)
            has_closed = has_closed or refusal is None
        return has_closed

    def _look_into(self, furniture: str) -> Script:
        """Look what is in furniture that was just opened, as far as there is time.

        Opened it is, whether or not there is. Where the rules mind sight, drawers that hide it are
        closed, and the body walks to where it sees what it has opened.
        """
        core, part = self.body.core, self.body.opened_part
        behind = [
            s
            for s in core.surfaces.of[furniture]
            if s.receptacle.part is not None and s.receptacle.part == part
        ]
        if self._minds_sight:
            self._cap = None if self._cap is None else self._cap + LOOKS_TICKS
            for surface in behind:
                yield from self._in_time(self._come_to_see(surface))
                yield from self._in_time(self.body.glance_into(_middle(core, surface)))
            self.body.looked_into.update(s.unique_name for s in behind)
        for surface in behind[-1:]:
            yield from self._in_time(self.body.look_into(_middle(core, surface)))

    def _look_into_next(self, furniture: str) -> Generator[list[Intent], None, bool]:
        """Look into a drawer that somebody else has left open; what is out above it is closed.

        Returns whether there was one that the body has not looked into.
        """
        core = self.body.core
        for surface in reversed(core.surfaces.of[furniture]):
            is_new = surface.receptacle.moves and surface.unique_name not in self.body.looked_into
            if is_new and surface.is_open(core.world.joints):
                assert surface.part is not None
                self.body.opened_part = surface.part.index
                yield from self._look_into(furniture)
                return True
        return False

    def _come_to_see(self, surface: Surface) -> Script:
        furniture = surface.furniture.handle
        if surface.receptacle.moves:
            yield from self._close_above(surface)
        insides = Insides(self.body, furniture, only=surface)
        if not insides.are_in_view:
            try:
                yield from go_to(self.body, furniture, insides.wishes())
            except NoWayError:
                return

    def _in_time(self, script: Script) -> Script:
        """Run a script as long as the skill has time; what it has done by then stays done."""
        for wanted in script:
            if self._ticks == self._cap:
                return
            yield wanted

    def _navigate(self) -> _Answer:
        target = cast(str, self.targets[0])
        names = self.body.core.names.graph
        script = navigate(self.body, target)
        while True:
            holder = self.body.core.world.holders.get(target)
            if holder is not None:
                mine = holder == self.body.seat
                return failure(feedback.HELD_BY_SELF if mine else feedback.HELD_BY_OTHER)
            try:
                wanted = next(script)
            except StopIteration:
                return SUCCESS
            except NoWayError as error:
                raise SkillError(feedback.inaccessible(names[target])) from error
            yield wanted

    def _explore(self) -> _Answer:
        room = room_of(self.body, cast(str, self.targets[0]))
        name = self.call.arguments[0]
        if room is None or self.graph.furniture_of(room.room_id) == [floor_key(room.room_id)]:
            return failure(feedback.nothing_to_explore(name))
        try:
            yield from explore(self.body, room)
        except NoWayError as error:
            raise SkillError(feedback.inaccessible(name)) from error
        return SUCCESS

    def _place(self) -> _Answer:
        thing, _, target, _, near = self.targets
        relation = cast(Literal["on", "within"], self.call.arguments[1])
        assert thing is not None
        assert target is not None
        return (yield from Placement(self.body, thing, relation, target, near).run())

    def _rearrange(self) -> _Answer:
        thing, _, target, _, near = self.targets
        assert thing is not None
        assert target is not None
        names = self.body.core.names.graph
        relation = cast(Literal["on", "within"], self.call.arguments[1])
        placing = Placement(self.body, thing, relation, target, near)
        if placing.room is None and target not in self.body.core.surfaces.of:
            return failure(feedback.not_a_place(names[target]))
        try:
            yield from take(self.body, thing)
        except NoWayError as error:
            raise SkillError(feedback.inaccessible(names[thing])) from error
        try:
            yield from put(self.body, target, placing.relation, near)
        except SkillError as error:
            if error.refusal is None:
                told = "" if near is None else names[near]
                raise SkillError(feedback.no_placement(names[target], told)) from error
            raise
        return SUCCESS

    # Telling

    def _about(self, target: str) -> About:
        core, held = self.body.core, self.body.held
        names = core.names.graph
        away = core.view.distance(self.body.seat, target) if core.view.exists(target) else 0.0
        return About(names.get(target, target), "" if held is None else names[held], away)

    def _told(self, error: SkillError) -> str:
        if error.refusal is None or error.verb is None:
            return failure(str(error))
        target = error.target or ""
        if error.verb == "place":
            # PARTNR's texts about placing name the furniture.
            target = self.targets[2] or target
        return refused(error.verb, error.refusal, self._about(target))


def _at_once(response: str) -> _Answer:
    return response
    yield []  # makes this a script


def _middle(core: SessionCore, surface: Surface) -> Vec3:
    return surface.point(core.world.joints, 0.0, 0.0)
