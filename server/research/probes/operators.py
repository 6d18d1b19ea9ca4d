"""Operators: what each action needs and does; ours, a model's, and how well the two agree.

Section 2.4 of the notes on EAI. The operators are written for planning in symbols: placing on,
within and next to are one each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from server.research.probes.answers import Operator, Term
from server.research.probes.interpretation import Counts

CATEGORIES: Final[dict[str, str]] = {
    "open": "object states",
    "clean": "object states",
    "filled": "object states",
    "powered_on": "object states",
    "openable": "affordances",
    "surface": "affordances",
    "container": "affordances",
    "cleanable": "affordances",
    "fillable": "affordances",
    "switchable": "affordances",
    "on": "spatial relations",
    "within": "spatial relations",
    "beside": "spatial relations",
    "holding": "other relations",
    "hand_empty": "other relations",
}
"""EAI's category of every predicate of the domain."""

ARITIES: Final[dict[str, int]] = dict.fromkeys(CATEGORIES, 1) | {
    "on": 2, "within": 2, "beside": 3, "hand_empty": 0,
}  # fmt: skip

PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    "pick_from_top": ("?thing", "?place"),
    "pick_from_within": ("?thing", "?place"),
    "place_on": ("?thing", "?place"),
    "place_within": ("?thing", "?place"),
    "place_on_next_to": ("?thing", "?place", "?other"),
    "open": ("?place",),
    "close": ("?place",),
    "clean": ("?thing",),
    "fill": ("?thing",),
    "power_on": ("?thing",),
    "power_off": ("?thing",),
}


def _term(text: str) -> Term:
    bare = text.removeprefix("not ")
    predicate, *arguments = bare.split()
    return Term(predicate, tuple(arguments), bare == text)


def _operator(name: str, needs: str, does: str) -> Operator:
    def terms(text: str) -> tuple[Term, ...]:
        return tuple(_term(part.strip()) for part in text.split(","))

    return Operator(name, terms(needs), terms(does))


OPERATORS: Final = (
    _operator(
        "pick_from_top",
        "hand_empty, on ?thing ?place",
        "holding ?thing, not hand_empty, not on ?thing ?place",
    ),
    _operator(
        "pick_from_within",
        "hand_empty, within ?thing ?place, open ?place",
        "holding ?thing, not hand_empty, not within ?thing ?place",
    ),
    _operator(
        "place_on",
        "holding ?thing, surface ?place",
        "on ?thing ?place, hand_empty, not holding ?thing",
    ),
    _operator(
        "place_within",
        "holding ?thing, container ?place, open ?place",
        "within ?thing ?place, hand_empty, not holding ?thing",
    ),
    _operator(
        "place_on_next_to",
        "holding ?thing, surface ?place, on ?other ?place",
        "on ?thing ?place, beside ?thing ?other ?place, hand_empty, not holding ?thing",
    ),
    _operator("open", "openable ?place, not open ?place", "open ?place"),
    _operator("close", "openable ?place, open ?place", "not open ?place"),
    _operator("clean", "cleanable ?thing, not clean ?thing", "clean ?thing"),
    _operator("fill", "fillable ?thing, not filled ?thing", "filled ?thing"),
    _operator("power_on", "switchable ?thing, not powered_on ?thing", "powered_on ?thing"),
    _operator("power_off", "switchable ?thing, powered_on ?thing", "not powered_on ?thing"),
)
"""Operators that say what holds in `replay`.

A container without a door counts as open. Being next to each other names the place, since without
quantifiers nothing can say that it ends when a thing is taken away.
"""


class Agreement(NamedTuple):
    """Agreement of a model's operators with ours.

    ``by_category`` counts terms; ``unknown`` are operators and predicates that there are not,
    of ``predicted`` terms and operators.
    """

    by_category: dict[str, Counts]
    unknown: int
    predicted: int

    @property
    def overall(self) -> Counts:
        return sum(self.by_category.values(), Counts())


def compare(predicted: Iterable[Operator] | None) -> Agreement:
    """Compare term by term, in preconditions and in effects.

    Conjunctions may be in any order, parameters go by their names. Of several operators of a
    name the last counts; None: none could be read.
    """
    named, unknown, size = known(predicted or ())
    found: dict[str, Counts] = {category: Counts() for category in CATEGORIES.values()}
    for gold in OPERATORS:
        mine = named.get(gold.name, Operator(gold.name, (), ()))
        for true, said in ((gold.precondition, mine.precondition), (gold.effect, mine.effect)):
            wanted, given = set(true), {t for t in said if t.predicate in CATEGORIES}
            for term in wanted | given:
                counts = Counts(
                    int(term in wanted and term in given),
                    int(term not in wanted),
                    int(term not in given),
                )
                found[CATEGORIES[term.predicate]] += counts
    return Agreement(found, unknown, size)


def known(predicted: Iterable[Operator]) -> tuple[Mapping[str, Operator], int, int]:
    """Return the operators that there are, by name.

    Returns also how many names and predicates there are not, and how many there were of both.
    """
    named: dict[str, Operator] = {}
    unknown = size = 0
    for operator in predicted:
        size += 1
        if operator.name not in PARAMETERS:
            unknown += 1
            continue
        named[operator.name] = operator
        for term in (*operator.precondition, *operator.effect):
            size += 1
            unknown += term.predicate not in CATEGORIES
    return named, unknown, size


def usable(operator: Operator) -> bool:
    """Tell whether a planner can take it: known predicates of known size over its parameters."""
    parameters = set(PARAMETERS.get(operator.name, ()))
    return operator.name in PARAMETERS and all(
        ARITIES.get(term.predicate) == len(term.arguments) and set(term.arguments) <= parameters
        for term in (*operator.precondition, *operator.effect)
    )


def usable_of(predicted: Sequence[Operator]) -> list[Operator]:
    """Return the last operator of each name that a planner can take."""
    return [o for o in {o.name: o for o in predicted}.values() if usable(o)]
