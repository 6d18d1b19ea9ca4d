"""A person who knows the goal, sees what its seat sees, and goes about it; the base of all eight.

It is asked like every policy. What it does next is the first of: what it has to say, a habit of
its own, what it was asked to do, the next errand, and waiting a while before it has finished.
"""

from __future__ import annotations

import random

from server.robots.baselines.people.answers import answer
from server.robots.baselines.people.errands import Errand, Target
from server.robots.baselines.people.moves import asked_call, change, put_down
from server.robots.baselines.people.requests import Line, heard_by, understand
from server.robots.baselines.people.search import Search
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
from server.sessions.spec import TICK_RATE
from server.skills.call import Call

MOST_TRIES = 4
"""Tries of an errand before it is given up."""
MOST_LINES = 24
"""Lines of chat that a person says in an episode, at most."""
MOST_REOPENED = 3
"""Times that an errand which was undone is taken up again."""
MOST_CALLS = 220
"""Calls of skills after which a person has had enough."""
BUSY_S = 15.0
"""Seconds that it waits at a time for a thing in another's hand, and how often below."""
MOST_WAITS = 8
WAITS_S = 8.0
"""Seconds for which it waits when it is asked to."""
MOST_ASKED_STEPS = 10
"""Calls that it makes for one request, at most."""


class Person(Policy):
    """The base: brisk, silent but for short answers, and willing."""

    patience_s = 10.0
    """Seconds to wait for the others, or for a word, once it has nothing left to do."""
    answers_after_s = 1.0

    def __init__(self, name: str, seat: str, seed: int) -> None:
        self._seed = f"{name} {seed} {seat}"
        self.rng = random.Random(self._seed)
        self.errands: tuple[Errand, ...] = ()
        """The errands that it means to do."""
        self.done: set[int] = set()
        self.given_up: set[int] = set()
        self.asked: list[tuple[str, Line]] = []
        """Requests that it has agreed to and has not seen to, with who asked."""
        self.now: int | None = None
        """The errand that it is at."""
        self.search = Search()
        self.lines = 0
        self._to_say: list[tuple[int, str, str]] = []
        self._tries: dict[int, int] = {}
        self._reopened: dict[int, int] = {}
        self._touched: set[str] = set()
        """Things that somebody, as far as it saw, has put down since the start."""
        self._heard = self._seen = self._past = 0
        self._rest_until = 0
        self._news = 0
        """The tick of the last act, line or call that it knows of."""
        self._waits = 0
        self._asked_calls: dict[str, int] = {}

    def begin(self, errands: tuple[Errand, ...], instruction: str) -> None:
        """Take note of what is wanted, before the first question.

        Each task has draws of its own: else all of them would meet the same luck.
        """
        self.errands = errands
        self.rng = random.Random(f"{self._seed} {instruction}")

    # What its own people change

    def habit(self, view: PolicyView) -> Decision | None:
        """Do what is its own way; None: nothing now."""
        return None

    def prefers(self, view: PolicyView, ready: list[int]) -> int | None:
        """Choose among errands that wait for nothing; None: none of them yet."""
        return ready[0]

    def agrees(self, view: PolicyView, seat: str, line: Line) -> str | None:
        """Return what it says to a request that it will carry out; None: it refuses."""
        return "All right."

    def refusal(self, line: Line) -> str:
        return "No."

    def heard(self, view: PolicyView, seat: str, line: Line) -> None:
        """Take note of a line that is no request."""

    def saw(self, view: PolicyView, seat: str, call: Call) -> None:
        """Take note of an act of somebody else."""

    def came_of(self, view: PolicyView, past: PastCall) -> None:
        """Take note of a call of its own that is over."""

    def answers(self, view: PolicyView, line: Line) -> str:
        """Answer a question; empty: it does not."""
        return answer(view, line, self.errands, self.undone(), self.now)

    def target_of(self, view: PolicyView, number: int) -> Target:
        """Return where it means to put the thing of an errand."""
        targets = self.errands[number].targets
        return targets[self._tries.get(number, 0) % len(targets)]

    def thing_of(self, view: PolicyView, number: int) -> str:
        """Return the thing that it takes for that of an errand."""
        return self.errands[number].thing

    # Deciding

    async def decide(self, view: PolicyView) -> Decision:
        self._notice(view)
        if len(view.history) > MOST_CALLS:
            return Finished()
        said = self._speak(view)
        if said is not None:
            return said
        if view.tick < self._rest_until:
            return Pause(self._rest_until - view.tick)
        for part in (self.habit, self._serve, self._work, self._linger):
            decision = part(view)
            if decision is not None:
                return decision
        return Finished()

    def say(self, view: PolicyView, text: str, to: str = "", after_s: float = 0.0) -> None:
        """Say something, some time later; no more than `MOST_LINES`."""
        if text and self.lines < MOST_LINES:
            self.lines += 1
            self._to_say.append((view.tick + round(after_s * TICK_RATE), text, to))

    def rest(self, view: PolicyView, seconds: float) -> Decision | None:
        """Do nothing for a while, whatever happens meanwhile."""
        ticks = round(seconds * TICK_RATE)
        if ticks <= 0:
            return None
        self._rest_until = view.tick + ticks
        return Pause(ticks)

    def others(self, view: PolicyView) -> list[str]:
        """Return the seats of others that may still do something."""
        return [p.seat for p in view.partners if p.is_at_work]

    def quiet_s(self, view: PolicyView) -> float:
        """Return how long nothing has happened that it knows of (s)."""
        return (view.tick - self._news) / TICK_RATE

    # Noticing

    def _notice(self, view: PolicyView) -> None:
        if not self._news:
            self._news = view.tick
        for past in view.history[self._past :]:
            self._news = view.tick
            if past.succeeded and isinstance(past.call, Call) and past.call.place:
                self._note_put(view, past.call)
            self.came_of(view, past)
        self._past = len(view.history)
        for act in view.partner_acts[self._seen :]:
            self._news = view.tick
            if act.call.name == "Place":
                self._note_put(view, act.call)
            self.saw(view, act.seat, act.call)
        self._seen = len(view.partner_acts)
        for said in view.chat[self._heard :]:
            if said.seat != view.seat:
                self._news = view.tick
                self._hear(view, said.seat, said.text)
        self._heard = len(view.chat)
        self._strike_out(view)

    def _note_put(self, view: PolicyView, call: Call) -> None:
        key = view.graph.find(call.thing)
        if key is not None:
            self._touched.add(key)

    def _hear(self, view: PolicyView, seat: str, text: str) -> None:
        rest = heard_by(text, view.seat, view.graph)
        if not rest:
            return
        line = understand(rest, view.graph, {e.thing: e.word for e in self.errands})
        if line.kind == "do":
            agreed = self.agrees(view, seat, line)
            if agreed is not None:
                self.asked = [*self.asked, (seat, line)][-5:]
            said = self.refusal(line) if agreed is None else agreed
            self.say(view, said, seat, self.answers_after_s)
            return
        self.heard(view, seat, line)
        if line.kind not in ("no", "thanks", "other"):
            self.say(view, self.answers(view, line), seat, self.answers_after_s)

    def _strike_out(self, view: PolicyView) -> None:
        """Note which errands hold, as far as it knows, and take up again what was undone."""
        for number, errand in enumerate(self.errands):
            if not errand.needs <= self.done:
                continue
            holds = self.holds(view, number)
            if holds:
                self.done.add(number)
                self.given_up.discard(number)
            elif number in self.done and self._may_reopen(number):
                self._reopened[number] = self._reopened.get(number, 0) + 1
                self.done.discard(number)

    def _may_reopen(self, number: int) -> bool:
        """Tell whether to take up again what was undone: not what a later errand has changed."""
        later = self.errands[number + 1 :]
        is_last = not any(set(e.things) & set(self.errands[number].things) for e in later)
        return is_last and self._reopened.get(number, 0) < MOST_REOPENED

    def holds(self, view: PolicyView, number: int) -> bool:
        """Tell whether it believes that an errand is done."""
        errand = self.errands[number]
        graph = view.graph
        if errand.state is not None:
            known = graph.objects.get(errand.thing)
            states = known.states if known else graph.furniture_states.get(errand.thing, ())
            return errand.state in states
        meant = {e.thing for e in self.errands if e.targets} - {errand.thing}
        return any(self._is_right(view, errand, t) for t in errand.things if t not in meant)

    def _is_right(self, view: PolicyView, errand: Errand, thing: str) -> bool:
        known = view.graph.objects.get(thing)
        if known is None or known.place.kind != "furniture":
            return False
        near = errand.targets[0].near
        if near and thing not in self._touched:
            return False
        if errand.accepts:
            return known.place.key in errand.accepts
        return thing in self._touched

    # Doing what one is asked

    def _serve(self, view: PolicyView) -> Decision | None:
        while self.asked:
            decision = self._asked_step(view, self.asked[0][1])
            if decision is not None:
                return decision
            self.asked.pop(0)
        return None

    def _asked_step(self, view: PolicyView, line: Line) -> Decision | None:
        """Return the next step of what was asked; None: it is done, or cannot be."""
        key = f"{line.skill} {line.thing} {line.place}"
        times = self._asked_calls.get(key, 0)
        self._asked_calls[key] = times + 1
        if times >= MOST_ASKED_STEPS:
            return None
        if line.skill == "Wait":
            return self.rest(view, WAITS_S) if times == 0 else None
        mine = self._errand_of(line)
        if mine is not None:
            if mine in self.done or mine in self.given_up:
                return None
            # What has to come first is done first.
            first = [n for n in self.undone() if n in self.errands[mine].needs]
            return self.step(view, min(first, default=mine))
        return asked_call(view, line, times)

    def _errand_of(self, line: Line) -> int | None:
        """Return the errand of its own that a request is about; None: it is about another thing."""
        if line.skill in ("Wait", "Away", "Open", "Close", "Explore", "Navigate"):
            return None
        for number, errand in enumerate(self.errands):
            if number in self.done or line.thing not in errand.things:
                continue
            if errand.skill == line.skill or (errand.targets and line.skill == "Rearrange"):
                return number
        return None

    # Doing what one means to

    def undone(self) -> list[int]:
        """Return the errands that are left."""
        return [n for n in range(len(self.errands)) if n not in self.done | self.given_up]

    def _work(self, view: PolicyView) -> Decision | None:
        left = self.undone()
        ready = [
            n for n in left if self.errands[n].needs <= self.done | self.given_up
            and not self._is_in_other_hands(view, n)
        ]  # fmt: skip
        if left and not ready and self._waits < MOST_WAITS:
            self._waits += 1
            return Pause(round(BUSY_S * TICK_RATE))
        held = view.graph.held(view.seat)
        if self.now not in ready:
            mine = [n for n in ready if held is not None and self.thing_of(view, n) == held]
            self.now = mine[0] if mine else self.prefers(view, ready) if ready else None
            if self.now is not None and not mine:
                decision = self.before(view, self.now)
                if decision is not None:
                    return decision
        if self.now is None:
            return self._put_down(view, held) if held is not None else None
        return self.step(view, self.now)

    def before(self, view: PolicyView, number: int) -> Decision | None:
        """Do something before an errand is begun."""
        return None

    def _is_in_other_hands(self, view: PolicyView, number: int) -> bool:
        known = view.graph.objects.get(self.errands[number].thing)
        return known is not None and known.place.kind == "agent" and known.place.key != view.seat

    def step(self, view: PolicyView, number: int) -> Decision | None:
        """Return the next call of an errand."""
        errand, thing = self.errands[number], self.thing_of(view, number)
        self.now = number
        held = view.graph.held(view.seat)
        if held is not None and held != thing:
            return self._put_down(view, held)
        known = view.graph.objects.get(thing)
        if thing not in view.graph.rooms and (known is None or known.place.kind == "unknown"):
            found = self.seek(view, number)
            if found is None:
                self._give_up(number)
                return self._work(view)
            return found
        if self._tries.get(number, 0) >= MOST_TRIES * 2:
            self._give_up(number)
            return self._work(view)
        self._tries.setdefault(number, 0)
        if errand.skill:
            call, counts = change(view, errand, self._tries[number])
            self._tries[number] += counts
            return Do(call)
        return self.put(view, number, thing)

    def seek(self, view: PolicyView, number: int) -> Decision | None:
        """Look for the thing of an errand; None: everything has been looked through."""
        return self.search.step(view)

    def put(self, view: PolicyView, number: int, thing: str) -> Decision | None:
        """Take a thing to where it means to put it."""
        names = view.graph.names.graph
        target = self.target_of(view, number)
        key, near = target.key, target.near
        if near and near not in view.graph.rooms:
            beside = view.graph.objects.get(near)
            if beside is None:
                found = self.seek(view, number)
                if found is not None:
                    return found
                near = ""
            elif not key and beside.place.kind == "furniture":
                key = beside.place.key
        elif near and not key:
            key = f"floor|{view.graph.rooms[near]}"
        if not key:
            key = next(iter(view.graph.rooms))
        self._tries[number] = self._tries.get(number, 0) + 1
        beside_name = names.get(near, "")
        if self._tries[number] > MOST_TRIES:
            beside_name = ""
        return Do(Call.putting("Rearrange", names[thing], target.relation, names[key], beside_name))

    def _give_up(self, number: int) -> None:
        self.given_up.add(number)
        if self.now == number:
            self.now = None

    def _put_down(self, view: PolicyView, held: str) -> Decision | None:
        """Put down what is in its hand and not needed there."""
        times = self._asked_calls.get(f"down {held}", 0)
        self._asked_calls[f"down {held}"] = times + 1
        if times >= MOST_TRIES:
            return None
        return Do(put_down(view, held, times))

    # Speaking and waiting

    def _speak(self, view: PolicyView) -> Decision | None:
        for entry in self._to_say:
            if entry[0] <= view.tick:
                self._to_say.remove(entry)
                return SayLine(entry[1], entry[2])
        return None

    def _linger(self, view: PolicyView) -> Decision | None:
        due = min((tick for tick, _, _ in self._to_say), default=None)
        if due is not None:
            return Pause(max(due - view.tick, 1))
        left = self.patience_s - self.quiet_s(view)
        if not self.others(view) or left <= 0:
            return None
        return Pause(max(round(left * TICK_RATE), 1))
