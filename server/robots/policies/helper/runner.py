"""Runner of programs, line by line: binds names, searches, checks, calls skills.

`LineChoice` says which line comes next, `LineRepair` what is done about failures. No model is
called here: what one is needed for is handed out.
"""

from __future__ import annotations

from typing import Literal

from server.robots.policies.helper.addressees import who_can
from server.robots.policies.helper.effects import Effects
from server.robots.policies.helper.line_choice import LineChoice
from server.robots.policies.helper.line_repair import LineRepair
from server.robots.policies.helper.name_binding import Binder, fitting, is_near
from server.robots.policies.helper.partner_requests import is_for_partner, partner_has, request_for
from server.robots.policies.helper.program_parser import Declared, Line, Program
from server.robots.policies.helper.progress import Progress
from server.robots.policies.helper.search import Searches
from server.robots.policies.helper.settings import RunSettings
from server.robots.policies.helper.steps import (
    PUT_DOWN_PLACES,
    STATES,
    Step,
    check,
    put_down,
    steps_for,
    tools_of,
)
from server.robots.policies.helper.subgoals import Failure, Need, Subgoal
from server.robots.policies.helper.thing_lookup import ThingLookup, is_elsewhere
from server.robots.policy import Decision, Do, Pause, PolicyView, SayLine
from server.sessions.spec import TICK_RATE

PARTNER_PAUSE_TICKS = TICK_RATE
"""Pause before looking again whether the partner has done its part (ticks)."""
MOST_TURNS = 500
"""Most lines that one decision passes over; more is a fault of this module."""
UNSEARCHED = "its whereabouts are not known"


class Runner:
    """Runner of one program after another, in one episode."""

    def __init__(self, settings: RunSettings, *, asks_which: bool = False) -> None:
        self.settings = settings
        self.binder = Binder()
        self.progress = Progress(self.binder)
        self.searches = Searches(settings.looks, settings.views)
        self._effects = Effects()
        parts = (settings, self.progress, self.binder, self._effects)
        self.line_choice = LineChoice(*parts)
        self.line_repair = LineRepair(*parts)
        self._lookup = ThingLookup(self.binder, self.searches, asks_which=asks_which)
        self._doing: tuple[Subgoal, Subgoal, Step] | None = None
        """The line, the line itself or that of its patch which is run, and the call under way."""
        self._failed: Failure | None = None
        self._read = 0
        self._put_downs = 0
        self._emptying = Subgoal(Line("put_down"))
        """Stand-in for a line, by which what is still held at the end is put down."""
        self._requests = 0
        self._rechecks = 0

    def start(self, program: Program) -> None:
        """Run a program from its start; what is left of an earlier one is dropped."""
        self.progress.start(program)
        self.line_choice.start()
        self.binder.finish()
        self.searches.forget()
        self._failed = None
        self._rechecks = 0

    # The next thing to do

    def next(self, view: PolicyView) -> Decision | Need | None:
        """Return what to do now, or what the model is needed for; None: the program is over."""
        self._learn(view)
        for _ in range(MOST_TURNS):
            outcome = self._turn(view)
            if outcome != "again":
                return outcome
        raise RuntimeError(f"a program goes round in circles: {self.progress.report()}")

    def _turn(self, view: PolicyView) -> Decision | Need | Literal["again"] | None:
        if self._failed is not None:
            failed, self._failed = self._failed, None
            return self.line_repair.fail(view, failed) or "again"
        if self._is_over():
            return None
        subgoal = self.line_choice.next(view)
        if subgoal is not None:
            return self._advance(view, subgoal) or "again"
        if any(s.status == "open" for s in self.progress.subgoals):
            return Pause(PARTNER_PAUSE_TICKS)
        return self._end(view)

    def _is_over(self) -> bool:
        most, left = self.settings.most_failures, self.settings.most_left
        if most is not None and self.line_repair.failures >= most:
            return True
        return left is not None and sum(s.status == "left" for s in self.progress.subgoals) >= left

    def _end(self, view: PolicyView) -> Decision | Literal["again"] | None:
        """Empty the hand, and do again what has been undone."""
        is_holding = view.graph.held(view.seat) is not None
        if self.settings.checks and is_holding and self._put_downs < PUT_DOWN_PLACES:
            last = self._emptying
            if not last.steps:
                last.steps = put_down(view, tools_of(view), self._put_downs)
            return self._issue(view, last, last, last.steps[0])
        return "again" if self._reopen(view) else None

    def _reopen(self, view: PolicyView, thing: str = "") -> bool:
        """Reopen lines whose thing is no longer where it was put; tell whether there were any.

        All placements are checked, or those of one thing.
        """
        if self._rechecks >= self.settings.rechecks:
            return False
        # What a repair did somewhere else is as it should be.
        undone = [
            s
            for s in self.progress.placements()
            if not s.helped
            and thing in ("", self.binder.bound.get(s.line.thing))
            and not self._effects.hold(view, s.line, self.binder.bound)
        ]
        for subgoal in undone:
            subgoal.status, subgoal.steps, subgoal.attempt = "open", None, 1
        self._rechecks += bool(undone)
        return bool(undone)

    # One line

    def _advance(self, view: PolicyView, subgoal: Subgoal) -> Decision | Need | None:
        """Return the next step of a line; None: something has changed, choose again."""
        if subgoal.patch is not None:
            if not subgoal.patch:
                self.line_repair.patched(view, subgoal)
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
            found = self._lookup.find(view, subgoal, self.progress.declared[name])
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
        if self._effects.hold(view, line, keys):
            self.progress.finish(subgoal, active)
            return None
        is_theirs = partner_has(view, keys[line.thing])
        if active is not subgoal and (is_theirs or is_for_partner(view, line)):
            # A repair waits for nobody.
            self.progress.finish(subgoal, active, left="it is for the partner")
            return None
        if is_theirs:
            return (
                Pause(PARTNER_PAUSE_TICKS) if self.line_choice.is_blocked(view, subgoal) else None
            )
        if is_for_partner(view, line):
            return self._request(view, subgoal, line, keys[line.thing])
        if line.beside and active is subgoal and self._reopen(view, keys[line.beside]):
            # What it was to stand beside has been taken away: that comes first.
            active.steps = None
            return None
        if active.steps is None:
            active.steps = steps_for(view, line, keys, self._put_downs)
        return self._go_on(view, subgoal, active)

    def _go_on(self, view: PolicyView, subgoal: Subgoal, active: Subgoal) -> Decision | None:
        assert active.steps is not None
        while active.steps:
            step = active.steps[0]
            if not self.settings.checks:
                return self._issue(view, subgoal, active, step)
            verdict = check(view, step, self._effects.opened, self._put_downs)
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

    def _run_all(
        self, view: PolicyView, subgoal: Subgoal, declared: Declared
    ) -> Decision | Need | None:
        """Run a line about all of a kind, one after the other."""
        graph, name = view.graph, declared.name
        members = self.progress.members.setdefault(name, [])
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
            elif (found := self._lookup.search(view, subgoal, declared)) is not None:
                if isinstance(found, Step):
                    return self._issue(view, subgoal, subgoal, found)
                return found
            elif left:
                return Pause(PARTNER_PAUSE_TICKS)
            else:
                subgoal.status = "done"
                return None
        return self._run(view, subgoal, subgoal)

    def _request(self, view: PolicyView, subgoal: Subgoal, line: Line, key: str) -> Decision | None:
        """Ask the partner for what the own body cannot do."""
        if subgoal.asked is not None:
            return Pause(PARTNER_PAUSE_TICKS)
        whom = who_can(view)
        if whom is None:
            self.progress.give_up(subgoal, "nobody here can do it")
            return None
        subgoal.asked = view.tick
        if self._requests >= self.settings.requests:
            return None
        self._requests += 1
        return SayLine(request_for(view, line, self.progress.declared, key), whom)

    # What became of a call

    def seeks(self, view: PolicyView) -> bool:
        """Tell whether a line that is not done yet needs something that nobody has seen."""
        used = {
            name
            for s in self.progress.subgoals
            if s.status == "open"
            for name in (s.line.thing, s.line.other, s.line.beside)
            if name and name not in self.binder.bound
        }
        return any(not self.binder.candidates(view, self.progress.declared[n]) for n in used)

    def lets_go(self, view: PolicyView, *, is_answered: bool) -> bool:
        """Tell whether the call under way has lost its purpose.

        That is so where what is looked for has come to light, the partner has told where it is
        (``is_answered``), or what is fetched is in the partner's hand.
        """
        if self._doing is None or not self.settings.lets_go:
            return False
        _, active, step = self._doing
        if active.steps and active.steps[0] is step:
            return partner_has(view, step.thing)
        if is_answered:
            return True
        line = active.line
        names = [n for n in (line.thing, line.other, line.beside) if n]
        sought = next((n for n in names if n not in self.binder.bound), "")
        if not sought or (declared := self.progress.declared[sought]).every:
            return False
        found = self.binder.candidates(view, declared)
        return bool(found) and not is_elsewhere(view, declared, found[0])

    def _learn(self, view: PolicyView) -> None:
        new, self._read = view.history[self._read :], len(view.history)
        if not new or self._doing is None:
            return
        (subgoal, active, step), self._doing = self._doing, None
        past = new[-1]
        is_step = bool(active.steps) and active.steps is not None and active.steps[0] is step
        if past.was_let_go:
            active.steps = None
            return
        self.searches.note(step, past.succeeded)
        if past.succeeded:
            self._effects.note(step)
            if is_step and active.steps is not None:
                active.steps.pop(0)
            if step.place and (step.inserted or active.line.verb == "put_down"):
                self._put_downs = 0
        elif is_step:
            self._note_failure(Failure(subgoal, active, step, past.response))

    def _note_failure(self, failure: Failure) -> None:
        active, step = failure.active, failure.step
        assert active.steps is not None
        self.line_repair.failures += 1
        if step.inserted and step.tool == "Open":
            active.steps.pop(0)
        elif step.inserted and self._put_downs < PUT_DOWN_PLACES:
            # What is in the way goes somewhere else.
            self._put_downs += 1
            active.steps = None
        else:
            self._failed = failure
