"""Design of a study: conditions between or within groups, their order, and the tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

import msgspec

from matchmaking.study.problems import Path, Problem


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Plan by which groups are given conditions."""

    subjects: Literal["between", "within"] = "between"
    """Comparison between groups, each of which plays in one condition, or within them, where each
    plays in all, one after another."""
    order: Literal["williams", "full", "random"] = "williams"
    """Orders of the conditions within a group: a Williams design, all orders, or one drawn for each
    group."""
    block_multiples: tuple[int, ...] = (1, 2)
    """Sizes of blocks, in times of the smallest block that has the ratio of the targets; which one
    is drawn, so that nobody knows where a block ends."""

    def problems(self, where: Path) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if not self.block_multiples or not all(1 <= m <= 20 for m in self.block_multiples):
            yield Problem(
                (*where, "block_multiples"),
                f"expected numbers from 1 to 20, got {list(self.block_multiples)}",
            )


class Tasks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tasks of a study. Groups with the same number do the same tasks in each condition."""

    set: str = "first"
    """Name of a set of tasks in the data directory."""
    ids: tuple[str, ...] = ()
    """Tasks of the set that are played; nothing said: all of them."""
    practice: tuple[str, ...] = ()
    """Tasks that each group plays first, and which are in no measure."""
    dealt: Literal["shuffled", "same"] = "shuffled"
    """Tasks of a group: others for each, every task as often as any other, or the first for all."""
    tries: int = 1
    """Attempts at a task; a group stops at success."""
    limit_s: float | None = None
    """Time limit of an attempt; nothing said: that of the rule profile."""

    def problems(self, where: Path) -> Iterator[Problem]:
        """Yield what of it cannot be."""
        if not self.set.strip():
            yield Problem((*where, "set"), "expected the name of a set of tasks")
        for field, ids in {"ids": self.ids, "practice": self.practice}.items():
            for task_id, times in Counter(ids).items():
                if times > 1:
                    yield Problem((*where, field), f"the task {task_id!r} is there {times} times")
        for task_id in sorted({*self.ids} & {*self.practice}):
            yield Problem(
                (*where, "practice"),
                f"the task {task_id!r} is among `ids`, too: nobody does a task twice",
            )
        if not 1 <= self.tries <= 20:
            yield Problem((*where, "tries"), f"expected 1 to 20, got {self.tries}")
        if self.limit_s is not None and not 0 < self.limit_s < float("inf"):
            yield Problem((*where, "limit_s"), f"expected more than 0, got {self.limit_s:g}")
