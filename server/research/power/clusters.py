"""Clusters of episodes: how much those of the same people, or of the same task, are alike."""

from __future__ import annotations

import msgspec


class Clusters(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Clusters that cross: each group of people plays some of the tasks.

    Shares are of the variance of one episode within a condition; the rest is its own.
    """

    episodes_per_group: int = 1
    tasks: int = 100
    """Different tasks of the study."""
    group_share: float = 0.0
    """Share of the group, which its episodes have in common (the intraclass correlation)."""
    task_share: float = 0.0
    """Share of the task, which all attempts at it have in common in both conditions."""

    def __post_init__(self) -> None:
        if self.episodes_per_group < 1 or self.tasks < 2:
            raise ValueError(
                f"expected an episode of a group and two tasks at least, got "
                f"{self.episodes_per_group} and {self.tasks}"
            )
        shares = (self.group_share, self.task_share)
        if not all(0 <= share < 1 for share in shares) or sum(shares) >= 1:
            raise ValueError(
                f"expected shares from 0 whose sum is below 1, got {shares[0]:g} and {shares[1]:g}"
            )
