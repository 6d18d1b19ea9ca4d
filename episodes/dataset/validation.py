"""Checks of a task's evaluation fields before anything is built from them."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, NoReturn

from episodes.dataset.errors import DatasetError
from episodes.dataset.model import Constraint, Dependency, Proposition
from episodes.dataset.vocabulary import (
    CONSTRAINT_TYPES,
    DIFFERENT_ARG,
    GROUPS_ARG,
    MODES,
    PREDICATES,
    RELATIONS,
    SAME_ARG,
    TEMPORAL,
    PredicateSignature,
)


def refuse(path: str, expected: str, got: object, *, index: int | None = None) -> NoReturn:
    """Raise the error of a field that has another value than expected."""
    shown = repr(got)
    if len(shown) > 120:
        shown = shown[:117] + "..."
    raise DatasetError(f"expected {expected}, got {shown}", path=path, index=index)


def validate_evaluation(
    propositions: Sequence[Proposition],
    dependencies: Sequence[Dependency],
    constraints: Sequence[Constraint],
) -> None:
    """Refuse evaluation fields that could not be evaluated.

    Raises DatasetError with the path of the field, what was expected and what came.
    """
    for index, proposition in enumerate(propositions):
        _proposition(f"evaluation_propositions[{index}]", proposition, index)
    for index, dependency in enumerate(dependencies):
        _dependency(
            f"evaluation_proposition_dependencies[{index}]", dependency, len(propositions), index
        )
    for index, constraint in enumerate(constraints):
        _constraint(f"evaluation_constraints[{index}]", constraint, propositions, index)


def _is_int(value: object) -> bool:
    return type(value) is int


def _handles(path: str, value: object, index: int) -> list[str]:
    if not isinstance(value, list) or not value or not all(type(v) is str and v for v in value):
        refuse(path, "a non-empty list of names", value, index=index)
    return value


def _proposition(path: str, proposition: Proposition, index: int) -> None:
    signature = PREDICATES.get(proposition.function_name)
    if signature is None:
        expected = "one of " + ", ".join(PREDICATES)
        refuse(f"{path}.function_name", expected, proposition.function_name, index=index)
    args = proposition.args
    allowed = {*signature.list_names, "number"}
    if signature.same is not None:
        allowed.add(signature.same)
    if signature.has_threshold:
        allowed.add("l2_threshold")
    for name in args:
        if name not in allowed:
            expected = f"an argument of {signature.name} ({', '.join(sorted(allowed))})"
            refuse(f"{path}.args", expected, name, index=index)
    for name in signature.list_names:
        if name not in args:
            refuse(f"{path}.args", f"the argument {name}", sorted(args), index=index)
    if signature.is_clustered:
        _clustered(path, args, index)
    else:
        for name in signature.list_names:
            _handles(f"{path}.args.{name}", args[name], index)
        number = args.get("number", 1)
        if not _is_int(number) or number < 1:
            refuse(f"{path}.args.number", "an integer of at least 1", number, index=index)
    if signature.same is not None and type(args.get(signature.same, False)) is not bool:
        refuse(f"{path}.args.{signature.same}", "true or false", args[signature.same], index=index)
    if "l2_threshold" in args:
        threshold = args["l2_threshold"]
        if type(threshold) not in (int, float) or not 0 <= threshold < float("inf"):
            refuse(f"{path}.args.l2_threshold", "metres, at least 0", threshold, index=index)
    if signature.name == "is_next_to":
        _next_to(path, signature, args, index)


def _next_to(path: str, signature: PredicateSignature, args: dict[str, Any], index: int) -> None:
    second = signature.second
    assert second is not None
    if len({*args[signature.first], *args[second]}) == 1:
        refuse(f"{path}.args", "two different things", args[signature.first], index=index)


def _clustered(path: str, args: dict[str, Any], index: int) -> None:
    groups = args[GROUPS_ARG]
    if not isinstance(groups, list) or not groups:
        refuse(f"{path}.args.{GROUPS_ARG}", "a non-empty list of groups", groups, index=index)
    for position, group in enumerate(groups):
        _handles(f"{path}.args.{GROUPS_ARG}[{position}]", group, index)
    number = args.get("number", 1)
    if isinstance(number, list):
        if len(number) != len(groups):
            expected = f"one number per group ({len(groups)})"
            refuse(f"{path}.args.number", expected, number, index=index)
        numbers = number
    else:
        numbers = [number]
    if not all(_is_int(n) and n >= 1 for n in numbers):
        refuse(f"{path}.args.number", "integers of at least 1", number, index=index)


def _indices(path: str, value: object, limit: int, index: int) -> list[int]:
    if not isinstance(value, list) or not all(_is_int(v) for v in value):
        refuse(path, "a list of integers", value, index=index)
    for item in value:
        if not 0 <= item < limit:
            refuse(path, f"indices from 0 to {limit - 1}", item, index=index)
    return value


def _dependency(path: str, dependency: Dependency, count: int, index: int) -> None:
    _indices(f"{path}.proposition_indices", dependency.proposition_indices, count, index)
    _indices(f"{path}.depends_on", dependency.depends_on, count, index)
    if dependency.relation_type not in RELATIONS:
        expected = "one of " + ", ".join(RELATIONS)
        refuse(f"{path}.relation_type", expected, dependency.relation_type, index=index)
    if dependency.dependency_mode not in MODES:
        expected = "one of " + ", ".join(MODES)
        refuse(f"{path}.dependency_mode", expected, dependency.dependency_mode, index=index)


def _constraint(
    path: str, constraint: Constraint, propositions: Sequence[Proposition], index: int
) -> None:
    if constraint.type not in CONSTRAINT_TYPES:
        expected = "one of " + ", ".join(CONSTRAINT_TYPES)
        refuse(f"{path}.type", expected, constraint.type, index=index)
    args = constraint.args
    tie = constraint.type in (SAME_ARG, DIFFERENT_ARG)
    if constraint.type == TEMPORAL:
        required = {"dag_edges"}
    elif tie:
        required = {"proposition_indices", "arg_names"}
    else:
        required = {"proposition_indices"}
    if not required <= set(args) <= {*required, "n_propositions"}:
        expected = f"{', '.join(sorted(required))} and perhaps n_propositions"
        refuse(f"{path}.args", expected, sorted(args), index=index)
    limit = len(propositions)
    declared = args.get("n_propositions")
    if declared is not None:
        if not _is_int(declared) or declared < 0:
            refuse(f"{path}.args.n_propositions", "a count or null", declared, index=index)
        limit = min(limit, declared)
    if constraint.type == TEMPORAL:
        _edges(f"{path}.args.dag_edges", args["dag_edges"], limit, index)
        return
    members = _indices(
        f"{path}.args.proposition_indices", args["proposition_indices"], limit, index
    )
    if tie:
        _arg_names(f"{path}.args.arg_names", args["arg_names"], members, propositions, index)


def _edges(path: str, edges: object, limit: int, index: int) -> None:
    if not isinstance(edges, list):
        refuse(path, "a list of [before, after]", edges, index=index)
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for position, edge in enumerate(edges):
        if not isinstance(edge, list) or len(edge) != 2:
            refuse(f"{path}[{position}]", "[before, after]", edge, index=index)
        before, after = _indices(f"{path}[{position}]", edge, limit, index)
        if before == after:
            refuse(f"{path}[{position}]", "two different propositions", edge, index=index)
        sorter.add(after, before)
    try:
        sorter.prepare()
    except CycleError as error:
        refuse(path, "edges without a cycle", error.args[1], index=index)


def _arg_names(
    path: str, names: object, members: list[int], propositions: Sequence[Proposition], index: int
) -> None:
    if not isinstance(names, list) or not all(type(name) is str for name in names):
        refuse(path, "a list of argument names", names, index=index)
    if len(names) != len(members):
        refuse(path, f"one name per proposition ({len(members)})", names, index=index)
    for position, (member, name) in enumerate(zip(members, names, strict=True)):
        proposition = propositions[member]
        signature = PREDICATES[proposition.function_name]
        allowed = list(signature.list_names)
        if signature.is_clustered:
            groups = len(proposition.args[GROUPS_ARG])
            allowed += [f"{GROUPS_ARG}_{group}" for group in range(groups)]
        if name not in allowed:
            expected = f"an argument of {signature.name} ({', '.join(allowed)})"
            refuse(f"{path}[{position}]", expected, name, index=index)
