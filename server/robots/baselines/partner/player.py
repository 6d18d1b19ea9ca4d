"""``expert:partner``: a scripted partner that people can read and talk with.

It knows the goal, as the expert does. It shares the work out aloud, leaves people their share,
keeps a human pace, says what it is about to do, and answers from templates.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator

from episodes.poses import Vec3
from server.robots.baselines.partner.absence import is_away, there
from server.robots.baselines.partner.approach import come_to
from server.robots.baselines.partner.claims import shared_out
from server.robots.baselines.partner.conversation import Conversation
from server.robots.baselines.partner.finishing import Finishing
from server.robots.baselines.partner.hearing import Hearing
from server.robots.baselines.partner.offers import Offers
from server.robots.baselines.partner.order import Order
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.scripted_player import (
    BodyPlayer,
    Go,
    Put,
    Step,
    Take,
    begin,
    do,
)
from server.robots.baselines.settings import PartnerManner
from server.robots.baselines.step_aims import step_aim
from server.robots.playing.seat_options import SeatOptions
from server.sessions.aim import Aim, AimVerb
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did, Said
from server.sessions.intents import Intent, Say
from server.sessions.spec import TICK_RATE
from server.sessions.state import STILL
from server.skills.body import Body, Script, SkillError
from server.skills.errands import put_anywhere
from server.skills.making_way import blocks, is_pushed, make_way
from server.skills.navigate import go_to_room, room_of

LINE_S = 1.2
"""Seconds between two lines of one seat, at least."""
ASIDE_S = 3.0
"""Seconds for which it stays out of the way, so that people can pass."""
REMIND_S = 45.0
"""Seconds between two requests for what its body cannot do."""


class PartnerPlayer(BodyPlayer):
    """A scripted partner in one seat; partners of one episode share the work."""

    def __init__(
        self, seat: str, work: SharedWork, manner: PartnerManner | None = None, seed: int = 0
    ) -> None:
        super().__init__(seat, seed)
        self.work = work
        self.manner = manner or PartnerManner()
        self._has_told = False
        """Whether it has shared the work out, so that others know who has what."""
        self.is_stopped = False
        self._stopped_by = ""
        work.join(seat)
        self._pace = SeatOptions(speed=self.manner.speed)
        self._talk = Conversation(self, work)
        self._hearing = Hearing(seat, work, self._talk)
        self._lines: deque[str] = deque()
        self._next_line = 0
        self._orders: deque[Order] = deque()
        self._interrupted = False
        self._busy_with = self._last_busy_with = ""
        self._finishing = Finishing(seat, work)
        self._asked_at = -math.inf
        self._offers = Offers(seat, work)
        self._left_to_others: set[tuple[str, str]] = set()
        """Things whose place it has said to leave to others, with what they carry."""
        self._settled: Vec3 | None = None
        """The place at which it last looked whether it stands in the way."""

    # What is asked of it: `conversation.Hands`

    def told_doing(self) -> str:
        if self.is_stopped:
            return "I have stopped. Say go on when I should continue."
        if self.aim is None or self.aim.verb == "wait":
            return f"I am waiting: {self.aim.why if self.aim else 'the task has not begun'}."
        why = f", because {self.aim.why}" if self.aim.why else ""
        return f"I am {self.aim.text}{why}."

    def busy_with(self) -> str:
        return self._busy_with or self._last_busy_with

    def stop(self, asker: str) -> None:
        self._stopped_by = asker
        self.is_stopped = self._interrupted = True
        self._orders.clear()

    def go_on(self) -> None:
        self.is_stopped = False

    def obey(self, order: Order) -> None:
        self.is_stopped = False
        self._interrupted = True
        self._orders.append(order)

    def let_go_of(self, thing: str) -> None:
        self._orders = deque(order for order in self._orders if order.thing != thing)
        if self._busy_with == thing:
            self._interrupted = True

    # Each tick

    def intents(self, core: SessionCore) -> list[Intent]:
        self._lines.extend(self._hearing.answers(core))
        # What somebody leaves is taken over before it is asked whether there is anything to do.
        self._settle(core)
        wanted = super().intents(core)
        fastest = core.profile.for_skills.speed[core.world.bodies[self.seat].kind]
        wanted = self._pace.paced(wanted, fastest)
        if self._lines and core.phase == "running" and core.tick >= self._next_line:
            self._next_line = core.tick + round(LINE_S * TICK_RATE)
            return [*wanted, Say(self._lines.popleft())]
        return wanted

    def see(self, tick: Tick) -> None:
        super().see(tick)
        due = tick.tick + round(self.manner.answers_after_s * TICK_RATE)
        for event in tick.events:
            if isinstance(event, Did):
                self._talk.openings.saw(event)
            if isinstance(event, Said) and event.seat not in self.work.seats:
                self._hearing.note(due, event.seat, event.text)
            elif isinstance(event, Did) and event.seat != self.seat:
                self._offers.acted = tick.tick
                if event.seat not in self.work.seats:
                    self.work.note(event.target)

    def close(self) -> None:
        super().close()
        self.work.leave(self.seat)

    def _settle(self, core: SessionCore) -> None:
        """See to it that nobody has a share who is not there, and say who has it now."""
        if core.phase != "running" or not self._has_told or self.seat != self.work.lead:
            return
        for left in self.work.settle(core):
            self._asked_at = core.tick
            goals = [self.work.goals[n] for n in sorted(self.work.open)]
            self._lines.append(Phrases(core, self.seat).inherits(left, goals))

    # The script

    def script(self, body: Body) -> Script:
        core, work = body.core, self.work
        work.prepare(core)
        yield from begin(core)
        self._tell_plan(core)
        yield from self._rest(self.manner.pause_s)
        idle_since = core.tick
        while core.phase == "running":
            self._interrupted = False
            if is_pushed(core, self.seat) and not self._orders:
                # Whoever waits or has been stopped still lets people pass.
                yield from self._try(
                    body, self._step_aside(body, Phrases(core, self.seat).why_aside)
                )
                continue
            work.strike_out(core)
            if self.is_stopped:
                asked = Phrases(core, self.seat).asked_by(self._stopped_by)
                self._show("wait", "stopped", why=f"{asked} stop")
                yield [STILL]
                yield from self._end(core)
                continue
            if self._orders:
                idle_since = core.tick
                yield from self._finishing.withdraw()
                yield from self._try(body, self._obey(body, self._orders.popleft()))
                idle_since = core.tick
                continue
            number = work.next(core, self.seat)
            held = body.held
            awaited = work.awaited(core, self.seat)
            if awaited and (held == awaited[0] or (held is None and number is None)):
                yield from self._await(core, *awaited)
                continue
            if held is not None and (number is None or work.goals[number].thing != held):
                yield from self._try(body, put_anywhere(body))
                continue
            tap = work.to_bring(core, self.seat) if number is None else None
            if number is not None or tap is not None:
                self._offers.had_part = True
                idle_since = core.tick
                yield from self._finishing.withdraw()
                if number is not None:
                    yield from self._see_to(body, number)
                elif tap is not None:
                    yield from self._bring(body, *tap)
                idle_since = core.tick
                continue
            if self._settled != body.position and blocks(core, body.position):
                yield from self._try(body, self._step_aside(body, "others want to pass"))
            self._settled = body.position
            yield from self._wait(core, (core.tick - idle_since) / TICK_RATE)

    def _rest(self, seconds: float) -> Script:
        for _ in range(round(seconds * TICK_RATE)):
            if self._interrupted:
                return
            yield []

    def _try(self, body: Body, script: Script) -> Generator[list[Intent], None, SkillError | None]:
        """Run a script until it ends or something said interrupts it; return why it failed.

        What was said since the last look at the orders interrupts it, too: a stop must not be lost.
        """
        try:
            for wanted in script:
                if self._interrupted:
                    script.close()
                    yield [STILL]
                    return None
                yield wanted
        except SkillError as failure:
            return failure
        return None

    def _steps(self, body: Body, thing: str, steps: list[Step], why: str) -> Script:
        """Do steps one after the other, and show each."""
        self._busy_with = self._last_busy_with = thing
        try:
            for step in steps:
                if isinstance(step, Take) and body.held == step.target:
                    continue
                self.aim = step_aim(body.core.names.labels, thing, steps, step, why)
                self.status = self.aim.text
                if isinstance(step, Go) and (room := room_of(body, step.target)) is not None:
                    yield from go_to_room(body, room)
                else:
                    yield from do(body, step)
        finally:
            self._busy_with = ""

    def _show(
        self, verb: AimVerb, text: str, thing: str = "", place: str = "", why: str = ""
    ) -> None:
        self.aim = Aim(verb, text, thing, place, why)
        self.status = text

    # Goals

    def _see_to(self, body: Body, number: int) -> Script:
        core, goal = body.core, self.work.goals[number]
        self._busy_with = goal.thing
        asker = self.work.by_request.get(goal.thing)
        belongs = "it belongs there" if goal.puts else "the task asks for it"
        why = Phrases(core, self.seat).asked_by(asker) if asker else belongs
        # Shown before it begins, so that people can object.
        labels, steps = core.names.labels, goal.ways[0]
        first = steps[1] if body.held == goal.thing and len(steps) > 1 else steps[0]
        self.aim = step_aim(labels, goal.thing, steps, first, why)
        self.status = self.aim.text
        yield from self._rest(self.manner.pause_s)
        if self._interrupted or core.phase != "running":
            return
        run = self._reach(body, number, self._steps(body, goal.thing, goal.ways[0], why))
        failure = yield from self._try(body, run)
        if failure is not None and self.work.missed(number):
            self._give_up(core, number)

    def _while_open(self, body: Body, number: int, script: Script) -> Script:
        """Run a script for a goal, as long as nobody else has its thing or has brought it about."""
        core, goal = body.core, self.work.goals[number]
        thing, way = goal.thing, goal.ways[0]
        # Others may have seen to it in the pause before it begins: the first look is at once.
        looked: int | None = None
        owner = self.work.owner.get(thing)
        for wanted in script:
            is_spared = thing in self.work.spared
            if self.work.owner.get(thing) != owner and (body.held != thing or is_spared):
                script.close()
                yield [STILL]
                return
            if self._offers.acted != looked and self.work.is_for_others_to_choose(core, number):
                script.close()
                yield [STILL]
                return
            if self._offers.acted != looked and body.held != thing:
                looked = self._offers.acted
                self.work.strike_out(core)
                holder = core.world.holders.get(thing)
                if number not in self.work.open or holder not in (None, self.seat):
                    script.close()
                    yield [STILL]
                    return
            if body.held == thing and goal.ways[0] is not way:
                # Somebody has chosen another place for it: it is put there.
                script.close()
                yield [STILL]
                return
            yield wanted

    def _reach(self, body: Body, number: int, script: Script) -> Script:
        """Run a script that reaches a goal, and take note that it has."""
        yield from self._while_open(body, number, script)
        thing = self.work.goals[number].thing
        holder = body.core.world.holders.get(thing)
        if holder not in (None, self.seat):
            # Whoever has taken it into the hand sees to it.
            self.work.hand(thing, holder, holder)
        elif self.work.owner.get(thing) != self.seat:
            return
        elif self.work.is_for_others_to_choose(body.core, number):
            # It waits, with the thing in its hand or without.
            return
        elif body.held is None or self.work.goals[number].keeps_in_hand:
            self.work.reached(number)

    def _give_up(self, core: SessionCore, number: int) -> None:
        """Ask somebody else for what it has tried in vain."""
        goal = self.work.goals[number]
        others = [s for s in there(core) if s not in self.work.seats]
        people = [s for s in others if not core.seats[s].policy] or others
        people.sort(key=lambda s: core.seats[s].finished or is_away(core, s))
        if not people or goal.thing in self._offers.named:
            self.work.reached(number)
            return
        self._offers.named.add(goal.thing)
        self.work.hand(goal.thing, people[0])
        say = Phrases(core, self.seat)
        self._lines.append(say.to(people[0], say.ask_for([goal])))

    def _bring(self, body: Body, thing: str, tap: str) -> Script:
        core = body.core
        yield from self._rest(self.manner.pause_s)
        steps: list[Step] = [Take(thing), Put(tap, "on")]
        number = self.work.goals_of(thing)[0]
        say = Phrases(core, self.seat)
        verb, washer = say.verb(self.work.goals[number]), self.work.owner.get(thing)
        who = say.you(washer) if washer is not None else "somebody"
        run = self._steps(body, thing, steps, f"{who} can {verb} it there")
        failure = yield from self._try(body, self._while_open(body, number, run))
        here = core.view.receptacle_of(thing)
        if failure is not None:
            self.work.bringing.pop(thing, None)
        elif here is not None and here.furniture.handle == tap:
            self.work.bringing.pop(thing, None)
            goals = [self.work.goals[n] for n in self.work.goals_of(thing)]
            self._asked_at = core.tick
            washer = self.work.owner.get(thing)
            told = f"{say.where(thing)} {say.ask_for(goals[:1])}"
            self._lines.append(told if washer is None else say.to(washer, told))

    # Orders

    def _obey(self, body: Body, order: Order) -> Script:
        if order.makes_way:
            yield from self._step_aside(body, order.why)
            return
        yield from self._steps(body, order.thing, order.steps, order.why)
        if order.to_seat:
            whom = Phrases(body.core, self.seat).you(order.to_seat)
            self._show("go", f"coming to {whom}", order.thing, "", order.why)
            yield from come_to(body, order.to_seat)
            if body.held is not None and not order.is_short:
                yield from put_anywhere(body)
                say = Phrases(body.core, self.seat)
                self._lines.append(say.to(order.to_seat, say.where(order.thing)))

    def _step_aside(self, body: Body, why: str) -> Script:
        """Go out of everybody's way, and stay there for a moment."""
        self._show("go", "stepping aside", why=why)
        yield from make_way(body, self._others(body.core))
        yield [STILL]
        yield from self._rest(ASIDE_S)

    def _others(self, core: SessionCore) -> list[str]:
        return [s for s in core.state.occupied() if s != self.seat]

    # With nothing to do

    def _await(self, core: SessionCore, thing: str, carried: str) -> Script:
        """Wait until somebody has put down what a thing of its own goes with."""
        say, holder = Phrases(core, self.seat), core.world.holders[carried]
        self._show("wait", "waiting", thing, why=say.goes_with(thing, carried))
        if (thing, carried) not in self._left_to_others:
            self._left_to_others.add((thing, carried))
            self._lines.append(say.to(holder, say.you_choose(thing, carried)))
        yield from self._rest(0.2)

    def _wait(self, core: SessionCore, idle_s: float) -> Script:
        blocking = self.work.blocked_by(core, self.seat)
        say = Phrases(core, self.seat)
        theirs = [s for s in core.state.occupied() if s not in self.work.seats]
        if blocking:
            why = f"somebody has to {say.wanted(blocking[0])} first"
        elif self.work.open or self._finishing.in_hands(core) or not core.verdict().success:
            left = [thing for seat in theirs for thing in self.work.things(seat)]
            whose = "yours" if len(theirs) == 1 else "for others"
            why = f"what is left is {whose}, {say.some(left)}" if left else "my part is done"
        else:
            why = "everything is done"
        self._show("wait", "waiting", why=why)
        people = [g for g in blocking if g.for_people]
        if people and core.tick - self._asked_at > REMIND_S * TICK_RATE:
            self._asked_at = core.tick
            washer = self.work.owner.get(people[0].thing)
            asked = say.ask_for(people[:1])
            self._lines.append(asked if washer is None else say.to(washer, asked))
        self._offer(core, idle_s)
        yield from self._end(core)

    def _end(self, core: SessionCore) -> Script:
        """Finish where it is time to; look again a moment later."""
        acted, say = self._offers.acted, self._lines.append
        yield from self._finishing.end(core, acted, say, is_stopped=self.is_stopped)
        yield from self._rest(0.2)

    def _offer(self, core: SessionCore, idle_s: float) -> None:
        """Say that it could take a thing of a person's share, or takes it."""
        taking = self._talk.taking
        unanswered = taking.offered
        offer = self._offers.due(
            core, idle_s, unanswered, taking.declined, is_relieved=taking.is_relieved
        )
        if offer is not None:
            thing, line = offer
            if self.work.owner[thing] == self.seat:
                unanswered.remove(thing)
                self._talk.taking.announce(core, [thing])
            else:
                self._talk.offer(core, thing)
            self._lines.append(line)

    def _tell_plan(self, core: SessionCore) -> None:
        """Share the work out aloud."""
        self._has_told = True
        if self.seat != self.work.lead:
            return
        said = shared_out(core, self.work, self.seat)
        if said:
            self._asked_at = core.tick
            self._talk.taking.announce(core, self.work.things(self.seat))
            self._lines.append(said)
