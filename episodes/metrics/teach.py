"""TEACh's goal conditions and path weights (section A15 of the HELPER notes)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from episodes.trace import Trace


class GoalConditions(NamedTuple):
    """Goal conditions of an episode: the unrolled propositions.

    ``unmet_at_start`` and ``unmet_at_end`` count those that do not hold then (TEACh: by the state
    itself); ``uncounted`` those that do not count in PARTNR's sense at the end (never satisfied,
    or invalidated); ``total`` all of them, what ALFRED divides by.
    """

    total: int
    unmet_at_start: int
    unmet_at_end: int
    uncounted: int
    success: bool

    @property
    def rate(self) -> float:
        """Rate ``g = 1 - U / T``, 1 if nothing was unmet (TEACh). Negative if more was broken."""
        return 1 - self.unmet_at_end / self.unmet_at_start if self.unmet_at_start else 1.0

    @property
    def rate_of_all(self) -> float:
        """Rate over all conditions, those true at the start included (ALFRED)."""
        return 1 - self.unmet_at_end / self.total if self.total else 1.0

    @property
    def rate_counted(self) -> float:
        """TEACh rate with PARTNR's verdict on each condition in place of the final state."""
        return 1 - self.uncounted / self.unmet_at_start if self.unmet_at_start else 1.0


def goal_conditions(trace: Trace) -> GoalConditions | None:
    """Count the goal conditions of an episode; None where there is no verdict."""
    verdict = trace.verdict
    if verdict.status != "ok":
        return None
    outcomes = verdict.propositions
    at_start = {c.index for c in trace.propositions if c.tick <= 0 and c.holds}
    # What held from the start is not the players' doing, whatever became of it.
    return GoalConditions(
        total=len(outcomes),
        unmet_at_start=sum(p.index not in at_start for p in outcomes),
        unmet_at_end=sum(not p.holds_now for p in outcomes),
        uncounted=sum(not (p.satisfied and p.valid) for p in outcomes if p.index not in at_start),
        success=bool(verdict.success),
    )


def path_weight(steps: int, expert_steps: int, *, capped: bool = True) -> float:
    """Return the path weight ``L* / max(L, L*)``, as the released TEACh and ALFRED code has it.

    It is ``L* / L``, as HELPER writes it, where ``capped`` is false, and 1 where nothing had to
    be done.
    """
    if capped:
        longest = max(steps, expert_steps)
        return expert_steps / longest if longest else 1.0
    return expert_steps / steps if steps else 1.0


class Pooled(NamedTuple):
    """Goal conditions over several episodes, pooled and not a mean of ratios.

    ``gc`` is sum(T - U) / sum(T); ``plw_*`` are weighted by the expert's length, sum(x w L*) /
    sum(L*). None where nothing can be divided.
    """

    sr: float | None
    gc: float | None
    plw_sr: float | None
    plw_gc: float | None


def pooled(episodes: Iterable[tuple[GoalConditions, int, int | None]]) -> Pooled:
    """Pool episodes, each with its goal conditions, its steps and the expert's steps.

    An episode without the expert's steps (None) is left out of the two path-weighted figures.
    """
    known = list(episodes)
    start = sum(g.unmet_at_start for g, _, _ in known)
    weighted = [(g, path_weight(n, e), e) for g, n, e in known if e is not None]
    length = sum(e for _, _, e in weighted)
    return Pooled(
        sr=sum(g.success for g, _, _ in known) / len(known) if known else None,
        gc=sum(g.unmet_at_start - g.unmet_at_end for g, _, _ in known) / start if start else None,
        plw_sr=sum(g.success * w * e for g, w, e in weighted) / length if length else None,
        plw_gc=sum(g.rate * w * e for g, w, e in weighted) / length if length else None,
    )
