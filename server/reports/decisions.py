"""Decisions of an episode's policies: what, when, and what came of it. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable

import msgspec

from server.recording.log_records import Line, ModelCalled, SkillEnded
from server.sessions.policy_records import CallRecord, SkillRecord
from server.sessions.spec import TICK_RATE
from server.skills import Call, read
from server.skills.feedback import SUCCESS

_NAME = re.compile(r"\w+_\d+")
"""Pattern of names as planners use them."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a skill. ``tick`` counts from the start of play."""

    seat: str
    tick: int
    words: str
    """Call in words, such as ``taking the cup to the table``."""
    trouble: str
    """Reason of the failure, as the policy was told; empty if the call succeeded."""
    took_s: float
    thought_s: float | None
    """Seconds that models were asked for it; None if none was."""


def choices_of(lines: Iterable[Line], start: int, label: Callable[[str], str]) -> list[Choice]:
    """Return the decisions of all policies in an episode, in order.

    ``start`` is the tick at which play began; ``label`` says what a player calls what a planner
    calls by name.
    """
    skills: list[SkillRecord] = []
    calls: dict[str, list[CallRecord]] = defaultdict(list)
    for line in lines:
        match line:
            case SkillEnded(skill=skill):
                skills.append(skill)
            case ModelCalled(call=call):
                calls[call.seat].append(call)
    found = []
    for skill in sorted(skills, key=lambda s: s.began):
        asked = calls[skill.seat]
        before = [c for c in asked if c.applied_tick is not None and c.applied_tick <= skill.began]
        del asked[: len(before)]
        found.append(
            Choice(
                seat=skill.seat,
                tick=max(0, skill.began - start),
                words=_words(skill.call, label),
                trouble=_trouble(skill.response, label),
                took_s=(skill.ended - skill.began) / TICK_RATE,
                thought_s=sum(c.latency_s for c in before) if before else None,
            )
        )
    return found


def _trouble(response: str, label: Callable[[str], str]) -> str:
    if response == SUCCESS:
        return ""
    return _NAME.sub(lambda name: label(name[0]), response)


def _words(call: str, label: Callable[[str], str]) -> str:
    # A person's skills are all there are.
    made = read(call, "human")
    # What a model made up is told as it stands.
    return made.phrased("doing", label) if isinstance(made, Call) else call
