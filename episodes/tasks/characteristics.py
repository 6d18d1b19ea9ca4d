"""Characteristics of tasks, counted: PARTNR's tables 4 (language) and 5 (task), and ours beside.

Everything but the phenomena of language is read off the evaluation fields, so that it can be
counted for PARTNR's own files too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from episodes.catalogue import class_names
from episodes.catalogue.table import OBJECT_CLASSES
from episodes.dataset import Task
from episodes.dataset.vocabulary import DIFFERENT_ARG, GROUPS_ARG, PREDICATES, SAME_ARG, TEMPORAL
from episodes.scene import Catalogue, Scene, template_name
from episodes.tasks.words import noun, room_noun, skeleton

PHENOMENA: dict[str, str] = {
    "coreference": "co-reference (it, there, those cups)",
    "passive": "passive",
    "high_level_goal": "high-level goal",
    "agentic_reference": "agentic reference (you, we, help me)",
    "question": "question",
    "order": "order words",
    "spatial_relation": "spatial relation",
    "quantity": "quantity (both, all three)",
    "category": "word for a category (the dishes)",
    "alternative": "alternative (either … or)",
}
"""Phenomena that the grammar marks, and what they are called in tables."""

MARKED = "tasks with phenomena marked"
PARTNR: dict[str, str] = {
    MARKED: "",
    "tasks": "1,000 (validation), 1,000 (test)",
    "houses": "13 (validation), 10 (test), 37 (train)",
    "propositions per task": "4.7",
    "dependent rearrangement": "7 % (test)",
    "subset count": "about 1 %",
}
"""Figures of PARTNR's own sets that are known here.

Their sources are its paper (arXiv 2411.00081), section 3.3, and notes on its evaluator and its
study. Its tables 4 and 5 themselves are not at hand.
"""
NOT_KNOWN = "not published here"
"""Text in place of figures of PARTNR's tables that are not at hand; nothing is guessed."""
NOT_MARKED = "not marked"
"""Text in place of our share of a phenomenon where no task says which phenomena are in it."""


class Line(NamedTuple):
    """A line of a table: what, our figure, and PARTNR's or that it is not known."""

    what: str
    ours: str
    partnr: str


def has_order(task: Task) -> bool:
    return any(c.type == TEMPORAL and c.args["dag_edges"] for c in task.evaluation_constraints)


def has_tie(task: Task) -> bool:
    """Tell whether a placement depends on which thing or place another was made with."""
    return any(c.type in (SAME_ARG, DIFFERENT_ARG) for c in task.evaluation_constraints)


def has_multi_step(task: Task) -> bool:
    """Tell whether something is moved, and later moved again."""
    return any(
        d.relation_type == "after_satisfied" for d in task.evaluation_proposition_dependencies
    )


def has_subset(task: Task) -> bool:
    """Tell whether a part is asked for, such as "two of the three": more than one, and not all."""
    return any(1 < n < len(things) for things, n in _asked(task))


def has_choice_of_things(task: Task) -> bool:
    """Tell whether several objects or pieces of furniture fill a reference."""
    return any(n < len(things) for things, n in _asked(task))


def has_choice_of_places(task: Task) -> bool:
    """Tell whether several pieces of furniture or rooms fill a place."""
    return any(
        len(p.args.get(name, ())) > 1
        for p in task.evaluation_propositions
        for name in ("receptacle_handles", "room_ids", "entity_handles_b")
    )


def has_next_to(task: Task) -> bool:
    names = {p.function_name for p in task.evaluation_propositions}
    return bool(names & {"is_next_to", "is_clustered"})


def has_state(task: Task) -> bool:
    return any(PREDICATES[p.function_name].state for p in task.evaluation_propositions)


CHARACTERISTICS: dict[str, Callable[[Task], bool]] = {
    "order of steps": has_order,
    "spatial relation": has_next_to,
    "change of state": has_state,
    "dependent rearrangement": has_tie,
    "multi-step rearrangement": has_multi_step,
    "subset count": has_subset,
    "several things fit a reference": has_choice_of_things,
    "several places fit a reference": has_choice_of_places,
}


def _asked(task: Task) -> Iterable[tuple[list[str], int]]:
    for proposition in task.evaluation_propositions:
        signature = PREDICATES[proposition.function_name]
        if signature.first != GROUPS_ARG:
            yield proposition.args[signature.first], int(proposition.args.get("number", 1))


def task_table(tasks: Sequence[Task]) -> list[Line]:
    """Return table 5: characteristics of tasks. Raises ValueError without tasks."""
    count = _some(tasks)
    lines = [
        _line("tasks", f"{count:,}"),
        _line("propositions per task", _mean(len(task.evaluation_propositions) for task in tasks)),
        _line("objects per task", _mean(len(task.rigid_objs) for task in tasks)),
        _line("houses", str(len({task.scene_id for task in tasks}))),
    ]
    types = Counter(str(about(task).get("task_type", "not said")) for task in tasks)
    lines += [_line(t.replace("_", "-"), _share(n, count)) for t, n in sorted(types.items())]
    lines += [
        _line(what, _share(sum(map(test, tasks)), count)) for what, test in CHARACTERISTICS.items()
    ]
    return lines


def language_table(tasks: Sequence[Task]) -> list[Line]:
    """Return table 4: phenomena of language, in tasks whose phenomena the grammar marked.

    Raises ValueError without tasks.
    """
    count = _some(tasks)
    marked = [task for task in tasks if "phenomena" in about(task)]
    found = Counter(str(p) for task in marked for p in about(task)["phenomena"])
    lines = [_line(MARKED, f"{len(marked):,} of {count:,}")]
    lines += [
        _line(words, _share(found[name], len(marked)) if marked else NOT_MARKED)
        for name, words in PHENOMENA.items()
    ]
    lines.append(
        _line("words per instruction", _mean(len(task.instruction.split()) for task in tasks))
    )
    unique = distinct_wordings(task.instruction for task in tasks)
    lines.append(_line("unique without their nouns", _share(unique, count)))
    return lines


def about(task: Task) -> Mapping[str, Any]:
    """Return what the generator says of a task; empty for tasks of others."""
    found = task.info.get("cohabit", {})
    return found if isinstance(found, dict) else {}


def distinct_wordings(instructions: Iterable[str]) -> int:
    """Count the instructions, those that differ in nouns only as one."""
    return len({skeleton(text, _nouns()) for text in instructions})


@cache
def _nouns() -> tuple[str, ...]:
    homes = [home for row in OBJECT_CLASSES.values() for home in row.homes]
    classes = {room for room, _ in homes} | {f for _, furniture in homes for f in furniture}
    classes |= {*class_names("furniture"), *OBJECT_CLASSES}
    nouns = [words for c in sorted(classes) for words in (noun(c), noun(c, 2), room_noun(c))]
    return (*nouns, *sorted({row.group for row in OBJECT_CLASSES.values()}))


def _some(tasks: Sequence[Task]) -> int:
    if not tasks:
        raise ValueError("expected tasks, got none")
    return len(tasks)


def _line(what: str, ours: str) -> Line:
    return Line(what, ours, PARTNR.get(what, NOT_KNOWN))


def _mean(values: Iterable[int]) -> str:
    listed = list(values)
    return f"{sum(listed) / len(listed):.1f}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def unnamed(task: Task, scene: Scene, catalogue: Catalogue) -> list[str]:
    """Return classes that a task's goals name and its instruction does not, in any of their words.

    Empty for a good instruction; things may be named by their group, rooms only where they are
    the goal.
    """
    text = task.instruction.lower()
    rooms = {r.room_id: r.class_name for r in scene.rooms}
    missing = []
    for proposition in task.evaluation_propositions:
        for name in PREDICATES[proposition.function_name].list_names:
            for handle in proposition.args[name]:
                if handle in rooms:
                    words = [room_noun(rooms[handle])]
                else:
                    class_name = catalogue.templates[template_name(handle)].class_name
                    words = [noun(class_name), noun(class_name, 2)]
                    row = OBJECT_CLASSES.get(class_name)
                    words += [row.group] if row is not None else []
                if not any(w.lower() in text for w in words):
                    missing.append(words[0])
    return missing
