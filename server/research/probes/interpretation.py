"""Goal interpretation: how many predicted goals are meant, and how many meant ones are predicted.

Section 2.1 of the notes on EAI. What is meant may leave choices (two of these three, any table): a
prediction is compared with the choice that suits it best, a matching of predictions to the places
that goals have for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import PREDICATES
from server.research.probes.answers import Fact
from server.research.probes.problem import RELATION_PREDICATES, STATE_PREDICATES, Problem

_SECOND = {"is_on_top": "receptacle_handles", "is_inside": "receptacle_handles",
           "is_in_room": "room_ids", "is_next_to": "entity_handles_b"}  # fmt: skip
_SAME = {"is_on_top": "is_same_receptacle", "is_inside": "is_same_receptacle",
         "is_in_room": "is_same_room", "is_next_to": "is_same_b"}  # fmt: skip


class Counts(NamedTuple):
    """Counts of one class of goals."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def __add__(self, other: object) -> Counts:
        assert isinstance(other, Counts)
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def precision(self) -> float:
        return _ratio(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return _ratio(self.right, self.right + self.missed)

    @property
    def f1(self) -> float:
        """F1, ``2 P R / (P + R)``; 0 where that is undefined."""
        return _ratio(2 * self.right, 2 * self.right + self.wrong + self.missed)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


class Interpreted(NamedTuple):
    """Comparison of an answer with the goals that are meant.

    ``unknown_predicates`` and ``unknown_things`` are hallucinations: counted by themselves, and
    not as wrong.
    """

    states: Counts
    relations: Counts
    predicted: int
    unknown_predicates: int
    unknown_things: int

    @property
    def overall(self) -> Counts:
        return self.states + self.relations


class _Wanted(NamedTuple):
    """Place for one predicted fact: what it may be about, by handles.

    In one proposition each thing counts once.
    """

    proposition: int
    predicate: str
    things: frozenset[str]
    others: frozenset[str]

    def takes(self, fact: Fact) -> bool:
        if fact.predicate != self.predicate:
            return False
        if fact.thing in self.things and (not self.others or fact.other in self.others):
            return True
        # Next to each other says the same both ways.
        return (
            self.predicate == "is_next_to"
            and fact.other in self.things
            and fact.thing in self.others
        )


def interpret(problem: Problem, facts: Sequence[Fact] | None) -> Interpreted:
    """Compare facts with the goals of a problem.

    None stands for an answer that could not be read, so that all goals are missed.
    """
    wanted = _wanted(problem, ())
    if facts is None:
        missed = [Counts(0, 0, n) for n in _sizes(wanted)]
        return Interpreted(missed[0], missed[1], 0, 0, 0)
    good, predicates, things = _grounded(problem, facts)
    best = max(
        (_compared(_wanted(problem, choice), good) for choice in _choices(problem)),
        key=lambda counts: (counts[0] + counts[1]).f1,
    )
    return Interpreted(best[0], best[1], len(facts), predicates, things)


def _grounded(problem: Problem, facts: Sequence[Fact]) -> tuple[list[Fact], int, int]:
    """Return the facts over handles, each once; and how many have unknown predicates, or things."""
    good: list[Fact] = []
    predicates = things = 0
    for fact in facts:
        if fact.predicate not in (*STATE_PREDICATES, *RELATION_PREDICATES):
            predicates += 1
        elif fact.thing not in problem.handle_of or (
            fact.other and fact.other not in problem.handle_of
        ):
            things += 1
        else:
            other = problem.handle_of[fact.other] if fact.other else ""
            good.append(Fact(fact.predicate, problem.handle_of[fact.thing], other))
    return list(dict.fromkeys(good)), predicates, things


def _choices(problem: Problem) -> list[tuple[tuple[int, str], ...]]:
    """Return the choices where all things of a proposition go to the same place.

    They are each way to choose that place, for one such proposition at a time (they are
    independent).
    """
    found: list[tuple[tuple[int, str], ...]] = [()]
    for number, proposition in enumerate(problem.evaluation.propositions):
        flag = _SAME.get(proposition.function_name, "")
        if proposition.args.get(flag) and int(proposition.args.get("number") or 1) > 1:
            others = proposition.args[_SECOND[proposition.function_name]]
            found = [(*choice, (number, other)) for choice in found for other in others][:256]
    return found


def _wanted(problem: Problem, choice: Sequence[tuple[int, str]]) -> list[_Wanted]:
    chosen = dict(choice)
    found: list[_Wanted] = []
    for number, proposition in enumerate(problem.evaluation.propositions):
        things, others = _arguments(proposition)
        if number in chosen:
            others = frozenset({chosen[number]})
        count = int(proposition.args.get("number") or 1)
        found += [_Wanted(number, proposition.function_name, things, others)] * count
    return found


def _arguments(proposition: Proposition) -> tuple[frozenset[str], frozenset[str]]:
    signature = PREDICATES[proposition.function_name]
    second = _SECOND.get(proposition.function_name)
    others = frozenset(proposition.args[second]) if second else frozenset[str]()
    return frozenset(proposition.args.get(signature.first, ())), others


def _sizes(wanted: Sequence[_Wanted]) -> tuple[int, int]:
    states = sum(w.predicate in STATE_PREDICATES for w in wanted)
    return states, len(wanted) - states


def _compared(wanted: Sequence[_Wanted], facts: Sequence[Fact]) -> tuple[Counts, Counts]:
    matched = _matching(wanted, facts)
    states, relations = _sizes(wanted)
    is_state = [facts[n].predicate in STATE_PREDICATES for n in matched]
    right = sum(is_state)
    total = sum(f.predicate in STATE_PREDICATES for f in facts)
    others = len(matched) - right
    return (
        Counts(right, total - right, states - right),
        Counts(others, len(facts) - total - others, relations - others),
    )


def _matching(wanted: Sequence[_Wanted], facts: Sequence[Fact]) -> list[int]:
    """Return the facts that have a place in a largest matching, by augmenting paths.

    A thing has one place in a proposition, whatever is said of it.
    """
    place_of: dict[int, int] = {}
    fact_at: dict[int, int] = {}

    def is_free(fact: int, place: int) -> bool:
        proposition, thing = wanted[place].proposition, facts[fact].thing
        return not any(
            wanted[other].proposition == proposition and facts[held].thing == thing
            for other, held in fact_at.items()
            if held != fact and other != place
        )

    def settle(fact: int, tried: set[int]) -> bool:
        for place, want in enumerate(wanted):
            if place in tried or not want.takes(facts[fact]) or not is_free(fact, place):
                continue
            tried.add(place)
            held = fact_at.get(place)
            if held is None or settle(held, tried):
                fact_at[place], place_of[fact] = fact, place
                return True
        return False

    for fact in range(len(facts)):
        settle(fact, set())
    return sorted(place_of)
