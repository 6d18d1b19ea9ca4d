"""The grammar of the calls that a seat can make of its tools (PARTNR's constrained generation).

It guarantees names that the seat knows and the right number of arguments, never that a call
succeeds.
"""

from __future__ import annotations

from collections.abc import Sequence as Several
from functools import lru_cache
from typing import Literal, NamedTuple

from episodes.worldgraph import WorldGraph
from server.robots.grammar.rules import (
    Characters,
    Choice,
    Expression,
    Grammar,
    Rule,
    Sequence,
    Text,
    words,
)
from server.skills.registry import PLACING, Skill

FREE_TEXT = "A-Za-z0-9 .,:;!_'"
"""The characters of a model's own words: nothing that looks like a call, and no new line."""
DONE: Literal["Done[]"] = "Done[]"
_KEPT = 256


class Vocabulary(NamedTuple):
    """The names that one graph has now, in its order."""

    objects: tuple[str, ...]
    furniture: tuple[str, ...]
    """Furniture and floors, as everywhere in PARTNR."""
    rooms: tuple[str, ...]


class Query(NamedTuple):
    """A tool that takes free text instead of names; ``most`` characters, 0 for none at all."""

    name: str
    most: int = 0


def vocabulary_of(graph: WorldGraph) -> Vocabulary:
    names = graph.names.graph
    return Vocabulary(
        tuple(names[h] for h in graph.objects),
        tuple(names[h] for h in graph.rooms),
        tuple(names[r.room_id] for r in graph.scene.rooms),
    )


def calls_of(
    tools: Several[Skill],
    known: Vocabulary,
    queries: Several[Query] = (),
    *,
    prefix: str = "",
    done: bool = True,
) -> Grammar:
    """Build the rule ``<prefix>call`` and what it needs.

    Tools without a valid argument are left out. ``prefix`` tells the rules of several seats apart.
    """
    return _calls(tuple(tools), known, tuple(queries), prefix, done)


@lru_cache(_KEPT)
def _calls(
    tools: tuple[Skill, ...],
    known: Vocabulary,
    queries: tuple[Query, ...],
    prefix: str,
    done: bool,
) -> Grammar:
    used: set[str] = set()
    options = [c for skill in tools if (c := _call(skill, known, prefix, used)) is not None]
    options += [_query(query) for query in queries]
    if done:
        options.append(Text(DONE))
    rules: dict[str, Expression] = {f"{prefix}call": Choice(tuple(options))}
    rules |= {f"{prefix}{n}": body for n, body in _names(known, prefix).items() if n in used}
    return Grammar(rules)


_SLOTS = {
    "object": ("object",),
    "furniture": ("furniture",),
    "room": ("room",),
    "thing": ("object", "furniture"),
    "target": ("object", "furniture", "room"),
}
"""The kinds of names that each kind of argument takes."""


def _names(known: Vocabulary, prefix: str) -> dict[str, Expression]:
    """Build the rules of the slots, those that they expand to last."""
    rules: dict[str, Expression] = {}
    for slot in ("target", "thing"):
        rules[slot] = Choice(tuple(Rule(f"{prefix}{kind}") for kind in _kinds(slot, known)))
    for kind in ("object", "furniture", "room"):
        rules[kind] = words(names_for(kind, known))
    return rules


def _kinds(slot: str, known: Vocabulary) -> list[str]:
    return [kind for kind in _SLOTS[slot] if names_for(kind, known)]


def names_for(slot: str, known: Vocabulary) -> tuple[str, ...]:
    """Return all names that an argument can take."""
    by_kind = {"object": known.objects, "furniture": known.furniture, "room": known.rooms}
    return tuple(name for kind in _SLOTS[slot] for name in by_kind[kind])


def _slot(name: str, known: Vocabulary, prefix: str, used: set[str]) -> Rule | None:
    """Refer to the rule for one argument; None when nothing is known that it could name."""
    kinds = _kinds(name, known)
    if not kinds:
        return None
    used |= {name, *kinds}
    return Rule(f"{prefix}{name}")


def slot_of(skill: Skill, argument: str) -> str:
    """Tell which names an argument of a skill takes.

    One walks to rooms, but does not wash them.
    """
    if argument == "reference":
        return "thing"
    return "thing" if argument == "target" and skill.verb is not None else argument


def _call(skill: Skill, known: Vocabulary, prefix: str, used: set[str]) -> Expression | None:
    if not skill.arguments:
        return Text(f"{skill.name}[]")
    mine: set[str] = set()
    if skill.arguments == PLACING:
        thing = _slot("object", known, prefix, mine)
        furniture = _slot("furniture", known, prefix, mine)
        reference = _slot("thing", known, prefix, mine)
        if thing is None or furniture is None or reference is None:
            return None
        used |= mine
        near = Choice((Text("none, none"), Sequence((Text("next_to, "), reference))))
        return Sequence(
            (
                Text(f"{skill.name}["),
                thing,
                Text(", "),
                words(("on", "within")),
                Text(", "),
                furniture,
                Text(", "),
                near,
                Text("]"),
            )
        )
    (argument,) = skill.arguments
    slot = _slot(slot_of(skill, argument), known, prefix, mine)
    if slot is None:
        return None
    used |= mine
    return Sequence((Text(f"{skill.name}["), slot, Text("]")))


def _query(query: Query) -> Expression:
    if not query.most:
        return Text(f"{query.name}[]")
    free = Characters(FREE_TEXT, 1, query.most)
    return Sequence((Text(f"{query.name}["), free, Text("]")))
