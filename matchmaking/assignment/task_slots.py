"""Task slots: the tasks of a group, the same in each condition.

Slot k is a list of tasks with their seeds. In each condition one group that completes it is wanted
for each slot, so that conditions are compared task by task. No participant gets a task again that
they met before; tries of the same task are the session's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from matchmaking.assignment.draws import draw_below, permuted

MOST_SEED = 2**31


class PlannedTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task with the seed of its episode."""

    task_id: str
    seed: int
    is_practice: bool = False
    """Whether it is played before all others, and is in no measure."""


class TaskSlots:
    """Slots of a study. Raises ValueError: a group does more tasks than there are."""

    def __init__(
        self, seed: str, tasks: Sequence[str], per_group: int, *, is_ordered: bool = False
    ) -> None:
        if len(set(tasks)) < len(tasks):
            raise ValueError("expected each task once")
        if not 1 <= per_group <= len(tasks):
            raise ValueError(f"expected 1 to {len(tasks)} tasks for a group, got {per_group}")
        self._seed, self._tasks, self._per_group = seed, tuple(tasks), per_group
        self._is_ordered = is_ordered
        self._deal: list[int] = []
        self._rounds = 0

    def of(self, slot: int) -> tuple[PlannedTask, ...]:
        """Return the tasks of a slot, in their order.

        Tasks are dealt in rounds: each is used as often as any other, give or take one. Ordered
        slots have all the same tasks, the first ones, in the order of the set.
        """
        chosen = self._tasks[: self._per_group] if self._is_ordered else self._cut(slot)
        return tuple(
            PlannedTask(task, draw_below(MOST_SEED, self._seed, "episode", slot, task))
            for task in chosen
        )

    def once(self, slot: int) -> tuple[PlannedTask, ...]:
        """Return drawn tasks of a slot that no condition has, for a group outside of them."""
        order = permuted(len(self._tasks), self._seed, "once", slot)[: self._per_group]
        return tuple(
            PlannedTask(
                self._tasks[number], draw_below(MOST_SEED, self._seed, "episode", slot, number)
            )
            for number in order
        )

    def free_slot(self, taken: Collection[int], met: Collection[str], most: int) -> int | None:
        """Return the first of ``most`` slots that is not taken and has no task that was met.

        ``taken`` are the slots of the condition that a group has; a group that was lost has none.
        """
        for slot in range(most):
            if slot not in taken and not any(task.task_id in met for task in self.of(slot)):
                return slot
        return None

    def _cut(self, slot: int) -> Sequence[str]:
        """Return the tasks of a slot, cut from the deal."""
        first, after = slot * self._per_group, (slot + 1) * self._per_group
        while len(self._deal) < after:
            order = permuted(len(self._tasks), self._seed, "round", self._rounds)
            begun = self._deal[len(self._deal) - len(self._deal) % self._per_group :]
            # Tasks that the slot begun has already come last, which is in a later slot.
            self._deal += [task for task in order if task not in begun]
            self._deal += [task for task in order if task in begun]
            self._rounds += 1
        return [self._tasks[number] for number in self._deal[first:after]]
