"""Checks of what a candidate decided and what became of its calls; they raise AssertionError."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from server.robots.contract_suite.sessions import Made, Session
from server.robots.policy import Decision, Do, Finished, Pause, PolicyView, SayLine
from server.sessions.policy_records import SkillRecord
from server.skills import Call, Unparsed, read
from server.skills.feedback import SUCCESS

MOST_REFUSALS = 20
"""The most times that one call may come to nothing in a session of two minutes.

Who tries again at the pace of somebody who waits stays far below; who does nothing else, far above.
"""
_NO_NAMES = ("relation", "constraint")


def check_played_on(session: Session) -> None:
    """Check that nothing that it decided failed, and that it did not give its seat up."""
    errors = [made.decision for made in session.made if isinstance(made.decision, Exception)]
    assert not errors, f"a decision failed: {errors[0]!r}"
    assert not session.failures, f"a player failed: {session.failures[0]!r}"
    assert not session.gave_up, session.gave_up


def check_no_endless_refusals(skills: Sequence[SkillRecord]) -> None:
    """Check that no call was made again and again that came to nothing each time."""
    refused = Counter(skill.call for skill in skills if skill.response != SUCCESS)
    for call, times in refused.most_common(1):
        last = next(s.response for s in reversed(skills) if s.call == call)
        assert times <= MOST_REFUSALS, f"{call} was made {times} times in vain: {last}"


def check_understood(made: Iterable[Made]) -> None:
    """Check that each decision is one that a player carries out."""
    for _, decision in made:
        if not isinstance(decision, Exception):
            _check_form(decision)


def check_within_its_seat(made: Iterable[Made]) -> None:
    """Check that each call is of a tool that its seat has, about things that it knows."""
    for view, decision in made:
        if isinstance(decision, Do):
            _check_call(view, decision)


def _check_form(decision: Decision) -> None:
    match decision:
        case Do(call):
            assert isinstance(call, Call | Unparsed | str), f"{call!r} is no call"
        case SayLine(text, _):
            assert isinstance(text, str), f"{text!r} is no line"
            assert text.strip(), "a line has to say something"
        case Pause(ticks):
            assert isinstance(ticks, int), f"a pause of {ticks!r} is none of whole ticks"
            assert ticks >= 0, f"a pause cannot be {ticks} ticks long"
        case Finished():
            pass
        case _:
            raise AssertionError(f"{decision!r} is no decision")


def _check_call(view: PolicyView, decision: Do) -> None:
    call = decision.call
    if isinstance(call, str):
        call = read(call, view.kind)
    assert isinstance(call, Call), f"{decision.text} cannot be read: {call.problem}"
    tools = {tool.name for tool in view.tools}
    assert call.name in tools, f"{call}: its seat has {', '.join(sorted(tools))} only"
    for kind, name in zip(call.skill.arguments, call.arguments, strict=True):
        if kind in _NO_NAMES or name == "none":
            continue
        assert view.graph.find(name) is not None, f"{call}: {name} has not been seen"
