"""Expectations: what a proposition of a task asks for, with the names that players read."""

from __future__ import annotations

import msgspec

from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import DEFAULT_L2_THRESHOLD_M, GROUPS_ARG, PREDICATES
from episodes.evaluation.account import Expectation, Named
from episodes.evaluation.account_sentences import expected_text
from episodes.evaluation.final_places import Name


def expectation(
    index: int, proposition: Proposition, name: Name, *, to_the_end: bool = False
) -> Expectation:
    """Return the expectation of a task's proposition ``index``.

    Raises KeyError for an unknown predicate or a missing argument.
    """
    signature = PREDICATES[proposition.function_name]
    args = proposition.args
    lists = (
        args[GROUPS_ARG]
        if signature.is_clustered
        else [args[list_name] for list_name in signature.list_names]
    )
    groups = tuple(tuple(Named(key, name(key)) for key in keys) for keys in lists)
    number = args.get("number", 1)
    if signature.is_clustered:
        numbers = tuple(number) if isinstance(number, list) else (number,) * len(groups)
    else:
        numbers = (number,)
    step = Expectation(
        index=index,
        predicate=proposition.function_name,
        groups=groups,
        numbers=numbers,
        text="",
        same=bool(signature.same is not None and args.get(signature.same, False)),
        distance_m=(
            float(args.get("l2_threshold", DEFAULT_L2_THRESHOLD_M))
            if signature.has_threshold
            else None
        ),
        to_the_end=to_the_end,
    )
    return msgspec.structs.replace(step, text=expected_text(step))
