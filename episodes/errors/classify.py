"""Classifier of actions before they run (figure 19 of the EAI paper).

Priority: parsing and names, arity, affordance, additional step, then preconditions. A violated
precondition is a wrong order if an earlier state had all that is violated now (by default), else a
missing step; the other two readings of "had" are recorded beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from episodes.errors import texts
from episodes.errors.history import History
from episodes.errors.literals import Literal
from episodes.errors.records import ErrorClass, Lookback, LookbackMode, Violated
from episodes.errors.schemas import SCHEMAS, Action, Domain

Label = Callable[[str], str]


class Finding(NamedTuple):
    """A class of error and everything that goes with it."""

    error_class: ErrorClass
    subclass: str | None = None
    violated: tuple[Violated, ...] = ()
    lookback: Lookback | None = None
    cause: str | None = None
    stale_observation: bool = False
    text: str = ""


OK = Finding("OK")


def classify(
    action: Action,
    seat: str,
    domain: Domain,
    history: History,
    *,
    seen: Collection[str] | None = None,
    mode: LookbackMode = "violated_joint",
    observed_tick: int | None = None,
    label: Label = str,
) -> Finding:
    """Classify what an action would come to in the newest state of ``history``.

    ``seen`` holds what the seat has seen so far (None: everything), ``observed_tick`` the tick
    from which it decided.
    """
    schema = SCHEMAS.get(action.name)
    if schema is None:
        return Finding("HALLUCINATION", "action", text=f"There is no skill {action.name}.")
    # A wrong name comes before a wrong number of names, as in the Embodied Agent Interface.
    named = [action.args[i] for i in schema.things if i < len(action.args)]
    for name in named:
        if name not in domain.entities and not name.startswith("floor"):
            return Finding("HALLUCINATION", "object", text=f"There is no {name}.")
    if len(action.args) not in schema.arities:
        counts = " or ".join(str(n) for n in schema.arities)
        text = f"{action.name} takes {counts} arguments, got {len(action.args)}."
        return Finding("ARG_NUMBER", text=text)
    for name in named:
        if seen is not None and name not in seen and name in domain.entities:
            return unobserved(name, label)
    why = schema.affords(domain, seat, action.args)
    if why is not None:
        target = action.args[2] if why == "no_surface" else action.args[0]
        return Finding("AFFORDANCE", why, text=texts.affordance(action.name, target, why, label))
    done = schema.redundant(domain, seat, action.args)
    if done and all(literal.holds(history.now) for literal in done):
        return additional(str(action), done[0], seat, history, label)
    needs = schema.preconditions(domain, seat, action.args)
    violated = [literal for literal in needs if literal.holds(history.now) is False]
    if not violated:
        return OK
    return unmet(str(action), violated, needs, history, mode, observed_tick, label)


def unobserved(name: str, label: Label) -> Finding:
    return Finding("UNOBSERVED_OBJECT", text=f"{label(name)} is there, but was never seen.")


def additional(
    action: str, literal: Literal | None, seat: str, history: History, label: Label
) -> Finding:
    """Return the finding for an action whose effect holds already, perhaps through the partner."""
    made = None if literal is None else history.made(literal)
    cause = "partner_did_it" if made is not None and made.by not in (None, seat) else None
    text = texts.additional_step(action, literal, made, label)
    return Finding("ADDITIONAL_STEP", cause=cause, text=text)


def unmet(
    action: str,
    violated: Sequence[Literal],
    needs: Sequence[Literal],
    history: History,
    mode: LookbackMode,
    observed_tick: int | None,
    label: Label,
) -> Finding:
    """Return the finding for unmet preconditions: wrong order if met once, else missing step."""
    lookback = Lookback(
        violated_joint=history.joint(violated),
        full_joint=history.joint(list(dict.fromkeys([*needs, *violated]))),
        per_literal=history.each(violated),
    )
    late = bool(getattr(lookback, mode))
    told = []
    for literal in violated:
        broken = history.broken(literal)
        if broken is None:
            told.append(Violated(texts.literal_text(literal, str)))
        else:
            name = texts.literal_text(literal, str)
            told.append(Violated(name, broken.tick, broken.by, broken.action))
    stale = observed_tick is not None and all(
        history.held_at(literal, observed_tick) for literal in violated
    )
    first = violated[0]
    if late:
        text = texts.wrong_order(action, first, history.broken(first), history, label)
    else:
        text = texts.missing_step(action, first, history, label)
    return Finding(
        "WRONG_ORDER" if late else "MISSING_STEP",
        violated=tuple(told),
        lookback=lookback,
        stale_observation=stale,
        text=text,
    )
