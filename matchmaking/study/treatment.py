"""Treatment: how a condition plays, beside the team that it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from matchmaking.study.problems import Path, Problem

Disclosure = Literal["told", "not_told", "told_falsely"]
Explanation = Literal["none", "verdict", "partnr", "ours"]
NAME_GOALS: frozenset[Explanation | None] = frozenset({"partnr", "ours"})
"""Kinds of explanations that name goals."""


class Treatment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Treatment of the people in a condition."""

    disclosure: Disclosure = "told"
    """Account that people get of what plays the other bodies: a true one, none, or a false one."""
    explanation: Explanation = "ours"
    """Explanation of a result: nothing, the verdict alone, PARTNR's text, or ours."""
    explained: Literal["after_each_try", "after_each_task", "at_the_end"] = "after_each_try"
    """Time at which the explanation is shown."""
    is_progress_live: bool = False
    """Whether goals are ticked off while people play. No study opens with it yet."""
    latency_ms: float = 0.0
    """Round trip that is added to each connection."""
    chat: bool = True
    """Chat in this condition, where the study has one."""
    partner_view: bool = True
    """Whether the partner's place is marked, and the map is there."""
    viewport: tuple[int, int] | None = None
    """Width and height of the picture, in CSS pixels; nothing said: as large as the window.
    No study opens with one yet."""
    profile: str = "cohabit"
    """Rule profile, such as `partnr` or `cohabit@1`."""
    semantics: Literal["documented", "released"] = "documented"
    """Semantics of the evaluator that decides what people are shown."""
    simulator: Literal["household", "habitat"] = "household"

    def problems(self, where: Path) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if not 0 <= self.latency_ms <= 10_000:
            yield Problem(
                (*where, "latency_ms"), f"expected 0 to 10000 ms, got {self.latency_ms:g}"
            )
        if self.viewport is not None and not all(side >= 200 for side in self.viewport):
            yield Problem(
                (*where, "viewport"), f"expected 200 or more each way, got {list(self.viewport)}"
            )
        if not self.profile.strip():
            yield Problem((*where, "profile"), "expected the name of a rule profile")
