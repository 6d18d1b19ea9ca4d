"""Model double that understands instructions: it says what a task means.

It uses the names that its prompt has, and words for what the prompt does not name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args

import msgspec

from episodes.dataset.vocabulary import DIFFERENT_ARG, SAME_ARG, TEMPORAL
from server.robots.models import ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.robots.policies.cohab.instruction_goals import Goal, Meaning, What
from server.sessions.core import SessionCore
from tests.robot_doubles.knowledge import room_told
from tests.robot_doubles.model_answer import model_answer

_WHATS = get_args(What)
_WHAT_OF = {"is_on_top": "on", "is_inside": "within"}
_TIES = {SAME_ARG: "same_as", DIFFERENT_ARG: "apart_from"}
TOLD_WHERE = re.compile(
    r"The ([a-z ]+?(?: \d+)?) is (?:in|on) the ([a-z ]+?(?: \d+)?)(?: in the |\.)"
)
"""Answer of a person to where something is: labels of the thing and of the furniture."""
_PLACES = ("receptacle_handles", "room_ids")


def meaning_of(
    core: SessionCore, is_known: Callable[[str], bool], *, says_rooms: bool = True
) -> Meaning:
    """Return what the task means: names where ``is_known`` says so, else classes.

    With ``says_rooms`` an unknown thing has the room in which it is, where the instruction names
    that room.
    """
    goals = [_goal(core, p, is_known) for p in core.task.evaluation_propositions]
    for constraint in core.task.evaluation_constraints:
        if constraint.type == TEMPORAL:
            for before, after in constraint.args["dag_edges"]:
                goals[after] = _with(goals[after], "after", before)
        elif constraint.type in _TIES and constraint.args["arg_names"][0] in _PLACES:
            field = _TIES[constraint.type]
            first, *others = constraint.args["proposition_indices"]
            for other in others:
                goals[other] = _with(goals[other], field, first)
    if says_rooms:
        goals = [_with_rooms(core, g, is_known, n) for n, g in enumerate(goals)]
    return Meaning(tuple(_merged(goals)))


def _goal(core: SessionCore, proposition: Any, is_known: Callable[[str], bool]) -> Goal:
    graph, args = core.names.graph, proposition.args

    def word(handle: str) -> str:
        name = graph[handle]
        return name if is_known(name) else name.rpartition("_")[0]

    name = proposition.function_name
    what = _WHAT_OF.get(name, name.removeprefix("is_"))
    assert what in _WHATS, f"no goal says {name}"
    things = args.get("object_handles") or args["entity_handles_a"]
    beside = args.get("entity_handles_b", [""])[0]
    return Goal(
        what=what,
        things=tuple(dict.fromkeys(word(h) for h in things)),
        number=int(args.get("number") or 1),
        where=tuple(graph[h] for key in _PLACES for h in args.get(key, ())),
        beside=word(beside) if beside else "",
        one_place=any(bool(v) for k, v in args.items() if k.startswith("is_same")),
    )


def _with(goal: Goal, field: str, *more: int | str) -> Goal:
    return msgspec.structs.replace(goal, **{field: (*getattr(goal, field), *more)})


def _with_rooms(
    core: SessionCore, goal: Goal, is_known: Callable[[str], bool], number: int
) -> Goal:
    """Return a goal with the rooms of unknown things, as far as the instruction names them."""
    args = core.task.evaluation_propositions[number].args
    found = []
    for handle in args.get("object_handles") or args["entity_handles_a"]:
        room = room_told(core, handle)
        if room is not None and not is_known(core.names.graph[handle]):
            found.append(core.names.graph[room])
    return msgspec.structs.replace(goal, found_in=tuple(dict.fromkeys(found)))


def _merged(goals: list[Goal]) -> list[Goal]:
    """Merge goals for things of one kind and place into one goal with a number."""
    groups: list[list[int]] = []
    for number, goal in enumerate(goals):
        same = next((g for g in groups if _is_alike(goals[g[0]], goal)), None)
        if same is None:
            groups.append([number])
        else:
            same.append(number)
    at = {number: place for place, group in enumerate(groups) for number in group}
    merged = []
    for place, group in enumerate(groups):
        first, members = goals[group[0]], [goals[n] for n in group]
        moved: dict[str, Any] = {
            field: tuple(sorted({at[n] for g in members for n in getattr(g, field)} - {place}))
            for field in ("after", "same_as", "apart_from")
        }
        things = dict.fromkeys(word for g in members for word in g.things)
        number = sum(g.number for g in members)
        found = dict.fromkeys(room for g in members for room in g.found_in)
        merged.append(
            msgspec.structs.replace(
                first, things=tuple(things), number=number, found_in=tuple(found), **moved
            )
        )
    return merged


def _is_alike(one: Goal, other: Goal) -> bool:
    """Tell whether two goals differ in nothing but things of the same kinds."""
    bare = [
        msgspec.structs.replace(g, things=tuple(sorted(map(_kind, g.things))), found_in=())
        for g in (one, other)
    ]
    return bare[0] == bare[1] and one.what != "next_to" and not one.apart_from + one.same_as


def _kind(word: str) -> str:
    stem, _, number = word.rpartition("_")
    return stem if number.isdigit() else word


class CohabDouble:
    """Model double for `cohab`, which knows of the home what stands in the prompt."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        prompt = prompt_text(request)
        return model_answer("cohab double", prompt, self.answer(prompt))

    def answer(self, prompt: str) -> str:
        said, _, home = prompt.rpartition("What is known of the home:")
        known = set(re.findall(r"\w+", home))
        return encode(with_said(self._core, meaning_of(self._core, lambda n: n in known), said))


def with_said(core: SessionCore, meaning: Meaning, said: str) -> Meaning:
    """Return a meaning with what people have told since: where things are, where they belong."""
    graph = core.names.graph
    by_label = {label: graph[key] for key, label in core.names.labels.items() if key in graph}
    there: dict[str, str] = {}
    for label, place in TOLD_WHERE.findall(said.partition("What was said since then")[2]):
        thing, furniture = by_label.get(label), by_label.get(place)
        if thing is not None and furniture is not None:
            there[thing.rpartition("_")[0]] = furniture
    goals = []
    for goal in meaning.goals:
        found = tuple(there[word] for word in goal.things if word in there)
        goals.append(_with(goal, "found_in", *found) if found else goal)
    return msgspec.structs.replace(meaning, goals=tuple(goals))


def encode(meaning: Meaning) -> str:
    """Encode a meaning as a model writes it: what does not apply is left out."""
    kept = [
        {k: v for k, v in goal.items() if v not in ([], "", False)}
        for goal in msgspec.to_builtins(meaning.goals)
    ]
    for goal in kept:
        if goal["number"] == 1:
            del goal["number"]
    answer: dict[str, Any] = {"goals": kept}
    if meaning.question:
        answer["question"] = meaning.question
    return msgspec.json.encode(answer).decode()
