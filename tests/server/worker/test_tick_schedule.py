"""The schedule of ticks: 30 a second, none skipped, stretched when there is too much to do."""

from __future__ import annotations

import asyncio
import time

import pytest

from server.sessions.spec import TICK_RATE, TICK_S
from server.worker.tick_schedule import MOST_LATE_S, SLOTS, TickSchedule, run
from tests.patience import PATIENCE_S


def play(schedule: TickSchedule, now: float, seconds: float, cost_s: float) -> dict[str, int]:
    """Run on a clock of our own; return how often each session was stepped."""
    count: dict[str, int] = {}
    end = now + seconds
    while now < end:
        now += max(schedule.wait_s(now), 0.0)
        for key in schedule.take(now):
            count[key] = count.get(key, 0) + 1
            schedule.ran(now - schedule.due, cost_s)
            now += cost_s
    return count


def test_S11_every_session_is_stepped_at_its_rate() -> None:
    schedule = TickSchedule(100.0)
    for number in range(50):
        schedule.add(f"ses_{number}")
    count = play(schedule, 100.0, 10.0, 0.0001)
    assert len(count) == 50
    assert all(abs(n - 10 * TICK_RATE) <= 1 for n in count.values())
    pace = schedule.pace()
    assert pace.stretched_s == 0
    assert pace.late_ms_p99 < 1
    assert abs(pace.tick_us_mean - 100) < 1


def test_sessions_are_spread_over_the_tick() -> None:
    schedule = TickSchedule(0.0)
    for number in range(2 * SLOTS):
        schedule.add(f"ses_{number}")
    sizes = [len(schedule.take(n * TICK_S / SLOTS)) for n in range(SLOTS)]
    assert sizes == [2] * SLOTS
    schedule.remove("ses_0")
    schedule.add("ses_new")
    sizes = [len(schedule.take(TICK_S + n * TICK_S / SLOTS)) for n in range(SLOTS)]
    assert sizes == [2] * SLOTS


def test_under_overload_time_stretches_evenly_and_nothing_is_skipped() -> None:
    """Twice as much work as fits: everybody gets half the ticks, none is left out."""
    schedule = TickSchedule(0.0)
    for number in range(20):
        schedule.add(f"ses_{number}")
    count = play(schedule, 0.0, 10.0, 2 * TICK_S / 20)
    assert max(count.values()) - min(count.values()) <= 1
    assert abs(count["ses_0"] - 5 * TICK_RATE) <= 3
    pace = schedule.pace()
    assert pace.stretched_s == pytest.approx(5.0, abs=0.2)
    # Late by no more than a tick and the work of one slot: there is no backlog to work off.
    assert pace.late_ms_p99 / 1000 <= MOST_LATE_S + 3 * TICK_S / SLOTS


def test_a_pause_is_not_caught_up_in_a_burst() -> None:
    schedule = TickSchedule(0.0)
    schedule.add("ses_0")
    play(schedule, 0.0, 1.0, 0.0)
    count = play(schedule, 6.0, 1.0, 0.0)
    assert count["ses_0"] <= TICK_RATE + 2
    assert schedule.pace().stretched_s > 4.9


async def test_in_real_time() -> None:
    began = time.monotonic()
    schedule = TickSchedule(began)
    stepped: list[str] = []
    slots = 0

    def after_slot() -> None:
        nonlocal slots
        slots += 1

    schedule.add("a")
    schedule.add("b")
    task = asyncio.create_task(run(schedule, lambda key, late_s: stepped.append(key), after_slot))
    async with asyncio.timeout(PATIENCE_S):
        while stepped.count("a") < 15:  # noqa: ASYNC110 — a plain list
            await asyncio.sleep(0.01)
    task.cancel()
    # Never faster than real time, however late the machine is.
    assert stepped.count("a") <= (time.monotonic() - began) * TICK_RATE + 2
    assert abs(stepped.count("a") - stepped.count("b")) <= 1
    assert slots >= 8 * SLOTS
