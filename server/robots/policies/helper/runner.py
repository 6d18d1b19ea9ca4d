"""Runs a program line by line: binds names, searches, checks, calls skills, and deals with failure.

Never nested, as in HELPER-X: a failed line is repaired once by the model, tried once with another
thing or place, and then left. No model is called here: what one is needed for is handed out.
"""

from __future__ import annotations

from typing import Literal

from server.robots.policies.helper.binding import Binder, fitting, is_near
from server.robots.policies.helper.finding import Finding
from server.robots.policies.helper.language import FUNCTIONS, UNTIL_DONE, Declared, Line, Program
from server.robots.policies.helper.partner import is_for_partner, partner_has, request_for
from server.robots.policies.helper.progress import Progress
from server.robots.policies.helper.search import Searching
from server.robots.policies.helper.settings import Running
from server.robots.policies.helper.steps import (
    PUT_DOWN_PLACES,
    STATES,
    Step,
    check,
    holds,
    put_down,
    steps_for,
    tools_of,
)
from server.robots.policies.helper.subgoals import Need, Repair, Subgoal
from server.robots.policy import Decision, Do, Pause, PolicyView, SayLine
from server.sessions.spec import TICK_RATE

WAIT_TICKS = TICK_RATE
MOST_TURNS = 500
"""So many lines are passed over in one decision; more is a fault of this module."""
UNSEARCHED = "its whereabouts are not known"


class Runner:
    """One program after another, in one episode."""

    def __init__(self, settings: Running, *, asks_which: bool = False) -> None:
        self.settings = settings
        self.binder = Binder()
        self.progress = Progress(self.binder)
        self.searching = Searching(settings.looks, settings.views)
        self.failures = 0
        self._finding = Finding(self.binder, self.searching, asks_which=asks_which)
        self._current: Subgoal | None = None
        self._doing: tuple[Subgoal, Subgoal, Step] | None = None
        """The line, the line or the line of its patch that is run, and the call under way."""
        self._failed: tuple[Subgoal, Subgoal, Step, str] | None = None
        self._read = 0
        self._opened: list[str] = []
        self._beside: set[frozenset[str]] = set()
        self._members: dict[str, list[str]] = {}
        self._put_downs = 0
        self._emptying = Subgoal(Line("put_down"))
        """What is still held at the end is put down."""
        self._requests = 0
        self._rechecks = 0

    def start(self, program: Program) -> None:
        """Run a program from its start; what is left of an earlier one is dropped."""
        self.progress.start(program)
        self.binder.finish()
        self.searching.forget()
        self._members.clear()
        self._current = self._failed = None
        self._rechecks = 0

    # The next thing to do

    def next(self, view: PolicyView) -> Decision | Need | None:
        """What to do now, or what the model is needed for; None: the program is over."""
        self._learn(view)
        for _ in range(MOST_TURNS):
            outcome = self._turn(view)
            if outcome != "again":
                return outcome
        raise RuntimeError(f"a program goes round in circles: {self.progress.told()}")

    def _turn(self, view: PolicyView) -> Decision | Need | Literal["again"] | None:
        if self._failed is not None:
            failed, self._failed = self._failed, None
            return self._fail(view, *failed) or "again"
        if self._is_over():
            return None
        subgoal = self._pick(view)
        if subgoal is not None:
            self._current = subgoal
            return self._advance(view, subgoal) or "again"
        if any(s.status == "open" for s in self.progress.subgoals):
            return Pause(WAIT_TICKS)
        return self._end(view)

    def _is_over(self) -> bool:
        most, left = self.settings.most_failures, self.settings.most_left
        if most is not None and self.failures >= most:
            return True
        return left is not None and sum(s.status == "left" for s in self.progress.subgoals) >= left

    def _end(self, view: PolicyView) -> Decision | Literal["again"] | None:
        """The hand is emptied, and what has been undone is done again."""
        is_holding = view.graph.held(view.seat) is not None
        if self.settings.checks and is_holding and self._put_downs < PUT_DOWN_PLACES:
            last = self._emptying
            if not last.steps:
                last.steps = put_down(view, tools_of(view), self._put_downs)
            return self._issue(view, last, last, last.steps[0])
        if self._rechecks < self.settings.rechecks:
            self._rechecks += 1
            # What a repair did somewhere else is as it should be.
            undone = [
                s for s in self.progress.placements() if not s.helped and not self._holds(view, s)
            ]
            for subgoal in undone:
                subgoal.status, subgoal.steps, subgoal.attempt = "open", None, 1
            if undone:
                return "again"
        return None

    # Which line

    def _pick(self, view: PolicyView) -> Subgoal | None:
        current = self._current
        if (
            current is not None
            and current.status == "open"
            and (current.steps or current.patch)
            and not self._is_blocked(view, current)
        ):
            return current
        waiting: set[str] = set()
        for subgoal in self.progress.subgoals:
            if subgoal.status != "open":
                continue
            line = subgoal.line
            if line.verb == UNTIL_DONE and waiting:
                return None
            if line.verb in FUNCTIONS:
                subgoal.status = "done"
                continue
            used = {line.thing, line.other, line.beside} & self.progress.movable()
            if not used & waiting and not self._is_blocked(view, subgoal):
                if subgoal.status == "open":
                    return subgoal
                continue
            if not self.settings.goes_on:
                return None
            waiting |= used
        return None

    def _is_blocked(self, view: PolicyView, subgoal: Subgoal) -> bool:
        """Whether a line waits for the partner. One that has waited too long is left."""
        since = subgoal.asked
        if since is not None:
            if self._is_granted(view, subgoal):
                subgoal.status = "done"
                return False
        elif partner_has(view, self.binder.bound.get(subgoal.line.thing, "")):
            since = subgoal.blocked = view.tick if subgoal.blocked is None else subgoal.blocked
        else:
            subgoal.blocked = None
            return False
        if view.tick - since < self.settings.partner_wait_s * TICK_RATE:
            return True
        self.progress.give_up(subgoal, "the partner took too long")
        return False

    def _is_granted(self, view: PolicyView, subgoal: Subgoal) -> bool:
        """Whether the partner has done what it was asked for."""
        declared = self.progress.declared[subgoal.line.thing]
        among = self.binder.candidates(view, declared)
        if declared.every:
            among = self._members.get(declared.name, [])
        done = [k for k in among if holds(view, subgoal.line, {declared.name: k}, self._beside)]
        if declared.every:
            return bool(done) and len(done) == len(among)
        if done:
            self.binder.bound.setdefault(declared.name, done[0])
        return self._holds(view, subgoal)

    # One line

    def _advance(self, view: PolicyView, subgoal: Subgoal) -> Decision | Need | None:
        """None: something has changed, choose again."""
        if subgoal.patch is not None:
            if not subgoal.patch:
                self._patched(view, subgoal)
                return None
            return self._run(view, subgoal, subgoal.patch[0])
        declared = self.progress.declared[subgoal.line.thing]
        if declared.every:
            return self._run_all(view, subgoal, declared)
        return self._run(view, subgoal, subgoal)

    def _run(self, view: PolicyView, subgoal: Subgoal, active: Subgoal) -> Decision | Need | None:
        line = active.line
        keys: dict[str, str] = {}
        for name in filter(None, (line.thing, line.other, line.beside)):
            found = self._finding.find(view, subgoal, self.progress.declared[name])
            if isinstance(found, str):
                keys[name] = found
                continue
            if isinstance(found, Step):
                return self._issue(view, subgoal, subgoal, found)
            if found is None:
                if line.verb in STATES and is_for_partner(view, line):
                    # The partner may well know where it is.
                    return self._request(view, subgoal, line, "")
                self.progress.finish(subgoal, active, left=UNSEARCHED)
            return found
        if holds(view, line, keys, self._beside):
            self.progress.finish(subgoal, active)
            return None
        is_theirs = partner_has(view, keys[line.thing])
        if active is not subgoal and (is_theirs or is_for_partner(view, line)):
            # A repair waits for nobody.
            self.progress.finish(subgoal, active, left="it is for the partner")
            return None
        if is_theirs:
            return Pause(WAIT_TICKS) if self._is_blocked(view, subgoal) else None
        if is_for_partner(view, line):
            return self._request(view, subgoal, line, keys[line.thing])
        if active.steps is None:
            active.steps = steps_for(view, line, keys, self._put_downs)
        return self._go_on(view, subgoal, active)

    def _go_on(self, view: PolicyView, subgoal: Subgoal, active: Subgoal) -> Decision | None:
        assert active.steps is not None
        while active.steps:
            step = active.steps[0]
            if not self.settings.checks:
                return self._issue(view, subgoal, active, step)
            verdict = check(view, step, self._opened, self._put_downs)
            if verdict.drop == "line":
                self.progress.finish(subgoal, active, left="it could not be done as things were")
                return None
            if verdict.drop:
                active.steps.pop(0)
            elif verdict.before:
                active.steps[:0] = verdict.before
            else:
                return self._issue(view, subgoal, active, step)
        self.progress.finish(subgoal, active)
        return None

    def _issue(self, view: PolicyView, subgoal: Subgoal, active: Subgoal, step: Step) -> Decision:
        self._doing = (subgoal, active, step)
        return Do(step.call(view.graph))

    def _holds(self, view: PolicyView, subgoal: Subgoal) -> bool:
        return holds(view, subgoal.line, self.binder.bound, self._beside)

    # All of a kind

    def _run_all(
        self, view: PolicyView, subgoal: Subgoal, declared: Declared
    ) -> Decision | Need | None:
        graph, name = view.graph, declared.name
        members = self._members.setdefault(name, [])
        others = {key for other, key in self.binder.bound.items() if other != name}
        for key in fitting(graph, declared.word):
            is_new = key in graph.objects and key not in members and key not in others
            if is_new and (not declared.near or is_near(graph, key, declared.near)):
                members.append(key)
        if self.binder.bound.get(name) is None:
            left = [m for m in members if m not in subgoal.settled]
            mine = [m for m in left if not partner_has(view, m)]
            if mine:
                self.binder.bound[name] = mine[0]
            elif (found := self._finding.search(view, subgoal, declared)) is not None:
                if isinstance(found, Step):
                    return self._issue(view, subgoal, subgoal, found)
                return found
            elif left:
                return Pause(WAIT_TICKS)
            else:
                subgoal.status = "done"
                return None
        return self._run(view, subgoal, subgoal)

    def _request(self, view: PolicyView, subgoal: Subgoal, line: Line, key: str) -> Decision | None:
        """Ask the partner for what the own body cannot do."""
        if subgoal.asked is not None:
            return Pause(WAIT_TICKS)
        subgoal.asked = view.tick
        if self._requests >= self.settings.requests:
            return None
        self._requests += 1
        return SayLine(request_for(view, line, self.progress.declared, key))

    # Learning from what came of a call

    def _learn(self, view: PolicyView) -> None:
        new, self._read = view.history[self._read :], len(view.history)
        if not new or self._doing is None:
            return
        (subgoal, active, step), self._doing = self._doing, None
        past = new[-1]
        self.searching.note(step, past.succeeded)
        is_step = bool(active.steps) and active.steps is not None and active.steps[0] is step
        if past.succeeded:
            self._succeeded(step)
            if is_step and active.steps is not None:
                active.steps.pop(0)
            if active.line.verb == "put_down" and step.place:
                self._put_downs = 0
            return
        if not is_step:
            return
        assert active.steps is not None
        self.failures += 1
        if step.inserted and step.tool == "Open":
            active.steps.pop(0)
        elif step.inserted and self._put_downs < PUT_DOWN_PLACES:
            # What is in the way goes somewhere else.
            self._put_downs += 1
            active.steps = None
        else:
            self._failed = (subgoal, active, step, past.response)

    def _succeeded(self, step: Step) -> None:
        if step.tool == "Open":
            self._opened.append(step.thing)
        if step.place:
            self._beside = {pair for pair in self._beside if step.thing not in pair}
            if step.beside:
                self._beside.add(frozenset((step.thing, step.beside)))
        if step.inserted and step.place:
            self._put_downs = 0

    # Failure

    def _fail(
        self, view: PolicyView, subgoal: Subgoal, active: Subgoal, step: Step, response: str
    ) -> Need | None:
        if partner_has(view, step.thing) or subgoal.status != "open":
            active.steps = None
            return None
        if active is not subgoal:
            self.progress.finish(subgoal, active, left=response)
            return None
        until = self.settings.repairs_until
        may_repair = self.settings.repairs and (until is None or self.failures < until)
        error = response.removeprefix("Unexpected failure! - ")
        subgoal.why = error
        if subgoal.attempt == 0 and may_repair:
            subgoal.attempt = 1
            return Repair(subgoal, self.progress.excerpt(subgoal.line), error)
        self._next_attempt(view, subgoal, step)
        return None

    def _patched(self, view: PolicyView, subgoal: Subgoal) -> None:
        """A repair is through."""
        subgoal.patch = None
        if subgoal.helped or self._holds(view, subgoal):
            self.progress.finish(subgoal, subgoal)
            return
        self._next_attempt(view, subgoal, None)

    def _next_attempt(self, view: PolicyView, subgoal: Subgoal, step: Step | None) -> None:
        """The same with another thing or place; then the line is left."""
        line = subgoal.line
        if subgoal.attempt >= 2:
            self.progress.give_up(subgoal, subgoal.why)
            return
        subgoal.attempt, subgoal.steps = 2, None
        is_thing = step is not None and not step.place and step.thing == self._key(line.thing)
        name = line.thing
        if line.other and line.verb != "bring_next_to" and not is_thing:
            name = line.other
        declared = self.progress.declared[name]
        has_another = not declared.every and self.binder.take_another(view, declared)
        if not has_another and not self.settings.tries_again:
            self.progress.give_up(subgoal, subgoal.why)

    def _key(self, name: str) -> str:
        return self.binder.bound.get(name, "")
