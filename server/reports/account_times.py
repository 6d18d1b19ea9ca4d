"""Times of our explanation, on the clock that people saw. Pure.

A verdict's account tells times since the start of the episode, as the evaluator does. A report
tells those of the task's clock (`task_clock.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from episodes.evaluation import Verdict
from episodes.evaluation.account import Account
from episodes.evaluation.account_sentences import clock as account_clock
from server.reports.task_clock import TaskClock

_TIME = re.compile(r"(?<= at )\d+:\d\d\b")


def account_on_clock(
    verdict: Verdict, clock: TaskClock, put_down: Mapping[int, int]
) -> Account | None:
    """Return a verdict's account with the times of the task's clock; None: it has none.

    ``put_down`` tells when a thing was put
    down that the rules had counted at a tick before, as the rows of a report do.
    """
    if verdict.account is None:
        return None
    found = [t for p in verdict.propositions for t in (p.satisfied_tick, p.broken_tick)]
    times = {account_clock(t): clock.at(put_down.get(t, t)) for t in found if t is not None}

    def told(text: str) -> str:
        return _TIME.sub(lambda time: times.get(time[0], time[0]), text)

    replace = msgspec.structs.replace
    return replace(
        verdict.account,
        shortfalls=tuple(replace(s, text=told(s.text)) for s in verdict.account.shortfalls),
        breaches=tuple(replace(b, text=told(b.text)) for b in verdict.account.breaches),
    )
