"""The ``cohab`` policy: reads the instruction once, then plans.

The model is asked again only after a surprise or new talk.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Sequence
from typing import Literal

from server.robots.models.call_record import record
from server.robots.models.client import Completes
from server.robots.models.request import (
    AbandonedError,
    Constraint,
    Message,
    ModelError,
    ModelRequest,
)
from server.robots.policies.cohab.doorways import aside, must_yield
from server.robots.policies.cohab.goal_status import GoalStatus
from server.robots.policies.cohab.instruction_goals import (
    STATES,
    Meaning,
    MeaningError,
    read,
    schema,
)
from server.robots.policies.cohab.moves import NO_GOAL, Memory, Move
from server.robots.policies.cohab.noticing import Noticing, kind_of
from server.robots.policies.cohab.partner_model import Partners
from server.robots.policies.cohab.planner import Planner
from server.robots.policies.cohab.prompts import SYSTEM, again, question
from server.robots.policies.cohab.search import first_target
from server.robots.policies.cohab.settings import CohabSettings
from server.robots.policies.cohab.showing import Showing
from server.robots.policies.shared.walking_distances import Ways
from server.robots.policy import (
    Decision,
    Do,
    Finished,
    PastCall,
    Pause,
    Policy,
    PolicyView,
    SayLine,
)
from server.sessions.policy_records import CallRecord
from server.sessions.spec import TICK_RATE
from server.skills.call import Call

IDLE_PAUSE_TICKS = 3 * TICK_RATE
"""Pause when there is nothing to do (ticks); any event ends it sooner."""
YIELD_TICKS = TICK_RATE
"""Pause that lets the partner go first in a doorway, each time (ticks)."""
Why = Literal["", "new", "spoken to", "surprised"]
"""Reason for which the model is to read the instruction; empty: none."""
NEW: Why = "new"
SPOKEN_TO: Why = "spoken to"
SURPRISED: Why = "surprised"
WHERE_IS = "Where is the {0}?"
WHAT_IS_MISSING = "Is anything still missing?"
ADDRESS = "Could you {0}, please?"


class Cohab(Policy):
    def __init__(self, model: Completes, options: CohabSettings | None = None) -> None:
        self._model = model
        self._calls: list[CallRecord] = []
        self._options = options or CohabSettings()
        self._meaning: Meaning | None = None
        self._memory = Memory()
        self._ways: Ways | None = None
        self._partners: Partners | None = None
        self._planner: Planner | None = None
        self._heard = 0
        """Number of chat lines that the model has read."""
        self._readings = self._questions = self._requests = self._surprises = 0
        self._waits = self._yields = 0
        self._noticing = Noticing()
        self._showing = Showing()
        self._walked = False
        """Whether the body has set out with the first reading or a surprise still to be read.

        The reading then takes place while it walks, if its seat asks early.
        """
        self._moved: Move | None = None
        """Move that the last call was for."""
        self._taken = 0
        """Number of past calls that were learned from."""
        self._seen = 0
        """Number of the partners' acts that were learned from."""

    def take_calls(self) -> Sequence[CallRecord]:
        taken, self._calls = self._calls, []
        return taken

    async def decide(self, view: PolicyView) -> Decision:
        if self._ways is None or self._partners is None:
            self._ways = Ways(view.graph.scene)
            self._partners = Partners(self._ways)
        self._partners.follow(view)
        self._learn(view)
        if (why := self._why_read(view)) and not self._puts_off(why):
            self._walked = False
            self._surprises += why == SURPRISED
            await self._read(view, self._ways, self._partners)
            if (text := self._question()) is not None:
                return SayLine(text)
            if view.doing:
                # What comes next is decided when that is done, from what is known then.
                return Pause(1)
        if self._planner is None:
            return self._set_out(view, self._ways)
        status = self._planner.status(view)
        move = self._planner.next_move(view, status)
        if (line := self._asks_where(view)) is not None:
            return line
        if move is None:
            return self._wait(view, status, self._ways)
        if move.goal == NO_GOAL and self._is_all_done_to_others(view):
            return Finished()
        if move.call is None:
            self._memory.asked.add((move.goal, move.thing))
            asked = self._asked(view, move)
            if self._requests >= self._options.requests or asked is None:
                return self._wait(view, status, self._ways)
            self._requests += 1
            return SayLine(ADDRESS.format(move.ask), asked)
        return self._do(view, move, move.call, status, self._ways)

    def ahead(self, doing: Call) -> Cohab | None:
        """Return a copy that reads while the body walks; None where there is nothing to read."""
        if not self._walked or self._ways is None or doing.name == "Open":
            # What is opened is over at once, and often in vain.
            return None
        other = copy.copy(self)
        other._calls, other._noticing = [], self._noticing.fork()
        other._showing = self._showing.fork()
        other._memory = copy.deepcopy(self._memory)
        # It takes note of all that has happened anew.
        other._partners = Partners(self._ways)
        if self._planner is not None:
            goals = self._planner.goals
            other._planner = Planner(
                goals, other._memory, self._ways, other._partners, self._options
            )
        return other

    def lets_go(self, view: PolicyView) -> bool:
        """Tell whether the running call has lost its purpose.

        What the partner has taken or brought need not be fetched, and a body that only looks around
        stops when there is something to do.
        """
        if self._planner is None or self._partners is None or self._moved is None:
            return False
        if view.doing != self._moved.call:
            return False
        self._partners.follow(view)
        held, thing = view.graph.held(view.seat), self._moved.thing
        if held is not None:
            return False
        status = self._planner.status(view)
        left = self._planner.errands(view, status)
        if self._moved.goal == NO_GOAL:
            return bool(left) and not self._moved.opens
        return all(move.thing != thing for move in left)

    # Understanding

    def _why_read(self, view: PolicyView) -> Why:
        if self._planner is None:
            return NEW
        if self._readings >= self._options.readings:
            return ""
        news = any(line.seat != view.seat for line in view.chat[self._heard :])
        if self._options.listens and news:
            return SPOKEN_TO
        is_surprised = self._noticing.happened and self._surprises < self._options.surprises
        return SURPRISED if is_surprised else ""

    def _puts_off(self, why: Why) -> bool:
        """Tell whether to read while the body walks: once, and never when it is spoken to."""
        if self._walked or why == SPOKEN_TO or not self._options.sets_out:
            return False
        self._walked = True
        return True

    def _set_out(self, view: PolicyView, ways: Ways) -> Decision:
        """Walk where there will be something to do or to see, whatever exactly is meant."""
        target = first_target(view, ways, self._options.prior)
        if target is None:
            return Pause(1)
        call = Call.of("Navigate", view.graph.names.graph[target])
        self._moved = Move(call, "", NO_GOAL, target)
        return Do(call)

    async def _read(self, view: PolicyView, ways: Ways, partners: Partners) -> None:
        """Ask the model for the meaning of the instruction and plan with it.

        Raises MeaningError where its second answer cannot be read either.
        """
        happened = tuple(self._noticing.happened)
        messages = [Message("system", SYSTEM), Message("user", question(view, happened))]
        try:
            meaning = await self._ask(view, messages)
        except MeaningError as error:
            messages.append(Message("user", again(str(error))))
            meaning = await self._ask(view, messages)
        self._heard = len(view.chat)
        self._noticing.happened.clear()
        if self._meaning is None or meaning.goals != self._meaning.goals:
            self._memory.forget_goals()
            self._planner = Planner(meaning.goals, self._memory, ways, partners, self._options)
        self._meaning = meaning

    async def _ask(self, view: PolicyView, messages: list[Message]) -> Meaning:
        request = ModelRequest(
            purpose="meaning",
            prompt=tuple(messages),
            max_tokens=self._options.max_tokens,
            constraint=Constraint.json(schema(view.graph)),
            model=self._options.model,
        )
        begun = time.monotonic()
        try:
            answer = await self._model.complete(request)
        except asyncio.CancelledError:
            self._calls.append(record(request, AbandonedError.after(time.monotonic() - begun)))
            raise
        except ModelError as error:
            self._calls.append(record(request, error))
            raise
        self._readings += 1
        try:
            meaning = read(answer.text)
        except MeaningError as error:
            self._calls.append(record(request, answer, parsed=str(error)))
            messages.append(Message("assistant", answer.text))
            raise
        self._calls.append(record(request, answer, parsed=f"{len(meaning.goals)} goals"))
        return meaning

    def _question(self) -> str | None:
        assert self._meaning is not None
        asked = self._meaning.question.strip()
        if not asked or self._questions >= self._options.questions:
            return None
        self._questions += 1
        return asked

    def _asks_where(self, view: PolicyView) -> SayLine | None:
        """Return the question where something is that a whole round has not brought to light."""
        sought = self._noticing.sought
        for word in sorted(self._memory.missed - sought):
            sought.add(word)
            if self._may_ask(view):
                self._questions += 1
                return SayLine(WHERE_IS.format(kind_of(word)))
        return None

    def _may_ask(self, view: PolicyView) -> bool:
        """Tell whether it may put a question to somebody who may still do something."""
        return self._questions < self._options.questions and _is_somebody_at_work(view)

    def _is_all_done_to_others(self, view: PolicyView) -> bool:
        """Tell whether everybody else has finished, who has worked on it, too.

        Then what it does not find is somewhere out of its sight. Who has put nothing anywhere may
        have left all of that to it.
        """
        assert self._partners is not None
        is_worked_on = any(True for _ in self._partners.arrangements())
        return bool(view.partners) and not _is_somebody_at_work(view) and is_worked_on

    def _asked(self, view: PolicyView, move: Move) -> str | None:
        """Return the seat to ask for something: the nearest that can do it, and still plays.

        Empty where there is one partner, who is asked whatever they can; None: nobody can.
        """
        if len(view.partners) < 2:
            return ""
        assert self._ways is not None
        assert self._planner is not None
        is_state = self._planner.goals[move.goal].what in STATES
        able = [p for p in view.partners if p.is_at_work and (p.kind == "human" or not is_state)]
        ways, here = self._ways, view.graph.objects.get(move.thing)
        there = ways.places.get(here.place.key if here else move.thing, view.position)
        nearest = min(
            able, key=lambda p: ways.metres(p.position or view.position, there), default=None
        )
        return None if nearest is None else nearest.seat

    # Doing

    def _do(
        self, view: PolicyView, move: Move, call: Call, status: GoalStatus, ways: Ways
    ) -> Decision:
        assert self._partners is not None
        goal = ways.places.get(status.place(move.thing) or move.thing, view.position)
        in_the_way = must_yield(ways, view.position, self._partners.positions, goal)
        if in_the_way and self._yields < self._options.yields:
            self._yields += 1
            return Pause(YIELD_TICKS)
        self._waits = self._yields = 0
        self._moved = move
        if move.opens:
            self._memory.opening = move.thing
        return Do(call)

    def _wait(self, view: PolicyView, status: GoalStatus, ways: Ways) -> Decision:
        self._waits += 1
        options = self._options
        if view.partners and not _is_somebody_at_work(view) and status.is_done():
            # Whoever could still see something wrong has finished.
            return Finished()
        if status.is_done() and (line := self._showing.line(view, options.shows)) is not None:
            return SayLine(line)
        if status.is_done() and self._waits == options.checks_after and self._may_ask(view):
            self._questions += 1
            return SayLine(WHAT_IS_MISSING)
        if status.is_done() and options.checks_after and self._waits == 2 * options.checks_after:
            # Nobody has said what is missing.
            self._noticing.doubt()
        if self._waits > (options.waits_when_done if status.is_done() else options.waits):
            return Finished()
        step = aside(ways, view.position, view.graph.room_at(view.position))
        if step is not None and self._waits == 1:
            return Do(Call.of("Navigate", view.graph.names.graph[step]))
        return Pause(IDLE_PAUSE_TICKS)

    # Learning

    def _learn(self, view: PolicyView) -> None:
        """Take note of what became of the last move, and of what the partner did meanwhile."""
        for past in view.history[self._taken :]:
            if self._moved is not None and past.call == self._moved.call:
                self._note(view, self._moved, past)
        self._taken = len(view.history)
        for act in view.partner_acts[self._seen :]:
            self._waits = 0
            thing = view.graph.find(act.call.thing)
            if act.call.name == "Close" and thing is not None:
                self._memory.closed(thing)
            if act.call.name == "Pick" and thing is not None:
                self._showing.moved(thing)
            if act.call.name == "Pick" and thing in self._memory.mine:
                self._memory.mine.remove(thing)
                self._memory.undone.add(thing)
                name = view.graph.names.graph[thing]
                who = view.name_of(act.seat) if len(view.partners) > 1 else "person"
                self._noticing.take_away(name, who)
        self._seen = len(view.partner_acts)
        self._noticing.what_is_nowhere(self._memory)
        if self._planner is not None and self._partners is not None:
            self._noticing.what_is_unplanned(view, self._planner, self._partners)

    def _note(self, view: PolicyView, move: Move, past: PastCall) -> None:
        memory, call = self._memory, move.call
        if past.was_let_go or call is None:
            return
        if move.goal == NO_GOAL and call.name in ("Open", "Navigate"):
            # Where it cannot get, it will not see anything next time either.
            memory.looked.add(move.thing)
            if move.opens and past.succeeded and call.name == "Open":
                memory.doors[move.thing] += 1
            if move.opens and not past.succeeded:
                memory.opened.add(move.thing)
                memory.opening = ""
            return
        if not past.succeeded:
            memory.failed[move.goal, move.thing] += 1
            return
        if self._planner is None or not call.place:
            return
        place, other = view.graph.find(call.place), view.graph.find(call.beside)
        if move.goal != NO_GOAL and place is not None:
            memory.mine.add(move.thing)
            self._showing.put(view, move.thing, place)
            memory.chosen[move.goal] = place
        if other is not None:
            GoalStatus(self._planner.goals, memory, view.graph).put_beside(move.thing, other)


def _is_somebody_at_work(view: PolicyView) -> bool:
    return any(partner.is_at_work for partner in view.partners)
