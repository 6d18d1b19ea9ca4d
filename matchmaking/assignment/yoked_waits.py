"""Yoked waits: people who need not wait wait as long as those of another condition did.

Without them a robot is there at once and a person after minutes, and conditions differ in more than
the partner.
"""

from __future__ import annotations

from collections.abc import Sequence

from matchmaking.assignment.draws import draw_below


def yoked_wait_s(waits_s: Sequence[float], used: int, seed: str, of: str = "wait") -> float | None:
    """Return the wait of the next group, after ``used`` others; ``of`` names the draw.

    ``waits_s`` are the waits of the condition that it is yoked to. Each is used once, in the order
    of its group; when all are used, one of them is drawn.
    None: nobody has waited there yet.
    """
    if not waits_s:
        return None
    if used < len(waits_s):
        return waits_s[used]
    return waits_s[draw_below(len(waits_s), seed, of, used)]
