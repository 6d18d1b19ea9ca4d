"""Dependencies and terminal constraint that PARTNR's packer attaches to every task.

Source: section 8 of the planner specification. Groups are the topological generations of the
temporal constraint; without edges there is one group of all propositions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import networkx as nx

from episodes.dataset.model import Constraint, Dependency, Proposition
from episodes.dataset.vocabulary import GROUPS_ARG, PREDICATES, TEMPORAL, TERMINAL

_PLACEMENTS: Final = frozenset({"is_on_top", "is_inside", "is_in_room", "is_on_floor"})
_SPATIAL: Final = frozenset({"is_next_to", "is_clustered"})
_OPPOSITE: Final = {
    "is_clean": "is_dirty",
    "is_dirty": "is_clean",
    "is_filled": "is_empty",
    "is_empty": "is_filled",
    "is_powered_on": "is_powered_off",
    "is_powered_off": "is_powered_on",
}


def attach_automatic(
    propositions: Sequence[Proposition],
    dependencies: Sequence[Dependency],
    constraints: Sequence[Constraint],
) -> tuple[list[Dependency], list[Constraint]]:
    """Return the dependencies and constraints of a task after packing.

    Dependencies that a task already has stand as they are, and only the terminal constraint is
    made or narrowed.
    """
    attached = list(dependencies) or automatic_dependencies(propositions, constraints)
    return attached, with_terminal(propositions, attached, constraints)


def groups_of(count: int, constraints: Sequence[Constraint]) -> list[list[int]]:
    """Return the topological generations of the temporal constraints' edges, earliest first.

    Propositions that no edge names are in no group, unless there are no edges at all.
    """
    edges = [
        (before, after)
        for constraint in constraints
        if constraint.type == TEMPORAL
        for before, after in constraint.args["dag_edges"]
    ]
    if not edges:
        return [list(range(count))]
    graph = nx.DiGraph(edges)
    return [sorted(generation) for generation in nx.topological_generations(graph)]


def automatic_dependencies(
    propositions: Sequence[Proposition], constraints: Sequence[Constraint]
) -> list[Dependency]:
    """Return the dependencies that follow from what the propositions name and their order."""
    groups = groups_of(len(propositions), constraints)
    result: list[Dependency] = []
    for dependency in (
        *_spatial(propositions, groups),
        *_multi_step(propositions, groups),
        *_floor_and_room(propositions, groups),
        *_state_change(propositions, groups),
    ):
        if dependency not in result:
            result.append(dependency)
    return result


def _dependency(index: int, heads: Iterable[int], relation: str, mode: str) -> Dependency:
    return Dependency([index], sorted(heads), relation, mode)


def _objects(proposition: Proposition) -> list[str]:
    """Return the things that a placement, a floor or a state proposition is about."""
    return list(dict.fromkeys(proposition.args["object_handles"]))


def _entities(proposition: Proposition) -> list[str]:
    """Return everything that a next_to or clustered proposition puts together."""
    if proposition.function_name == "is_clustered":
        return list(dict.fromkeys(h for group in proposition.args[GROUPS_ARG] for h in group))
    both = [*proposition.args["entity_handles_a"], *proposition.args["entity_handles_b"]]
    return list(dict.fromkeys(both))


def _mentions(proposition: Proposition, handle: str) -> bool:
    if proposition.function_name in _SPATIAL:
        return handle in _entities(proposition)
    signature = PREDICATES[proposition.function_name]
    return any(handle in proposition.args[name] for name in signature.list_names)


def _spatial(
    propositions: Sequence[Proposition], groups: Sequence[Sequence[int]]
) -> list[Dependency]:
    grouped = {index for group in groups for index in group}
    if len(grouped) < len(propositions):
        return []
    result = []
    group_of = {index: group for group in groups for index in group}
    for index, proposition in enumerate(propositions):
        if proposition.function_name not in _SPATIAL:
            continue
        entities = set(_entities(proposition))
        heads = [
            other
            for other in group_of[index]
            if propositions[other].function_name in _PLACEMENTS
            and entities & set(_objects(propositions[other]))
        ]
        if heads:
            result.append(_dependency(index, heads, "while_satisfied", "any"))
    return result


def _multi_step(
    propositions: Sequence[Proposition], groups: Sequence[Sequence[int]]
) -> list[Dependency]:
    result = []
    for position in range(1, len(groups)):
        for index in groups[position]:
            if propositions[index].function_name not in _PLACEMENTS:
                continue
            for handle in _objects(propositions[index]):
                for earlier in reversed(groups[:position]):
                    heads = [
                        other
                        for other in earlier
                        if PREDICATES[propositions[other].function_name].state is None
                        and _mentions(propositions[other], handle)
                    ]
                    if heads:
                        result.append(_dependency(index, heads, "after_satisfied", "any"))
                        break
    return result


def _floor_and_room(
    propositions: Sequence[Proposition], groups: Sequence[Sequence[int]]
) -> list[Dependency]:
    result = []
    for group in groups:
        for index in group:
            if propositions[index].function_name != "is_on_floor":
                continue
            objects = set(_objects(propositions[index]))
            heads = [
                other
                for other in group
                if propositions[other].function_name == "is_in_room"
                and objects & set(_objects(propositions[other]))
            ]
            if heads:
                result.append(_dependency(index, heads, "while_satisfied", "all"))
    return result


def _state_change(
    propositions: Sequence[Proposition], groups: Sequence[Sequence[int]]
) -> list[Dependency]:
    result = []
    for position in range(1, len(groups)):
        for index in groups[position]:
            opposite = _OPPOSITE.get(propositions[index].function_name)
            if opposite is None:
                continue
            for handle in _objects(propositions[index]):
                for earlier in reversed(groups[:position]):
                    heads = [
                        other
                        for other in earlier
                        if propositions[other].function_name == opposite
                        and handle in _objects(propositions[other])
                    ]
                    if heads:
                        result.append(_dependency(index, heads, "after_satisfied", "any"))
                        break
    return result


def with_terminal(
    propositions: Sequence[Proposition],
    dependencies: Sequence[Dependency],
    constraints: Sequence[Constraint],
) -> list[Constraint]:
    """Return the constraints with the terminal one made or narrowed.

    Left out are heads of ``after_satisfied`` dependencies, and what depends by
    ``while_satisfied`` on anything left out.
    """
    left_out = {
        head
        for dependency in dependencies
        if dependency.relation_type == "after_satisfied"
        for head in dependency.depends_on
    }
    left_out |= {
        index
        for dependency in dependencies
        if dependency.relation_type == "while_satisfied" and left_out & {*dependency.depends_on}
        for index in dependency.proposition_indices
    }
    result: list[Constraint] = []
    found = False
    for constraint in constraints:
        if constraint.type == TERMINAL:
            found = True
            kept = [i for i in constraint.args["proposition_indices"] if i not in left_out]
            result.append(Constraint(TERMINAL, {**constraint.args, "proposition_indices": kept}))
        else:
            result.append(constraint)
    if not found:
        count = len(propositions)
        kept = [index for index in range(count) if index not in left_out]
        args = {"proposition_indices": kept, "n_propositions": count}
        result.append(Constraint(TERMINAL, args))
    return result
