"""Things that are as a proposition wants them, one by one."""

from __future__ import annotations

from collections.abc import Iterator

from episodes.dataset.model import Proposition
from episodes.evaluation.predicates import holds
from server.robots.baselines.expert.order import signature_of
from server.sessions.core import SessionCore


def lies_as_wanted(core: SessionCore, proposition: Proposition, thing: str) -> bool:
    """Tell whether a thing is as a proposition wants it, whatever else that wants."""
    try:
        return any(holds(one, core.scorer.facts) is not None for one in _about(proposition, thing))
    except LookupError:
        # A question without an answer, which the verdict reports once it is needed.
        return False


def _about(proposition: Proposition, thing: str) -> Iterator[Proposition]:
    """Yield what a proposition wants of one thing, in each of its lists that has the thing."""
    signature = signature_of(proposition)
    lists: dict[str, list[str]] = {name: proposition.args[name] for name in signature.list_names}
    others = {name: [one for one in among if one != thing] for name, among in lists.items()}
    kept = {k: v for k, v in proposition.args.items() if k == "l2_threshold"}
    for name, among in lists.items():
        if thing in among:
            yield Proposition(proposition.function_name, {**kept, **others, name: [thing]})
