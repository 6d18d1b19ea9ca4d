"""Our explanation as data: what was expected, what is the case, through whom, and what mends it.

PARTNR's explanation (`episodes.evaluation.partnr_explanation`) names classes and stops at missing
steps. This one names the things as the player sees them, tells missing steps and broken constraints
together, and gives everything that somebody needs who tries again. Propositions are the task's own:
the copies that unrolling adds are told as "2 of 3".
"""

from __future__ import annotations

from typing import Literal

import msgspec

from episodes.evaluation.final_places import Relation

How = Literal["never", "part", "undone", "invalid"]
"""Kinds of shortfall.

Never true; true for fewer things than asked; true once and not at the end; true, but not in a way
that counts.
"""
Rule = Literal["order", "undone", "same", "different"]


class Named(msgspec.Struct, frozen=True, array_like=True):
    """A thing or a room: its handle or id, and what the player calls it."""

    handle: str
    name: str


class Expectation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A proposition of the task. ``index`` is the task's.

    ``groups`` holds the two lists of a relation, the one list of a state or floor, or the groups
    of ``is_clustered``; ``numbers`` says how many of the first list (of each group of a cluster).
    ``same`` asks for one single member of the second list. ``text`` is a sentence.
    """

    index: int
    predicate: str
    groups: tuple[tuple[Named, ...], ...]
    numbers: tuple[int, ...]
    text: str
    same: bool = False
    distance_m: float | None = None
    to_the_end: bool = False
    """Whether it must be so when the episode ends, not just at some time."""


class Situation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Place of a thing at the end, and its states."""

    thing: Named
    relation: Relation | Literal["held", "fixed", "unknown"]
    entity: Named | None = None
    room: Named | None = None
    holder: str | None = None
    states: dict[str, bool] = {}


class Condition(msgspec.Struct, frozen=True, array_like=True):
    """A proposition's condition: PARTNR's relation and mode, and the propositions it depends on."""

    relation: str
    mode: str
    on: tuple[int, ...]


class Used(msgspec.Struct, frozen=True, omit_defaults=True):
    """Things that a member of a tie used: ``group`` is the position in its expectation's groups."""

    index: int
    group: int
    things: tuple[Named, ...] = ()
    """Things used; empty while the proposition was never satisfied."""


class TieRule(msgspec.Struct, frozen=True, array_like=True):
    """A rule that propositions have to use the same thing, or different ones."""

    same: bool
    members: tuple[Used, ...]


class Shortfall(msgspec.Struct, frozen=True, omit_defaults=True):
    """A proposition that was not satisfied in full.

    ``reached`` is the largest number that was ever counted. ``made_*`` tell of the first time
    that all or part of it was true, ``broken_*`` since when and through whom it no longer is.
    ``after`` are the propositions that have to come first, in the task's order.
    """

    index: int
    how: How
    reached: int
    now: tuple[Situation, ...]
    text: str
    mend: tuple[str, ...]
    ever: bool = False
    made_tick: int | None = None
    made_by: str | None = None
    broken_tick: int | None = None
    broken_by: str | None = None
    after: tuple[int, ...] = ()
    conditions: tuple[Condition, ...] = ()
    ties: tuple[TieRule, ...] = ()


class Late(msgspec.Struct, frozen=True, omit_defaults=True):
    """A proposition that came true too early: before, or with, those it should follow."""

    index: int
    tick: int
    by: str | None
    after: tuple[int, ...]


class Undone(msgspec.Struct, frozen=True, omit_defaults=True):
    """A proposition that was satisfied and is not any more."""

    index: int
    made_tick: int
    made_by: str | None
    broken_tick: int | None
    broken_by: str | None
    now: tuple[Situation, ...]


class Breach(msgspec.Struct, frozen=True, omit_defaults=True):
    """A constraint that was broken by propositions which were satisfied."""

    rule: Rule
    text: str
    mend: tuple[str, ...]
    late: tuple[Late, ...] = ()
    undone: tuple[Undone, ...] = ()
    tie: TieRule | None = None
    kept_at_end: bool = False
    """Whether the tie, which was judged when its members came true, is kept at the end."""


class Account(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reasons why an episode is not a success; empty exactly when it is one.

    ``steps`` holds the expectation of every proposition that the rest refers to. ``note``
    speaks where nothing can be blamed: the task asks for nothing, or could not be evaluated.
    """

    steps: tuple[Expectation, ...] = ()
    shortfalls: tuple[Shortfall, ...] = ()
    breaches: tuple[Breach, ...] = ()
    note: str = ""
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.shortfalls or self.breaches or self.note)

    def step(self, index: int) -> Expectation:
        """Return the expectation of a proposition.

        Raises KeyError for one that nothing refers to.
        """
        for step in self.steps:
            if step.index == index:
                return step
        raise KeyError(index)


def without_mending(account: Account) -> Account:
    """Return the account without its advice: what the suffices experiment hands on."""
    replace = msgspec.structs.replace
    return replace(
        account,
        shortfalls=tuple(replace(s, mend=(), text="") for s in account.shortfalls),
        breaches=tuple(replace(b, mend=(), text="") for b in account.breaches),
        text="",
    )
