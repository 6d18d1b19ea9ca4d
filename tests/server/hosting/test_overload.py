"""Overload: a worker, or the disk, takes no more."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from server.hosting.overload import (
    BAD_SECONDS,
    CALM_SECONDS,
    WorkerLoad,
    disk_problem,
)
from server.hosting.worker_pool import WorkerPool
from server.ipc.messages import WorkerStats
from server.sessions.spec import SessionSpec
from server.settings import Settings

MOST_LATE_MS = 12.0
CALM = WorkerStats(1, 10, 300, 0.1, 2.0, 100.0, 1.0, 1)
LATE = msgspec.structs.replace(CALM, late_ms_p99=MOST_LATE_MS + 1)
STRETCHED = msgspec.structs.replace(CALM, stretched_s=0.1)


def after(seconds: Iterable[WorkerStats], most_late_ms: float = MOST_LATE_MS) -> bool:
    load = WorkerLoad(most_late_ms)
    for stats in seconds:
        load.hear(stats)
    return load.is_overloaded


def test_only_what_lasts_is_overload() -> None:
    assert not after([])
    assert not after([STRETCHED] * (BAD_SECONDS - 1))
    assert not after(([LATE] * (BAD_SECONDS - 1) + [CALM]) * 5)
    assert after([LATE, STRETCHED, LATE, STRETCHED][:BAD_SECONDS])


def test_it_is_over_when_it_has_been_calm_for_a_while() -> None:
    bad = [LATE] * BAD_SECONDS
    assert after(bad + [CALM] * (CALM_SECONDS - 1))
    assert after(bad + ([CALM] * (CALM_SECONDS - 1) + [LATE]) * 3)
    assert not after(bad + [CALM] * CALM_SECONDS)


def test_it_tells_how_long_it_lasts_at_least() -> None:
    load = WorkerLoad(MOST_LATE_MS)
    assert load.calm_in_s == 0
    for _ in range(BAD_SECONDS):
        load.hear(LATE)
    assert load.calm_in_s == CALM_SECONDS
    load.hear(CALM)
    assert load.calm_in_s == CALM_SECONDS - 1


def test_the_limit_is_a_setting_and_nothing_is_overload_without_one() -> None:
    assert not after([LATE] * BAD_SECONDS, 2 * MOST_LATE_MS)
    assert not after([LATE, STRETCHED] * BAD_SECONDS, 0)


async def test_a_worker_without_a_session_always_takes_one(tmp_path: Path) -> None:
    pool = WorkerPool(
        Settings(_env_file=None, data_dir=tmp_path),
        None,
        "test",
        on_up=lambda _worker: None,
        on_down=lambda _worker, _at_work: None,
        on_message=lambda _message: None,
    )
    pool._folder = tmp_path
    pool._pool = [pool._pooled() for _ in range(2)]
    for worker in pool._pool:
        for _ in range(BAD_SECONDS):
            worker.load.hear(LATE)
    assert not pool.are_overloaded
    first = await pool.assign(SessionSpec("ses_1", (), 1))
    assert not pool.are_overloaded
    assert await pool.assign(SessionSpec("ses_2", (), 1)) is not first
    assert pool.are_overloaded
    pool.release("ses_1")
    assert not pool.are_overloaded


def test_a_disk_is_known_by_its_room(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    assert disk_problem(folder, 0) is None
    problem = disk_problem(folder, 10**18)
    assert problem is not None
    assert "COHABIT_DISK_RESERVE_MB" in problem
