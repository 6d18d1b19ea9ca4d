"""Builder of an account from a verdict: what was expected, what is the case, who did it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from episodes.dataset.vocabulary import GROUPS_ARG, PREDICATES, SAME_ARG
from episodes.evaluation.account import (
    Account,
    Breach,
    Condition,
    Expectation,
    How,
    Late,
    Named,
    Shortfall,
    Situation,
    TieRule,
    Undone,
    Used,
)
from episodes.evaluation.account_sentences import (
    Who,
    capital,
    situation_text,
    when_text,
)
from episodes.evaluation.constraints import Temporal, Terminal, Tie
from episodes.evaluation.expectations import expectation
from episodes.evaluation.final_places import Name, WhereIs
from episodes.evaluation.remedies import mend_breach, mend_shortfall
from episodes.evaluation.semantics import semantics_named
from episodes.evaluation.task import EvaluationTask
from episodes.evaluation.tied_places import TOO_LATE, is_kept_at_end
from episodes.evaluation.unrolling import Unrolled, unroll
from episodes.evaluation.verdict import PropositionOutcome, Verdict

SHOWN = 6
"""Number of misplaced things above which the text does not locate the ones in place."""


class Accounting:
    """Builder of the account of one failed episode."""

    def __init__(
        self, verdict: Verdict, task: EvaluationTask, where: WhereIs, name: Name, who: Who
    ) -> None:
        self.verdict = verdict
        self.task = task
        self.where = where
        self.name = name
        self.who = who
        semantics = semantics_named(verdict.semantics)
        self.unrolled: Unrolled = unroll(
            task.propositions, task.dependencies, task.constraints, semantics
        )
        self.outcomes: list[list[PropositionOutcome]] = [[] for _ in task.propositions]
        for outcome in verdict.propositions:
            self.outcomes[outcome.original].append(outcome)
        self.terminal = {
            i
            for rule in self.unrolled.constraints
            if isinstance(rule, Terminal)
            for i in rule.members
        }
        self._steps: dict[int, Expectation] = {}

    def account(self) -> Account:
        """Return the account without the text of the whole."""
        shortfalls = tuple(
            self._shortfall(index, outcomes)
            for index, outcomes in enumerate(self.outcomes)
            if not all(o.satisfied for o in outcomes)
        )
        breaches = tuple(self._breaches())
        steps = tuple(self._steps[i] for i in sorted(self._steps))
        return Account(steps=steps, shortfalls=shortfalls, breaches=breaches)

    # What is expected

    def _named(self, key: str) -> Named:
        return Named(key, self.name(key))

    def step(self, index: int) -> Expectation:
        """Return the expectation of a proposition of the task."""
        found = self._steps.get(index)
        if found is None:
            found = self._steps[index] = expectation(
                index,
                self.task.propositions[index],
                self.name,
                to_the_end=index in self.terminal,
            )
        return found

    # What is the case

    def _now(self, step: Expectation) -> tuple[Situation, ...]:
        """Return the situations of all movable or changeable things that a proposition names."""
        signature = PREDICATES[step.predicate]
        groups: Iterable[Sequence[Named]] = step.groups
        if signature.second in ("room_ids", "receptacle_handles"):
            groups = step.groups[:1]
        things = dict.fromkeys(t for group in groups for t in group)
        return tuple(self._situation(thing) for thing in things)

    def _situation(self, thing: Named) -> Situation:
        handle = thing.handle
        states = dict(self.where.states(handle))
        room = self.where.room(handle)
        in_room = None if room is None else self._named(room)
        holder = self.where.holder(handle)
        if holder is not None:
            return Situation(thing, "held", None, in_room, holder, states)
        place = self.where.place(handle)
        if place is None:
            relation = "unknown" if room is None else "fixed"
            return Situation(thing, relation, None, in_room, None, states)  # type: ignore[arg-type]
        entity = None if place.entity is None else self._named(place.entity)
        return Situation(thing, place.relation, entity, in_room, None, states)

    def _now_text(self, step: Expectation, now: tuple[Situation, ...]) -> str:
        stateful = PREDICATES[step.predicate].state is not None
        shown = now
        if len(now) > SHOWN:
            wanted = {t.handle for t in step.groups[-1]}
            shown = tuple(s for s in now if s.entity is None or s.entity.handle not in wanted)
        texts = [situation_text(s, self.who, stateful) for s in shown[:SHOWN]]
        return f"Now {'; '.join(texts)}." if texts else ""

    # Propositions that were not satisfied

    def _shortfall(self, index: int, outcomes: list[PropositionOutcome]) -> Shortfall:
        step = self.step(index)
        numbers = {o.index: self.unrolled.propositions[o.index].number or 1 for o in outcomes}
        counted = [o for o in outcomes if o.satisfied]
        reached = max((n for o in counted if isinstance(n := numbers[o.index], int)), default=0)
        best = max(counted, key=lambda o: numbers[o.index], default=None)
        how: How = "never" if best is None else "part"
        broken = [o for o in counted if o.broken_tick is not None]
        lost = max(broken, key=lambda o: o.broken_tick or 0, default=None)
        if best is not None and not best.holds_now:
            how = "undone"
        now = self._now(step)
        result = Shortfall(
            index=index,
            how=how,
            reached=reached,
            now=now,
            text="",
            mend=(),
            ever=best is not None,
            made_tick=None if best is None else best.satisfied_tick,
            made_by=None if best is None else best.by_seat,
            broken_tick=None if lost is None else lost.broken_tick,
            broken_by=None if lost is None else lost.broken_by_seat,
            after=self._predecessors(index),
            conditions=self._conditions(index),
            ties=self._ties(index),
        )
        text = " ".join(part for part in self._shortfall_text(step, result) if part)
        result = msgspec.structs.replace(result, text=text)
        return msgspec.structs.replace(result, mend=mend_shortfall(result, self.step))

    def _shortfall_text(self, step: Expectation, s: Shortfall) -> Iterable[str]:
        yield f"{capital(step.text)}."
        yield self._now_text(step, s.now)
        if s.how == "never":
            yield "It was never so."
        else:
            made = when_text(s.made_tick, s.made_by, self.who)
            many = f"{s.reached} of {step.numbers[0]} were done" if step.numbers[0] > 1 else "Done"
            broken = when_text(s.broken_tick, s.broken_by, self.who)
            yield f"{many}{made}{f', undone{broken}' if s.broken_tick is not None else ''}."
        for condition in s.conditions:
            yield self._condition_text(condition)
        for other in s.after:
            yield f"It counts only after this: {self.step(other).text}."

    def _condition_text(self, condition: Condition) -> str:
        when = {
            "while_satisfied": "while this is so",
            "after_satisfied": "once this was so",
            "after_unsatisfied": "once this was so and is not any more",
            "before_satisfied": "before this is so",
        }[condition.relation]
        word = " or " if condition.mode == "any" else " and "
        return f"It counts only {when}: {word.join(self.step(i).text for i in condition.on)}."

    def _original(self, indices: Iterable[int]) -> tuple[int, ...]:
        propositions = self.unrolled.propositions
        return tuple(dict.fromkeys(sorted(propositions[i].original for i in indices)))

    def _predecessors(self, index: int) -> tuple[int, ...]:
        """Return a proposition's direct predecessors in the task's order, and refer to them."""
        found: list[int] = []
        for rule in self.unrolled.constraints:
            if isinstance(rule, Temporal):
                found += rule.direct_predecessors(index)
        result = self._original(found)
        for other in result:
            self.step(other)
        return result

    def _conditions(self, index: int) -> tuple[Condition, ...]:
        result = tuple(
            Condition(d.relation_type, d.dependency_mode, self._original(d.depends_on))
            for d in self.task.dependencies
            if index in d.proposition_indices
        )
        for condition in result:
            for other in condition.on:
                self.step(other)
        return result

    def _ties(self, index: int) -> tuple[TieRule, ...]:
        found = [
            self._tie(rule)
            for rule in self.unrolled.constraints
            if isinstance(rule, Tie) and index in rule.members
        ]
        return tuple(dict.fromkeys(found))

    def _tie(self, rule: Tie) -> TieRule:
        members = []
        for member in dict.fromkeys(rule.members):
            original = self.unrolled.propositions[member].original
            step = self.step(original)
            recorded = self.verdict.propositions[member].satisfied_with
            argument = rule.names[member]
            used = Used(original, _group_of(step, argument), self._used(recorded, argument))
            if used not in members:
                members.append(used)
        return TieRule(rule.type == SAME_ARG, tuple(members))

    def _used(self, recorded: dict[str, object] | None, argument: str) -> tuple[Named, ...]:
        if recorded is None:
            return ()
        value = recorded.get(argument)
        if value is None and GROUPS_ARG in recorded:
            groups = recorded[GROUPS_ARG]
            position = argument.removeprefix(f"{GROUPS_ARG}_")
            assert isinstance(groups, list)
            chosen = groups[int(position)] if position.isdecimal() else []
            return tuple(self._named(key) for key in chosen)
        return (self._named(value),) if isinstance(value, str) else ()

    # Constraints that satisfied propositions broke

    def _breaches(self) -> Iterable[Breach]:
        seen: set[Breach] = set()
        rules = zip(self.unrolled.constraints, self.verdict.constraints, strict=True)
        for rule, outcome in rules:
            wrong = [i for i in outcome.invalid if self.verdict.propositions[i].satisfied]
            if not wrong:
                continue
            match rule:
                case Temporal():
                    breach = self._order(self._original(wrong))
                case Terminal():
                    breach = self._undone(self._original(wrong))
                case Tie():
                    breach = self._broken_tie(rule)
            breach = msgspec.structs.replace(breach, mend=mend_breach(breach, self.step))
            key = msgspec.structs.replace(breach, text="", undone=())
            if breach.undone or key not in seen:
                seen.add(key)
                yield breach

    def _outcome(self, index: int) -> PropositionOutcome:
        """Return the outcome of a proposition of the task, or of its largest satisfied part."""
        done = [o for o in self.outcomes[index] if o.satisfied]
        return min(done or self.outcomes[index], key=lambda o: o.index)

    def _order(self, indices: tuple[int, ...]) -> Breach:
        late = []
        lines = []
        for index in indices:
            outcome = self._outcome(index)
            assert outcome.satisfied_tick is not None
            before = self._predecessors(index)
            late.append(Late(index, outcome.satisfied_tick, outcome.by_seat, before))
            was = when_text(outcome.satisfied_tick, outcome.by_seat, self.who)
            others = [f"{self.step(i).text} ({self._done_text(i)})" for i in before]
            lines.append(f"{capital(self.step(index).text)} (done{was}): but only after this: "
                         f"{'; '.join(others)}.")  # fmt: skip
        return Breach("order", " ".join(lines), (), late=tuple(late))

    def _done_text(self, index: int) -> str:
        outcome = self._outcome(index)
        if not all(o.satisfied for o in self.outcomes[index]):
            return "never done in full"
        return f"done{when_text(outcome.satisfied_tick, outcome.by_seat, self.who)}"

    def _undone(self, indices: tuple[int, ...]) -> Breach:
        found, lines = [], []
        for index in indices:
            step = self.step(index)
            lost = [o for o in self.outcomes[index] if o.satisfied and not o.holds_now]
            outcome = max(lost, key=lambda o: o.broken_tick or 0)
            assert outcome.satisfied_tick is not None
            now = self._now(step)
            found.append(
                Undone(
                    index,
                    outcome.satisfied_tick,
                    outcome.by_seat,
                    outcome.broken_tick,
                    outcome.broken_by_seat,
                    now,
                )
            )
            made = when_text(outcome.satisfied_tick, outcome.by_seat, self.who)
            broken = when_text(outcome.broken_tick, outcome.broken_by_seat, self.who)
            told = self._now_text(step, now)
            lines.append(f"{capital(step.text)} at the end: done{made}, undone{broken}. {told}")
        return Breach("undone", " ".join(lines), (), undone=tuple(found))

    def _broken_tie(self, rule: Tie) -> Breach:
        tie = self._tie(rule)
        word = "the same" if tie.same else "different ones"
        told = [
            f"{self.step(m.index).text} (it was {' and '.join(t.name for t in m.things)})"
            for m in tie.members
            if m.things
        ]
        text = f"These should have used {word}: {'; '.join(told)}."
        kept = is_kept_at_end(tie, self.step, self._now)
        if kept:
            text += f" At the end they do, but it is judged when each is first so. {TOO_LATE}"
        return Breach("same" if tie.same else "different", text, (), tie=tie, kept_at_end=kept)


def _group_of(step: Expectation, argument: str) -> int:
    """Return the position of an argument's list in the expectation's groups."""
    signature = PREDICATES[step.predicate]
    if signature.is_clustered:
        position = argument.removeprefix(f"{GROUPS_ARG}_")
        return int(position) if position.isdecimal() else 0
    return signature.list_names.index(argument)
