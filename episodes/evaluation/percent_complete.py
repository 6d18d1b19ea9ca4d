"""Percent complete and success: section 8 of the evaluator specification."""

from __future__ import annotations

from collections.abc import Sequence


def percent_complete(satisfied_at: Sequence[int], matrix: Sequence[Sequence[bool]]) -> float:
    """Return the share of unrolled propositions that were satisfied and not invalidated.

    In [0, 1]; 0.0 where there are no propositions. ``matrix`` has one row per constraint.
    """
    if not satisfied_at:
        return 0.0
    good = sum(
        at != -1 and all(row[index] for row in matrix) for index, at in enumerate(satisfied_at)
    )
    return good / len(satisfied_at)


def is_success(percent: float) -> bool:
    """Tell whether an episode is a success, which is completeness: exactly 1.0."""
    return percent == 1.0


def is_study_success(percent: float) -> bool:
    """Tell whether PARTNR's human study counts an attempt as successful: more than 0.99."""
    return percent > 0.99
