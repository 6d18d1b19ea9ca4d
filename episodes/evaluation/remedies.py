"""Remedies: advice for a next try, made from the rest of the account."""

from __future__ import annotations

from collections.abc import Callable

from episodes.dataset.vocabulary import PREDICATES
from episodes.evaluation.account import Breach, Expectation, Shortfall, Situation, TieRule
from episodes.evaluation.account_sentences import any_of, listed

StepOf = Callable[[int], Expectation]

_DO = {
    "is_clean": "Wash",
    "is_filled": "Fill",
    "is_empty": "Empty",
    "is_powered_on": "Switch on",
    "is_powered_off": "Switch off",
}


def mend_shortfall(s: Shortfall, step_of: StepOf) -> tuple[str, ...]:
    """Return what to do so that a proposition is satisfied."""
    step = step_of(s.index)
    advice = [_bring_about(step, s)]
    advice += [f"Before that: {_aim(step_of(other))}." for other in s.after]
    for condition in s.conditions:
        aims = [_aim(step_of(i)) for i in condition.on]
        word = " or " if condition.mode == "any" else " and "
        if condition.relation == "while_satisfied":
            advice.append(f"See to it at the same time: {word.join(aims)}.")
        elif condition.relation == "after_satisfied":
            advice.append(f"Before that: {word.join(aims)}.")
        elif condition.relation == "after_unsatisfied":
            advice.append(f"Before that, do and undo: {word.join(aims)}.")
        else:
            advice.append(f"Do it before this: {word.join(aims)}.")
    advice += [_tied(tie, s.index, step_of) for tie in s.ties]
    if s.how == "undone" and s.broken_by is not None:
        advice.append("Leave it as it is afterwards.")
    return tuple(a for a in dict.fromkeys(advice) if a)


def _aim(step: Expectation) -> str:
    return step.text.replace(" should be ", " ", 1)


def _bring_about(step: Expectation, s: Shortfall) -> str:
    signature = PREDICATES[step.predicate]
    subjects = [at for at in s.now if at.thing in step.groups[0] or signature.is_clustered]
    wrong = [at for at in subjects if not is_right(step, at)] or subjects
    things = list(dict.fromkeys(at.thing.name for at in wrong))
    missing = max(step.numbers[0] - s.reached, 1)
    if len(things) <= missing:
        which = listed(things, "and")
    elif missing == 1:
        which = listed(things, "or")
    else:
        which = f"{missing} of {listed(things, 'and')}"
    if signature.is_clustered:
        return f"Put {listed(things, 'and')} close together."
    if signature.state is not None:
        verb = _DO.get(step.predicate)
        return f"{verb} {which}." if verb else f"Leave {which} as it was."
    if signature.second is None:
        return f"Put {which} on the floor."
    second = any_of(step.groups[1])
    if step.predicate == "is_next_to":
        return f"Put {which} next to {second}."
    relation = {"is_on_top": "on", "is_inside": "inside", "is_in_room": "somewhere in"}
    same = ", all of them together" if step.same and step.numbers[0] > 1 else ""
    return f"Put {which} {relation[step.predicate]} {second}{same}."


def is_right(step: Expectation, at: Situation) -> bool:
    """Tell whether a thing is where (or how) the proposition wants it, by what can be seen."""
    signature = PREDICATES[step.predicate]
    if signature.state is not None:
        return at.states.get(signature.state) is not signature.negated
    if step.predicate == "is_in_room":
        return at.room is not None and at.room in step.groups[1] and at.relation != "held"
    if step.predicate in ("is_on_top", "is_inside"):
        wanted = "on" if step.predicate == "is_on_top" else "within"
        return at.relation == wanted and at.entity in step.groups[1]
    return step.predicate == "is_on_floor" and at.relation == "floor"


def _tied(tie: TieRule, index: int, step_of: StepOf) -> str:
    others = [_aim(step_of(m.index)) for m in tie.members if m.index != index]
    if not others:
        return ""
    word = "the same" if tie.same else "another"
    return f"Use {word} one as for this: {listed(others, 'and')}."


def mend_breach(breach: Breach, step_of: StepOf) -> tuple[str, ...]:
    """Return what to do differently next time."""
    advice: list[str] = []
    for late in breach.late:
        first = listed([_aim(step_of(i)) for i in late.after], "and")
        advice.append(f"First {first}; only then {_aim(step_of(late.index))}.")
    advice += [f"Leave it so until the end: {_aim(step_of(u.index))}." for u in breach.undone]
    if breach.tie is not None:
        aims = listed([_aim(step_of(m.index)) for m in breach.tie.members], "and")
        word = "the same one" if breach.tie.same else "different ones"
        when = " from the start" if breach.kept_at_end else ""
        advice.append(f"Use {word} for these{when}: {aims}.")
        if breach.kept_at_end:
            advice.append("Decide on the place before the first of them is put down.")
    return tuple(dict.fromkeys(advice))
