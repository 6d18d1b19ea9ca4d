"""Failures: how attempts ended that did not succeed, and what was wrong with actions."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from server.research.measures.error_classes import MEANINGS, PREFIX
from server.research.study_report.export_tables import Export, Frame

CONSTRAINTS = {
    "TemporalConstraint": "done out of order",
    "SameArgConstraint": "not the same where one was wanted",
    "DifferentArgConstraint": "the same where different ones were wanted",
    "TerminalSatisfactionConstraint": "done, and undone by the end",
}
"""Meaning of a broken constraint, by its kind: PARTNR's reasons of failure."""


class Counted(NamedTuple):
    """A row of counts, one for each condition in their order."""

    what: str
    counts: list[int]


class Failures(NamedTuple):
    """Failed attempts of the analysis by assigned condition, all tries, by condition."""

    attempts: list[int]
    failed: list[int]
    rows: list[Counted]
    refusals: list[Counted]
    errors: list[Counted]
    """Actions in error by the classes of the Embodied Agent Interface."""


def failures_of(export: Export, conditions: list[str]) -> Failures:
    """Count failed attempts by PARTNR's reasons, of which one may have several, and by ending."""
    episodes = export.table("episodes")
    episodes = episodes[episodes["is_assigned"].eq(True)]
    failed = episodes[episodes["success"].eq(False)]
    goals = export.table("propositions")
    limits = export.table("constraints")
    never = goals.loc[goals["satisfied"].eq(False), "episode_id"]
    undone = goals.loc[goals["satisfied"].eq(True) & goals["broken_tick"].notna(), "episode_id"]

    def count(frame: Frame) -> list[int]:
        return [int((frame["condition"] == name).sum()) for name in conditions]

    rows = [
        Counted("a step is missing", count(failed[failed["episode_id"].isin(never)])),
        Counted("a goal held and no longer did", count(failed[failed["episode_id"].isin(undone)])),
    ]
    for kind, what in CONSTRAINTS.items() if len(limits) else ():
        broken = limits["satisfied"].eq(False) & limits["constraint_type"].eq(kind)
        broken_in = limits.loc[broken, "episode_id"]
        rows.append(Counted(what, count(failed[failed["episode_id"].isin(broken_in)])))
    rows += [
        Counted(f"ended by: {reason or 'not ended'}", count(ending))
        for reason, ending in failed.groupby("end_reason")
    ]
    return Failures(
        count(episodes),
        count(failed),
        rows,
        _refusals(export, episodes, conditions),
        _errors(export, episodes, conditions),
    )


def _errors(export: Export, episodes: Frame, conditions: list[str]) -> list[Counted]:
    """Count actions in error by class, from the measures that an export has of them."""
    rows = export.table("measures")
    if rows.empty:
        return []
    rows = rows[rows["measure_id"].str.startswith(PREFIX) & rows["value"].gt(0)]
    rows = rows.merge(episodes[["episode_id", "condition"]], on="episode_id")
    found = []
    for error_class, meaning in MEANINGS.items():
        mine = rows[rows["measure_id"] == f"{PREFIX}{error_class.lower()}"]
        if len(mine):
            sums = mine.groupby("condition")["value"].sum()
            counts = [int(sums.get(name, 0)) for name in conditions]
            found.append(Counted(f"{error_class.replace('_', ' ').lower()}: {meaning}", counts))
    return found


def _refusals(export: Export, episodes: Frame, conditions: list[str]) -> list[Counted]:
    events = export.table("events")
    refused = events[events["event"] == "refused"]
    refused = refused.merge(episodes[["episode_id", "condition"]], on="episode_id")
    if refused.empty:
        return []
    table = pd.crosstab(refused["reason"], refused["condition"])
    table = table.reindex(columns=conditions, fill_value=0)
    order = table.sum(axis=1).sort_values(ascending=False, kind="stable").index
    return [Counted(str(rule), [int(n) for n in table.loc[rule]]) for rule in order]
