"""Text of a task: what is said, what is asked and in which order, where everything starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from episodes.dataset import Proposition, Task
from episodes.dataset.vocabulary import GROUPS_ARG, PREDICATES, SAME_ARG, TEMPORAL, TERMINAL
from episodes.evaluation.automatic_dependencies import groups_of
from episodes.scene import split_receptacle_id

_WORDS = {
    "is_on_top": "on",
    "is_inside": "inside",
    "is_in_room": "in",
    "is_on_floor": "on the floor",
    "is_next_to": "next to",
    "is_clustered": "together",
}


def tell(task: Task, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a task; ``labels`` are players' names, by handle and room id."""
    yield task.instruction
    yield ""
    groups = groups_of(len(task.evaluation_propositions), task.evaluation_constraints)
    for step, group in enumerate(groups, 1):
        if len(groups) > 1:
            yield f"Step {step}"
        for index in group:
            yield f"  {index}: {_goal(task.evaluation_propositions[index], labels)}"
    for constraint in task.evaluation_constraints:
        if constraint.type == TEMPORAL:
            continue
        members = ", ".join(str(i) for i in constraint.args["proposition_indices"])
        if constraint.type == TERMINAL:
            yield f"At the end: {members}"
        else:
            same = "The same" if constraint.type == SAME_ARG else "Different ones"
            names = ", ".join(dict.fromkeys(constraint.args["arg_names"]))
            yield f"{same} ({names}): {members}"
    for dependency in task.evaluation_proposition_dependencies:
        words = dependency.relation_type.replace("_", " ")
        yield (
            f"Looked at: {_numbers(dependency.proposition_indices)} {words} "
            f"{dependency.dependency_mode} of {_numbers(dependency.depends_on)}"
        )
    yield ""
    yield "At the start"
    for handle, place in task.name_to_receptacle.items():
        furniture, receptacle = split_receptacle_id(place) if "|" in place else (place, "")
        where = labels.get(furniture, furniture)
        yield f"  {labels.get(handle, handle)}: {where}{receptacle and f', {receptacle}'}"


def _numbers(indices: list[int]) -> str:
    return ", ".join(str(i) for i in indices)


def _goal(proposition: Proposition, labels: Mapping[str, str]) -> str:
    signature = PREDICATES[proposition.function_name]
    args = proposition.args
    name = proposition.function_name
    if signature.is_clustered:
        return " and ".join(_any(group, labels) for group in args[GROUPS_ARG]) + " together"
    count = int(args.get("number", 1))
    some = f"{count} of " if count > 1 or len(args[signature.first]) > 1 else ""
    things = f"{some}{_any(args[signature.first], labels)}"
    words = _WORDS.get(name, name.removeprefix("is_").replace("_", " "))
    if signature.second is None:
        return f"{things} {words}"
    same = " (the same one)" if signature.same and args.get(signature.same) else ""
    return f"{things} {words} {_any(args[signature.second], labels)}{same}"


def _any(handles: list[str], labels: Mapping[str, str]) -> str:
    return " or ".join(labels.get(h, h) for h in handles)
