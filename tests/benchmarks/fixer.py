"""A rule-based fixer: what it did last time, an explanation, the scene; from these a second try.

It never sees the task. It plans over goals (a thing to a place, or into a state): first what it
did last time, then the changes that an `Account` asks for. The account is ours without advice, or
one that is read out of PARTNR's text (`text_reader.py`), where only classes are known.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from episodes.dataset.vocabulary import PREDICATES
from episodes.evaluation.account import Account, Expectation, Named, Shortfall, TieRule
from server.robots.baselines.scripted_player import Change, Put, PutAnywhere, Step, Take
from server.sessions.core import SessionCore

VERB_OF = {
    "is_clean": "clean",
    "is_filled": "fill",
    "is_powered_on": "power_on",
    "is_powered_off": "power_off",
}
WET = ("clean", "fill")
RELATION_OF = {"is_on_top": "on", "is_inside": "within", "is_on_floor": "floor"}
OPPOSITE = {"power_on": "power_off", "power_off": "power_on"}


@dataclass(eq=False)
class Goal:
    """``verb`` is ``put`` or a verb that changes a state."""

    thing: str
    verb: str
    target: str = ""
    relation: Literal["on", "within", "floor"] = "on"
    near: str | None = None

    def matches(self, step: Expectation) -> bool:
        """Tell whether doing this is (part of) bringing an expectation about."""
        if self.thing not in {t.handle for t in step.groups[0]}:
            return False
        if step.predicate in VERB_OF:
            return self.verb == VERB_OF[step.predicate]
        if self.verb != "put":
            return False
        if step.predicate in ("is_next_to", "is_clustered"):
            return True
        if step.predicate == "is_on_floor":
            return self.relation == "floor"
        if step.predicate == "is_in_room":
            return True
        wanted = self.relation == RELATION_OF[step.predicate]
        return wanted and self.target in {t.handle for t in step.groups[1]}


@dataclass
class Deed:
    """A thing that was done in the first try."""

    seat: str
    verb: str
    thing: str
    where: str | None


@dataclass
class Plan:
    """The plan of the second try: what to do, and what to ask the partner not to touch."""

    goals: list[Goal] = field(default_factory=list)
    hands_off: set[str] = field(default_factory=set)


class Fixer:
    """A planner of a second try in a scene (a core at its start serves to look at it)."""

    def __init__(self, core: SessionCore, seat: str, deeds: Sequence[Deed], seed: int = 0) -> None:
        self.core = core
        self.seat = seat
        self.rng = random.Random(seed)
        self.plan = Plan()
        self.before: list[tuple[Goal, Goal]] = []
        self.exact = True
        """Whether names are those of things, not of whole classes."""
        for deed in deeds:
            if deed.seat == seat:
                self._remember(deed)

    def _remember(self, deed: Deed) -> None:
        if deed.verb == "place" and deed.where is not None:
            surface = self.core.surfaces.by_name.get(deed.where)
            if surface is not None:
                kind = surface.receptacle.kind
                self.plan.goals.append(Goal(deed.thing, "put", surface.furniture.handle, kind))
            elif deed.where == "floor":
                self.plan.goals.append(Goal(deed.thing, "put", "", "floor"))
        elif deed.verb in (*WET, "power_on", "power_off"):
            self.plan.goals.append(Goal(deed.thing, deed.verb))

    # Reading an account

    def read(self, account: Account, partner: str, *, exact: bool = True) -> Plan:
        """Change the plan as an account asks for."""
        self.exact = exact
        for breach in account.breaches:
            for undone in breach.undone:
                step = account.step(undone.index)
                self._keep(step)
                if not self._goals(step):
                    # It was so in passing: a thing that is carried over a table is above it.
                    self._bring_about(step, Shortfall(step.index, "undone", 0, undone.now, "", ()))
                if undone.broken_by == partner:
                    self.plan.hands_off |= {t.handle for g in step.groups for t in g}
            if breach.tie is not None:
                self._tie(breach.tie, account)
        # Neighbours last: what they stand on has to be decided first.
        near = ("is_next_to", "is_clustered")
        ordered = sorted(account.shortfalls, key=lambda s: account.step(s.index).predicate in near)
        for shortfall in ordered:
            self._bring_about(account.step(shortfall.index), shortfall)
            if shortfall.broken_by == partner:
                step = account.step(shortfall.index)
                self.plan.hands_off |= {t.handle for g in step.groups for t in g}
        for breach in account.breaches:
            for late in breach.late:
                step = account.step(late.index)
                if late.by == partner:
                    self.plan.hands_off |= {t.handle for t in step.groups[0]}
                    self._shortfall_of_partner(step)
                self._order(step, [account.step(i) for i in late.after])
        for shortfall in account.shortfalls:
            step = account.step(shortfall.index)
            self._order(step, [account.step(i) for i in shortfall.after])
        self._sort()
        return self.plan

    def _goals(self, step: Expectation) -> list[Goal]:
        return [g for g in self.plan.goals if g.matches(step)]

    def _puts(self, thing: str) -> list[Goal]:
        return [g for g in self.plan.goals if g.thing == thing and g.verb == "put"]

    def _keep(self, step: Expectation) -> None:
        """Drop what was done to a thing after it was right: it was undone."""
        for thing in (t.handle for t in step.groups[0]):
            mine = [g for g in self.plan.goals if g.thing == thing]
            right = [g for g in mine if g.matches(step)]
            if not right:
                continue
            last = mine.index(right[-1])
            for goal in mine[last + 1 :]:
                undoes = goal.verb == "put" if right[-1].verb == "put" else (
                    goal.verb == OPPOSITE.get(right[-1].verb)
                )  # fmt: skip
                if undoes:
                    self.plan.goals.remove(goal)
            if right[-1].verb == "put" and len(step.groups) > 1 and self._near(step):
                self._beside(step)

    def _near(self, step: Expectation) -> bool:
        return step.predicate in ("is_next_to", "is_clustered")

    def _shortfall_of_partner(self, step: Expectation) -> None:
        """Do oneself what the partner did too early and is now asked to leave."""
        if not self._goals(step):
            self._bring(step, None, step.numbers[0])

    def _bring_about(self, step: Expectation, s: Shortfall) -> None:
        """Add the goals that a proposition lacks."""
        if self._near(step):
            self._beside(step)
            return
        if step.predicate in VERB_OF:
            have = {g.thing for g in self._goals(step)}
            now = {at.thing.handle: at.states for at in s.now}
            signature = PREDICATES[step.predicate]
            wanted = [t.handle for t in step.groups[0] if t.handle not in have]
            wrong = [
                t
                for t in wanted
                if signature.state is not None
                and now.get(t, {}).get(signature.state) is signature.negated
            ]
            missing = step.numbers[0] - (len(have) if self.exact else 0)
            for thing in self._pick_some(wrong, max(missing, 0 if have and self.exact else 1)):
                self.plan.goals.append(Goal(thing, VERB_OF[step.predicate]))
            return
        self._bring(step, s, step.numbers[0], self._tied_target(s))

    def _pick_some(self, things: list[str], count: int) -> list[str]:
        if not self.exact:
            self.rng.shuffle(things)
        return things[:count]

    def _tied_target(self, s: Shortfall) -> tuple[set[str], set[str]]:
        """Targets that ties with other propositions ask for, and those they exclude."""
        wanted: set[str] = set()
        excluded: set[str] = set()
        for tie in s.ties:
            mine = [m for m in tie.members if m.index == s.index]
            used = {t.handle for m in tie.members if m.index != s.index for t in m.things}
            if mine and mine[0].group == 1:
                (wanted if tie.same else excluded).update(used)
        return wanted, excluded

    def _bring(
        self,
        step: Expectation,
        s: Shortfall | None,
        number: int,
        tied: tuple[set[str], set[str]] = (set(), set()),
    ) -> None:
        """Put as many things as are asked for where they should be."""
        options = self._targets(step, tied)
        now = {} if s is None else {at.thing.handle: at for at in s.now}

        def is_right(thing: str, targets: Iterable[str]) -> bool:
            at = now.get(thing)
            if at is None or at.relation != self._relation(step):
                return False
            return step.predicate == "is_on_floor" or (
                at.entity is not None and at.entity.handle in targets
            )

        things = [t.handle for t in step.groups[0]]
        if not self.exact:
            # What is so already evidently does not count.
            things = [t for t in things if not is_right(t, options)] or things
            for thing in self._pick_some(things, number):
                self._put(thing, self.rng.choice(options) if options else "", step)
            return
        if step.same and number > 1 and options:
            best = max(options, key=lambda o: sum(is_right(t, [o]) for t in things))
            options = [best]
        right = [t for t in things if is_right(t, options)][:number]
        others = [t for t in things if t not in right]
        for thing in others[: number - len(right)]:
            self._put(thing, options[0] if options else "", step)
        for thing in right:
            # It may be there through somebody else, or from the start.
            if not self._puts(thing):
                self._put(thing, options[0] if options else "", step)

    def _targets(self, step: Expectation, tied: tuple[set[str], set[str]]) -> list[str]:
        if step.predicate == "is_on_floor":
            return []
        wanted, excluded = tied
        options = [t.handle for t in step.groups[1]]
        if step.predicate == "is_in_room":
            options = [
                f.handle
                for f in self.core.simulator.scene.furniture
                if f.room_id in options
                and any(x.receptacle.kind == "on" for x in self.core.surfaces.of[f.handle])
            ]
        options = [o for o in options if not wanted or o in wanted] or options
        return [o for o in options if o not in excluded] or options

    def _relation(self, step: Expectation) -> Literal["on", "within", "floor"]:
        if step.predicate == "is_inside":
            return "within"
        return "floor" if step.predicate == "is_on_floor" else "on"

    def _put(self, thing: str, target: str, step: Expectation) -> None:
        """Make it the last place of a thing."""
        mine = self._puts(thing)
        goal = Goal(thing, "put", target, self._relation(step))
        if mine and not mine[-1].matches(step):
            goal.near = mine[-1].near
            self.plan.goals[self.plan.goals.index(mine[-1])] = goal
        elif mine:
            mine[-1].target, mine[-1].relation = target, goal.relation
        else:
            self.plan.goals.append(goal)

    def _beside(self, step: Expectation) -> None:
        """Put one of two things next to the other, where it is to be anyway if it is."""
        groups = step.groups if len(step.groups) > 1 else (step.groups[0], step.groups[0])
        firsts = [t.handle for t in groups[0]]
        seconds = [t.handle for t in groups[-1]]
        if not self.exact:
            self.rng.shuffle(firsts)
            self.rng.shuffle(seconds)
        pairs = [(a, b) for a in firsts for b in seconds if a != b]
        if not pairs:
            return
        known = [p for p in pairs if self._puts(p[0]) or self._puts(p[1])]
        both = [p for p in pairs if self._puts(p[0]) and self._puts(p[1])]
        a, b = (both or known or pairs)[0]
        if not self._puts(a) and self._puts(b) and b in firsts + seconds:
            a, b = b, a
        if self._puts(a):
            goal = self._puts(a)[-1]
        else:
            support = self.core.world.supports.get(b, "")
            surface = self.core.surfaces.by_name.get(support)
            if surface is None:
                goal = Goal(a, "put", "", "floor")
            else:
                goal = Goal(a, "put", surface.furniture.handle, surface.receptacle.kind)
            self.plan.goals.append(goal)
        goal.near = b
        if self._puts(b):
            other = self._puts(b)[-1]
            other.near = None
            self.before.append((other, goal))

    def _tie(self, tie: TieRule, account: Account) -> None:
        """Let the members of a broken tie use one and the same thing, or different ones."""
        steps = [(account.step(m.index), m) for m in tie.members]
        common: list[str] | None = None
        for step, m in steps:
            options = [t.handle for t in step.groups[m.group]]
            common = options if common is None else [o for o in common if o in options]
        used: list[Named] = [t for m in tie.members for t in m.things]
        first = [t.handle for t in used if t.handle in (common or [])]
        taken: set[str] = set()
        for step, m in steps:
            options = [t.handle for t in step.groups[m.group]]
            if tie.same:
                choice = first[0] if first else (common or options)[0]
            else:
                choice = next((o for o in options if o not in taken), options[0])
            taken.add(choice)
            goals = self._goals(step)
            for goal in goals:
                if m.group == 0:
                    goal.thing = choice
                else:
                    goal.target = choice

    # Order

    def _order(self, later: Expectation, earlier: Iterable[Expectation]) -> None:
        after = self._goals(later)
        for step in earlier:
            self.before += [(a, b) for a in self._goals(step) for b in after if a is not b]

    def _sort(self) -> None:
        """States of a thing before its last place; then the order asked for, else as before."""
        goals = self.plan.goals
        edges = [e for e in self.before if e[0] in goals and e[1] in goals]
        for goal in goals:
            if goal.verb in WET:
                edges += [(goal, p) for p in self._puts(goal.thing)[-1:]]
        edges = [(a, b) for a, b in edges if (b, a) not in self.before or (a, b) in self.before]
        result: list[Goal] = []
        left = list(goals)
        while left:
            free = [g for g in left if not any(b is g and a in left for a, b in edges)] or left[:1]
            # Stay with what is in the hand.
            last = result[-1] if result else None
            held = last.thing if last is not None and last.verb in WET else None
            chosen = next((g for g in free if g.thing == held), free[0])
            result.append(chosen)
            left.remove(chosen)
        self.plan.goals = result


def steps_for(goals: Sequence[Goal]) -> list[Step]:
    """Return the steps of a plan."""
    steps: list[Step] = []
    for number, goal in enumerate(goals):
        if goal.verb == "put":
            steps += [Take(goal.thing), Put(goal.target, goal.relation, goal.near)]
            continue
        steps.append(Change(goal.verb, goal.thing))  # type: ignore[arg-type]
        following = goals[number + 1] if number + 1 < len(goals) else None
        if goal.verb in WET and (following is None or following.thing != goal.thing):
            steps.append(PutAnywhere())
    return steps


def undone_goals(core: SessionCore, goals: Sequence[Goal]) -> list[Goal]:
    """Goals that the world does not show: looked at before saying that one has finished."""
    last: dict[tuple[str, str], Goal] = {}
    for goal in goals:
        kind = goal.verb.removesuffix("_on").removesuffix("_off")
        last[goal.thing, kind] = goal
    return [g for g in last.values() if not _is_done(core, g)]


def _is_done(core: SessionCore, goal: Goal) -> bool:
    state: dict[str, tuple[str, bool]] = {
        "clean": ("is_clean", True),
        "fill": ("is_filled", True),
        "power_on": ("is_powered_on", True),
        "power_off": ("is_powered_on", False),
    }
    if goal.verb != "put":
        name, value = state[goal.verb]
        return core.world.states.get((goal.thing, name)) is value
    if goal.thing in core.world.holders:
        return False
    support = core.world.supports.get(goal.thing, "")
    if goal.relation == "floor":
        return support == "floor"
    surface = core.surfaces.by_name.get(support)
    return (
        surface is not None
        and surface.furniture.handle == goal.target
        and surface.receptacle.kind == goal.relation
    )
