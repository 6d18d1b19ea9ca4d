"""First tries that failed, were tried again and are analysed: whom such outcomes are of."""

from __future__ import annotations

from typing import NamedTuple

from server.research.study_report.export_tables import Export, Frame
from server.research.study_report.outcome_values import NoValuesError, counted


class FailedFirstTries(NamedTuple):
    """Tries of a condition, the analysed ones after exclusions and all others before them."""

    condition: str
    first: int
    failed: int
    again: int
    """Failed first tries that the group followed by another."""
    analysed: int
    """Second tries that have an outcome and are not excluded."""
    groups: int
    """Groups that have one of these."""


def failed_first_tries(
    export: Export, kept: Export, conditions: list[str]
) -> list[FailedFirstTries]:
    """Count them by condition; empty where an export has no such tries.

    ``kept`` is the export without what is excluded.
    """
    episodes = export.table("episodes")
    analysed = retried(kept)
    first = episodes[episodes["is_assigned"].eq(True) & (episodes["try_index"] == 0)]
    failed = failed_of(export)
    second = episodes.loc[episodes["try_index"] == 1, ["group_id", "task_id"]]
    if second.empty or analysed is None:
        return []
    again = failed.merge(second, on=["group_id", "task_id"])

    def count(rows: Frame, condition: str) -> int:
        return int((rows["condition"] == condition).sum())

    return [
        FailedFirstTries(
            condition,
            count(first, condition),
            count(failed, condition),
            count(again, condition),
            count(analysed, condition),
            int(analysed.loc[analysed["condition"] == condition, "group_id"].nunique()),
        )
        for condition in conditions
    ]


def failed_of(export: Export) -> Frame:
    """Return first tries of the analysis by assigned condition that people were shown to fail."""
    episodes = export.table("episodes")
    is_first = episodes["is_assigned"].eq(True) & (episodes["try_index"] == 0)
    return episodes[is_first & episodes["verdict_shown"].eq("failure")]


def retried(kept: Export) -> Frame | None:
    """Return second tries that are analysed; None: an export has no columns of them."""
    try:
        return counted(kept, is_retry=True)
    except NoValuesError:
        return None
