"""Signs of scripts, shared accounts and inattention: for the researcher, never acted on silently.

Only a wrong answer to a question of attention may have a consequence, where a survey says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from statistics import fmean, pstdev
from typing import Any, NamedTuple

FASTEST_WORDS_PER_S = 12.0
"""Words that nobody reads in a second; the quickest readers take in less than half as many."""
LEAST_WORDS = 20
"""Words of a page below which it says nothing that it was sent at once."""
LONG_S = 900.0
"""Seconds on one page after which somebody has done something else meanwhile."""
LEAST_PRESSES = 12
"""Presses that it takes to judge how regular they are."""
LEAST_VARIATION = 0.03
"""Standard deviation of the times between presses, by their mean; people have 0.2 and more."""


class SignKind(StrEnum):
    """Kind of a sign."""

    INATTENTION = "inattention"
    """A wrong answer to a question of attention."""
    TOO_FAST = "too_fast"
    """A page sent sooner than anybody can read it."""
    LONG_PAUSE = "long_pause"
    """A page that took so long that nobody sat before it all the time."""
    AUTOMATED = "automated"
    """A browser that says that a program drives it."""
    REGULAR_INPUT = "regular_input"
    """Presses that follow each other as regularly as those of no person."""
    ANOTHER_BROWSER = "another_browser"
    """A visit that was gone on with in another browser."""
    SAME_BROWSER = "same_browser"
    """Visit of the same study, by another id, in the same browser."""


class Sign(NamedTuple):
    """Sign with what it was seen by."""

    kind: SignKind
    detail: dict[str, Any]


class PageUse(NamedTuple):
    """Use of a page: what it asks to be read, and what its browser told of how it was sent."""

    words: int
    spent_s: float
    is_automated: bool = False
    gaps_ms: Sequence[float] = ()
    """Times between the last presses of keys and pointer."""


def signs_of(use: PageUse) -> list[Sign]:
    """Return the signs that the use of a page gives."""
    found = []
    if use.is_automated:
        found.append(Sign(SignKind.AUTOMATED, {}))
    if use.words >= LEAST_WORDS and use.spent_s * FASTEST_WORDS_PER_S < use.words:
        detail = {"words": use.words, "spent_s": round(use.spent_s, 1)}
        found.append(Sign(SignKind.TOO_FAST, detail))
    if use.spent_s > LONG_S:
        found.append(Sign(SignKind.LONG_PAUSE, {"spent_s": round(use.spent_s)}))
    if len(use.gaps_ms) >= LEAST_PRESSES - 1 and (mean_ms := fmean(use.gaps_ms)) > 0:
        variation = pstdev(use.gaps_ms) / mean_ms
        if variation < LEAST_VARIATION:
            detail = {"presses": len(use.gaps_ms) + 1, "gap_ms": round(mean_ms, 1)}
            found.append(Sign(SignKind.REGULAR_INPUT, detail))
    return found
