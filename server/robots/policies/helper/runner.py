"""Runs a program line by line: binds names, searches, checks, calls skills, and deals with failure.

Never nested, as in HELPER-X: a failed line is repaired once by the model, tried once with another
thing or place, and then left. No model is called here: what one is needed for is handed out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import msgspec

from server.robots.policies.helper.binding import Binder, fitting, is_near, room_of
from server.robots.policies.helper.language import (
    FUNCTIONS,
    NOTHING,
    UNTIL_DONE,
    Declared,
    Line,
    Program,
)
from server.robots.policies.helper.search import Search, Searching
from server.robots.policies.helper.steps import (
    PUT_DOWN_PLACES,
    PUTTING,
    STATES,
    Step,
    check,
    holds,
    put_down,
    steps_for,
    tools_of,
)
from server.robots.policy import Decision, Do, Pause, PolicyView, SayLine
from server.robots.prompts.helper_talk import request
from server.sessions.spec import TICK_RATE

WAIT_TICKS = TICK_RATE
MOST_TURNS = 500
"""So many lines are passed over in one decision; more is a fault of this module."""
UNSEARCHED = "its whereabouts are not known"


class Running(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How programs are run."""

    checks: bool = True
    """Pre-conditions are checked before each call."""
    repairs: bool = True
    """A failed line is repaired by the model, once."""
    tries_again: bool = True
    """A line that has no other thing or place is tried once more as it is."""
    goes_on: bool = True
    """While the partner has what a line needs, lines that do not need it are run."""
    rechecks: int = 1
    """So often, at the end, what does not hold any more is done again."""
    looks: int = 14
    """So many places are looked at, without a hint, for one thing."""
    views: int = 3
    """From so many sides a place is looked at that somebody named."""
    partner_wait_s: float = 60.0
    """So long one waits for what the partner holds or was asked to do."""
    requests: int = 8
    """So often the partner may be asked to do what the own body cannot."""
    most_failures: int | None = None
    """After so many failed calls of skills it is over."""
    most_left: int | None = None
    """After so many lines that were given up it is over."""
    repairs_until: int | None = None
    """After so many failed calls nothing is repaired any more."""


@dataclass(eq=False)
class Subgoal:
    """A line of the program on its way."""

    line: Line
    status: Literal["open", "done", "left"] = "open"
    why: str = ""
    """Why it was left."""
    steps: list[Step] | None = None
    attempt: int = 0
    """0: as written; 1: after the repair; 2: with something else."""
    patch: list[Subgoal] | None = None
    helped: bool = False
    """The last line of the patch, which does what this one was to do, succeeded."""
    asked: int | None = None
    """The tick at which the partner was asked for it."""
    blocked: int | None = None
    """Since when the partner has what it needs."""
    settled: set[str] = field(default_factory=set)
    """Of all that are meant: those that need no more."""


class Repair(NamedTuple):
    """The model is asked to repair a line."""

    subgoal: Subgoal
    code: str
    error: str


class Locate(NamedTuple):
    """The model is asked where something could be."""

    declared: Declared


class Ask(NamedTuple):
    """The partner could be asked: where something is, or which of several is meant."""

    declared: Declared
    about: Literal["where", "which"]
    among: tuple[str, ...] = ()


Need = Repair | Locate | Ask


class Runner:
    """One program after another, in one episode."""

    def __init__(self, settings: Running, *, asks_which: bool = False) -> None:
        self.settings = settings
        self.binder = Binder()
        self.searching = Searching(settings.looks, settings.views)
        self.program = Program()
        self.subgoals: list[Subgoal] = []
        self.failures = 0
        self._asks_which = asks_which
        self._declared: dict[str, Declared] = {}
        self._current: Subgoal | None = None
        self._doing: tuple[Subgoal, Subgoal, Step] | None = None
        """The line, the line or the line of its patch that is run, and the call under way."""
        self._failed: tuple[Subgoal, Subgoal, Step, str] | None = None
        self._read = 0
        self._opened: list[str] = []
        self._beside: set[frozenset[str]] = set()
        self._members: dict[str, list[str]] = {}
        self._which_asked: set[str] = set()
        self._put_downs = 0
        self._emptying = Subgoal(Line("put_down"))
        """What is still held at the end is put down."""
        self._requests = 0
        self._rechecks = 0
        self._patches = 0

    # Programs

    def start(self, program: Program) -> None:
        """Run a program from its start; what is left of an earlier one is dropped."""
        self.program = program
        self.subgoals = [Subgoal(line) for line in program.lines]
        self._declared = {d.name: d for d in program.declared}
        self.binder.finish()
        self.searching.forget()
        self._members.clear()
        self._current = self._failed = None
        self._rechecks = 0

    def patch(self, subgoal: Subgoal, program: Program) -> None:
        """Run a repair in place of a line that failed."""
        if all(line.verb == NOTHING for line in program.lines):
            self._leave(subgoal, "no repair was needed")
            return
        self._patches += 1
        names = {}
        for declared in program.declared:
            own = declared.name
            if own not in self._declared:
                own = f"{declared.name}@{self._patches}"
                self._declared[own] = declared._replace(name=own)
            names[declared.name] = own
        subgoal.patch = [
            Subgoal(
                line._replace(
                    thing=names.get(line.thing, ""),
                    other=names.get(line.other, ""),
                    beside=names.get(line.beside, ""),
                )
            )
            for line in program.lines
            if line.verb not in FUNCTIONS
        ]

    def leave(self, declared: Declared, why: str) -> None:
        """Somebody else takes care of a thing."""
        for subgoal in self.subgoals:
            if subgoal.line.thing == declared.name and subgoal.status == "open":
                subgoal.status, subgoal.why = "left", why

    def is_flawless(self) -> bool:
        return all(subgoal.status == "done" for subgoal in self.subgoals)

    def told(self) -> str:
        """The program with what became of each line."""
        words = {"open": "not done yet", "done": "done"}
        lines = [str(d) for d in self.program.declared]
        lines += [
            f"{s.line}  # {words.get(s.status) or f'given up: {s.why}'}" for s in self.subgoals
        ]
        return "\n".join(lines)

    # The next thing to do

    def next(self, view: PolicyView) -> Decision | Need | None:
        """What to do now, or what the model is needed for; None: the program is over."""
        self._learn(view)
        for _ in range(MOST_TURNS):
            outcome = self._turn(view)
            if outcome != "again":
                return outcome
        raise RuntimeError(f"a program goes round in circles: {self.told()}")

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
        if any(s.status == "open" for s in self.subgoals):
            return Pause(WAIT_TICKS)
        return self._end(view)

    def _is_over(self) -> bool:
        most, left = self.settings.most_failures, self.settings.most_left
        if most is not None and self.failures >= most:
            return True
        return left is not None and sum(s.status == "left" for s in self.subgoals) >= left

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
            undone = [s for s in self._placements() if not s.helped and not self._holds(view, s)]
            for subgoal in undone:
                subgoal.status, subgoal.steps, subgoal.attempt = "open", None, 1
            if undone:
                return "again"
        return None

    def _placements(self) -> list[Subgoal]:
        """The last placement of each thing that was brought about."""
        last = {s.line.thing: s for s in self.subgoals if s.line.verb in PUTTING}
        return [
            s
            for s in last.values()
            if s.status == "done" and not self._declared[s.line.thing].every
        ]

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
        for subgoal in self.subgoals:
            if subgoal.status != "open":
                continue
            line = subgoal.line
            if line.verb == UNTIL_DONE and waiting:
                return None
            if line.verb in FUNCTIONS:
                subgoal.status = "done"
                continue
            used = {line.thing, line.other, line.beside} & self._movable()
            if not used & waiting and not self._is_blocked(view, subgoal):
                if subgoal.status == "open":
                    return subgoal
                continue
            if not self.settings.goes_on:
                return None
            waiting |= used
        return None

    def _movable(self) -> set[str]:
        """Names of what can be carried: lines about the same furniture do not wait for another."""
        return {s.line.thing for s in self.subgoals if s.line.verb in (*PUTTING, *STATES)}

    def _is_blocked(self, view: PolicyView, subgoal: Subgoal) -> bool:
        """Whether a line waits for the partner. One that has waited too long is left."""
        since = subgoal.asked
        if since is not None:
            if self._is_granted(view, subgoal):
                subgoal.status = "done"
                return False
        elif self._partner_has(view, self.binder.bound.get(subgoal.line.thing, "")):
            since = subgoal.blocked = view.tick if subgoal.blocked is None else subgoal.blocked
        else:
            subgoal.blocked = None
            return False
        if view.tick - since < self.settings.partner_wait_s * TICK_RATE:
            return True
        self._leave(subgoal, "the partner took too long")
        return False

    def _is_granted(self, view: PolicyView, subgoal: Subgoal) -> bool:
        """Whether the partner has done what it was asked for."""
        declared = self._declared[subgoal.line.thing]
        among = self.binder.candidates(view, declared)
        if declared.every:
            among = self._members.get(declared.name, [])
        done = [k for k in among if holds(view, subgoal.line, {declared.name: k}, self._beside)]
        if declared.every:
            return bool(done) and len(done) == len(among)
        if done:
            self.binder.bound.setdefault(declared.name, done[0])
        return self._holds(view, subgoal)

    def _partner_has(self, view: PolicyView, key: str) -> bool:
        known = view.graph.objects.get(key)
        return known is not None and known.place.kind == "agent" and known.place.key != view.seat

    # One line

    def _advance(self, view: PolicyView, subgoal: Subgoal) -> Decision | Need | None:
        """None: something has changed, choose again."""
        if subgoal.patch is not None:
            if not subgoal.patch:
                self._patched(view, subgoal)
                return None
            return self._run(view, subgoal, subgoal.patch[0])
        declared = self._declared[subgoal.line.thing]
        if declared.every:
            return self._run_all(view, subgoal, declared)
        return self._run(view, subgoal, subgoal)

    def _run(self, view: PolicyView, subgoal: Subgoal, active: Subgoal) -> Decision | Need | None:
        line = active.line
        keys: dict[str, str] = {}
        for name in filter(None, (line.thing, line.other, line.beside)):
            found = self._find(view, subgoal, self._declared[name])
            if not isinstance(found, str):
                if found is None:
                    if line.verb in STATES and self._cannot(view, line):
                        # The partner may well know where it is.
                        return self._request(view, subgoal, line, "")
                    self._finish(subgoal, active, left=UNSEARCHED)
                return found
            keys[name] = found
        if holds(view, line, keys, self._beside):
            self._finish(subgoal, active)
            return None
        is_theirs = self._partner_has(view, keys[line.thing])
        if active is not subgoal and (is_theirs or self._cannot(view, line)):
            # A repair waits for nobody.
            self._finish(subgoal, active, left="it is for the partner")
            return None
        if is_theirs:
            return Pause(WAIT_TICKS) if self._is_blocked(view, subgoal) else None
        if self._cannot(view, line):
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
                self._finish(subgoal, active, left="it could not be done as things were")
                return None
            if verdict.drop:
                active.steps.pop(0)
            elif verdict.before:
                active.steps[:0] = verdict.before
            else:
                return self._issue(view, subgoal, active, step)
        self._finish(subgoal, active)
        return None

    def _issue(self, view: PolicyView, subgoal: Subgoal, active: Subgoal, step: Step) -> Decision:
        self._doing = (subgoal, active, step)
        return Do(step.call(view.graph))

    def _finish(self, subgoal: Subgoal, active: Subgoal, left: str = "") -> None:
        """A line, a line of its patch, or one of all that it is about, is over."""
        if active is not subgoal:
            assert subgoal.patch is not None
            subgoal.patch.remove(active)
            subgoal.helped = not left
            return
        name = subgoal.line.thing
        if self._declared[name].every and name in self.binder.bound:
            subgoal.settled.add(self.binder.bound.pop(name))
            subgoal.steps, subgoal.attempt = None, 0
        elif left:
            self._leave(subgoal, left)
        else:
            subgoal.status = "done"

    def _leave(self, subgoal: Subgoal, why: str) -> None:
        name = subgoal.line.thing
        if name and self._declared[name].every and name in self.binder.bound:
            subgoal.settled.add(self.binder.bound.pop(name))
            subgoal.steps, subgoal.attempt, subgoal.patch = None, 0, None
            return
        subgoal.status, subgoal.why = "left", why

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
            mine = [m for m in left if not self._partner_has(view, m)]
            if mine:
                self.binder.bound[name] = mine[0]
            elif (step := self._search(view, subgoal, declared)) is not None:
                return step
            elif left:
                return Pause(WAIT_TICKS)
            else:
                subgoal.status = "done"
                return None
        return self._run(view, subgoal, subgoal)

    # Finding things

    def _find(
        self, view: PolicyView, subgoal: Subgoal, declared: Declared
    ) -> str | Decision | Need | None:
        """What a name stands for, or what to do to find it; None: it was not found."""
        bound = self.binder.bound.get(declared.name)
        if bound is not None and bound in view.graph.names.graph:
            return bound
        found = self.binder.candidates(view, declared)
        if found and not self._is_elsewhere(view, declared, found[0]):
            is_open = declared.name not in self._which_asked and found[0] in view.graph.objects
            if len(found) > 1 and self._asks_which and is_open:
                self._which_asked.add(declared.name)
                return Ask(declared, "which", tuple(found))
            return self.binder.key(view, declared)
        if found:
            # It was said to be elsewhere: look there, and take this one if nothing is there.
            search = self._landmarks(view, declared)
            step = self.searching.step(view, search)
            if step is None:
                return self.binder.key(view, declared)
            return self._issue(view, subgoal, subgoal, step)
        return self._search(view, subgoal, declared)

    def _is_elsewhere(self, view: PolicyView, declared: Declared, key: str) -> bool:
        if not declared.near or key not in view.graph.objects:
            return False
        return not is_near(view.graph, key, declared.near) and key not in _moved(view)

    def _landmarks(self, view: PolicyView, declared: Declared) -> Search:
        search = self.searching.of(declared)
        if not search.landmarks:
            search.landmarks = True
            self.searching.suggest(view, search, self.searching.landmarks_of(view, declared))
        return search

    def _search(
        self, view: PolicyView, subgoal: Subgoal, declared: Declared
    ) -> Decision | Need | None:
        """The next thing to do to find something; None: there is nothing more to try."""
        if self.searching.is_given_up(declared):
            return None
        search = self._landmarks(view, declared)
        if declared.every and (declared.near or subgoal.settled):
            # Some were found, or where they are was said: nobody is bothered for more.
            search.asked = True
            search.located = search.located or bool(declared.near and subgoal.settled)
        while True:
            step = self.searching.step(view, search)
            if step is not None:
                return self._issue(view, subgoal, subgoal, step)
            if not search.asked:
                search.asked = True
                return Ask(declared, "where")
            if not search.located:
                search.located = True
                return Locate(declared)
            if search.swept or (declared.every and subgoal.settled):
                break
            self.searching.sweep(view, search)
        self.searching.given_up.add((declared.word, declared.near))
        return None

    # What the own body cannot do

    def _cannot(self, view: PolicyView, line: Line) -> bool:
        tool = STATES[line.verb][0] if line.verb in STATES else ""
        tool = "Pour" if line.verb == "pour_into" else tool
        return bool(tool) and tool not in tools_of(view)

    def _request(self, view: PolicyView, subgoal: Subgoal, line: Line, key: str) -> Decision | None:
        if subgoal.asked is not None:
            return Pause(WAIT_TICKS)
        subgoal.asked = view.tick
        if self._requests >= self.settings.requests:
            return None
        self._requests += 1
        labels, graph = view.graph.names.labels, view.graph
        what = labels.get(key) or self._declared[line.thing].word.replace("_", " ")
        into = self._declared[line.other].word.replace("_", " ") if line.other else ""
        return SayLine(request(line.verb, what, labels.get(room_of(graph, key), ""), into))

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
        if self._partner_has(view, step.thing) or subgoal.status != "open":
            active.steps = None
            return None
        if active is not subgoal:
            self._finish(subgoal, active, left=response)
            return None
        until = self.settings.repairs_until
        may_repair = self.settings.repairs and (until is None or self.failures < until)
        error = response.removeprefix("Unexpected failure! - ")
        subgoal.why = error
        if subgoal.attempt == 0 and may_repair:
            subgoal.attempt = 1
            return Repair(subgoal, self._excerpt(subgoal.line), error)
        self._next_attempt(view, subgoal, step)
        return None

    def _excerpt(self, line: Line) -> str:
        """The line that failed, with what its names stand for."""
        return Program(tuple(self._declared.values())).excerpt(line)

    def _patched(self, view: PolicyView, subgoal: Subgoal) -> None:
        """A repair is through."""
        subgoal.patch = None
        if subgoal.helped or self._holds(view, subgoal):
            self._finish(subgoal, subgoal)
            return
        self._next_attempt(view, subgoal, None)

    def _next_attempt(self, view: PolicyView, subgoal: Subgoal, step: Step | None) -> None:
        """The same with another thing or place; then the line is left."""
        line = subgoal.line
        if subgoal.attempt >= 2:
            self._leave(subgoal, subgoal.why)
            return
        subgoal.attempt, subgoal.steps = 2, None
        is_thing = step is not None and not step.place and step.thing == self._key(line.thing)
        name = line.thing
        if line.other and line.verb != "bring_next_to" and not is_thing:
            name = line.other
        declared = self._declared[name]
        has_another = not declared.every and self.binder.take_another(view, declared)
        if not has_another and not self.settings.tries_again:
            self._leave(subgoal, subgoal.why)

    def _key(self, name: str) -> str:
        return self.binder.bound.get(name, "")


def _moved(view: PolicyView) -> frozenset[str]:
    """What the partner has been seen taking or putting down."""
    found = (view.graph.find(a.text.partition("[")[2].rstrip("]").split(",")[0].strip())
             for a in view.partner_acts if a.text.startswith(("Pick", "Place")))  # fmt: skip
    return frozenset(key for key in found if key is not None)
