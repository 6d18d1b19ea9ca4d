"""Goals of an instruction, as a model writes them down over what the seat knows.

The vocabulary is the evaluator's (PARTNR's predicates). Things are names that the seat knows, or
words for what it has not found yet.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from episodes.catalogue.table import OBJECT_CLASSES, classes_of_group
from episodes.names import floor_key
from episodes.worldgraph import WorldGraph

What = Literal[
    "on", "within", "on_floor", "in_room", "next_to", "clean", "filled", "powered_on", "powered_off"
]
PLACES: tuple[What, ...] = ("on", "within", "on_floor", "in_room")
NEED_WHERE: tuple[What, ...] = ("on", "within", "in_room")
STATES: dict[What, tuple[str, bool]] = {
    "clean": ("is_clean", True),
    "filled": ("is_filled", True),
    "powered_on": ("is_powered_on", True),
    "powered_off": ("is_powered_on", False),
}
MOST_GOALS = 16
QUESTION = r'^[^"\\\x00-\x1f]{0,120}$'
"""Pattern of text without the characters that JSON has to escape.

A pattern and not a length, because xgrammar lets raw control characters through where only the
length is given. It compiles no such pattern above 128 characters.
"""


class MeaningError(Exception):
    """Error for an answer that is no meaning; the message says what was expected and what came."""


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A state that ``number`` of ``things`` shall reach.

    ``where`` names furniture or rooms, any of which will do; ``beside`` is what a thing shall be
    next to; ``after`` holds positions of goals that come first; ``found_in`` is where the things
    are said to be now (rooms or furniture).

    Ties: ``one_place`` wants all of the goal's things at the same one of ``where``; ``same_as`` and
    ``apart_from`` are positions of goals whose things go to the same place, or to others.
    """

    what: What
    things: tuple[str, ...]
    number: int = 1
    where: tuple[str, ...] = ()
    beside: str = ""
    after: tuple[int, ...] = ()
    found_in: tuple[str, ...] = ()
    one_place: bool = False
    same_as: tuple[int, ...] = ()
    apart_from: tuple[int, ...] = ()


class Meaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Goals of an instruction, and a question to the partner if its answer would change them."""

    goals: tuple[Goal, ...]
    question: str = ""


def schema(graph: WorldGraph) -> dict[str, Any]:
    """Return the JSON schema of a meaning over what a graph knows."""
    names = graph.names.graph
    places = sorted({names[f] for f in graph.rooms} | {names[r.room_id] for r in graph.scene.rooms})
    word = {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$"}
    others = {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": MOST_GOALS - 1},
        "maxItems": MOST_GOALS,
    }
    where = {"type": "array", "items": {"enum": places}, "maxItems": 12}
    beside = {"type": "string", "pattern": "^([a-z][a-z0-9_]{0,39})?$"}

    def goal(whats: tuple[What, ...], needs: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "additionalProperties": False,
            # What does not apply is left out: every token takes time.
            "required": ["what", "things", *needs],
            "properties": {
                "what": {"enum": list(whats)},
                "things": {"type": "array", "items": word, "minItems": 1, "maxItems": 12},
                "number": {"type": "integer", "minimum": 1, "maximum": 12},
                "found_in": {"type": "array", "items": {"enum": places}, "maxItems": 4},
                "where": where,
                "beside": beside,
                "after": others,
                "one_place": {"type": "boolean"},
                "same_as": others,
                "apart_from": others,
                **needs,
            },
        }

    goals = [
        goal(NEED_WHERE, {"where": {**where, "minItems": 1}}),
        goal(("next_to",), {"beside": word}),
        goal(("on_floor", *STATES), {}),
    ]
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["goals"],
        "properties": {
            "goals": {
                "type": "array",
                "items": {"anyOf": goals},
                "minItems": 1,
                "maxItems": MOST_GOALS,
            },
            "question": {"type": "string", "pattern": QUESTION},
        },
    }


def read(text: str) -> Meaning:
    """Read a meaning from JSON.

    Raises MeaningError where the text does not fit the schema or `after` is circular.
    """
    try:
        meaning = msgspec.json.decode(text, type=Meaning)
    except msgspec.MsgspecError as error:
        raise MeaningError(f"expected goals as JSON: {error}") from error
    if not 1 <= len(meaning.goals) <= MOST_GOALS:
        raise MeaningError(f"expected 1 to {MOST_GOALS} goals, got {len(meaning.goals)}")
    for number, goal in enumerate(meaning.goals):
        if not goal.things or goal.number < 1:
            raise MeaningError(f"goal {number}: expected things and a number above zero")
        if goal.what in NEED_WHERE and not goal.where:
            raise MeaningError(f"goal {number}: {goal.what} needs a place in `where`")
        if goal.what == "next_to" and not goal.beside:
            raise MeaningError(f"goal {number}: next_to needs `beside`")
        for named in ("after", "same_as", "apart_from"):
            others = getattr(goal, named)
            if any(not 0 <= a < len(meaning.goals) or a == number for a in others):
                raise MeaningError(f"goal {number}: `{named}` names other goals by their position")
    if _is_circular(meaning.goals):
        raise MeaningError("`after` goes round in a circle")
    return meaning


def _is_circular(goals: tuple[Goal, ...]) -> bool:
    done: set[int] = set()
    while len(done) < len(goals):
        ready = {n for n, g in enumerate(goals) if n not in done and set(g.after) <= done}
        if not ready:
            return True
        done |= ready
    return False


# Words and what they stand for


def known_things(graph: WorldGraph, words: tuple[str, ...]) -> list[str]:
    """Return the handles that words stand for: a name, a class (``cup``) or a group (``toys``)."""
    found: list[str] = []
    for word in words:
        key = graph.find(word)
        if key is not None and key in graph.objects:
            found.append(key)
            continue
        classes = classes_of(word)
        found += [h for h in graph.objects if class_in(graph, h) in classes]
    return list(dict.fromkeys(found))


def classes_of(word: str) -> set[str]:
    """Return the classes of a word: itself, those of its group, or its singular."""
    classes = {word} | set(classes_of_group(word)) | set(classes_of_group(word.replace("_", " ")))
    classes |= {c.name for c in OBJECT_CLASSES.values() if c.plural.replace(" ", "_") == word}
    # A name that is not known any more still says its class.
    stem, _, number = word.rpartition("_")
    if number.isdigit() and stem in OBJECT_CLASSES:
        classes.add(stem)
    return classes


def class_in(graph: WorldGraph, handle: str) -> str:
    """Return the class of an object, taken from its name."""
    return graph.names.graph[handle].rpartition("_")[0]


def places_of(graph: WorldGraph, goal: Goal) -> list[str]:
    """Return the furniture and floors that a goal allows, as keys of the graph.

    A room stands for everything in it.
    """
    found: list[str] = []
    for name in goal.where:
        key = graph.find(name)
        if key is None:
            continue
        if key in graph.rooms:
            found.append(key)
        elif goal.what == "on_floor":
            found.append(floor_key(key))
        else:
            found += graph.furniture_of(key)
    if goal.what == "on_floor" and not goal.where:
        found = [floor_key(room.room_id) for room in graph.scene.rooms]
    return list(dict.fromkeys(found))
