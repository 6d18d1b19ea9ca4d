"""The clock of a task: when the time begins to count that people have for it.

An episode runs as soon as everybody has loaded. Where the specification gives people time to look
round, the clock starts once each of them has moved, done or written something, or pressed *ready*,
and at the latest so long after the first of them: what is written may set a partner to work.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from server.sessions.intents import Act, Drive, Place, Ready, Say

ClockRule = Literal["start", "all", "waited"]
"""The rule by which a clock started.

With the episode; when all had moved or were ready; when the others had been waited for long enough.
"""
LONGEST_WAITS = 3
"""Number of waits after which the clock starts where nobody moves at all."""


class TaskClock(msgspec.Struct, frozen=True):
    """The clock of an episode's task.

    ``tick`` is the session's at which it started; None: it waits.
    """

    tick: int | None = None
    rule: ClockRule | None = None
    first_tick: int | None = None
    """Tick at which the first of the people moved or was ready."""


def is_a_start(intent: object) -> bool:
    """Tell whether an intent shows that somebody has begun: to look round alone does not."""
    match intent:
        case Drive(forward, strafe):
            return bool(forward or strafe)
        case Act() | Place() | Say() | Ready():
            return True
    return False


def rule_now(
    clock: TaskClock, begun: Iterable[bool], started_tick: int, tick: int, wait_ticks: int
) -> ClockRule | None:
    """Return the rule by which a waiting clock starts at a tick; None: it waits on.

    ``begun`` says of each of the people who are still there whether they have begun.
    """
    if all(begun):
        return "all"
    if clock.first_tick is not None:
        return "waited" if tick - clock.first_tick >= wait_ticks else None
    return "waited" if tick - started_tick >= LONGEST_WAITS * wait_ticks else None


OldClock = TaskClock | UnsetType
"""A clock, or unset where it starts with the episode, as in all older recordings."""
NO_CLOCK: OldClock = UNSET
