"""`cohabit tasks vet`: people's failures in the database become marks beside the set."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from episodes.dataset import Proposition, Task, write_dataset
from episodes.tasks.vetting import read_marks
from server.cli.main import app
from server.store import Database
from server.store.models import EpisodeRow, MatchRow, OccupancyRow, SessionRow

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DATASET = "tasks/validation.json.gz"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "tasks").mkdir()
    goal = Proposition("is_clean", {"object_handles": ["cup_1_:0000"]})
    tasks = [
        Task(task_id=str(n), scene_id="house", instruction=f"Do {n}.",
                evaluation_propositions=[goal])
        for n in range(1, 5)
    ]  # fmt: skip
    write_dataset(tmp_path / DATASET, tasks)
    return tmp_path


def store(data: Path, attempts: Sequence[tuple[str, str, bool | None, str, str | None]]) -> None:
    """Rows of (task id, instruction, success, end reason, policy of the robot seat)."""

    async def fill() -> None:
        database = Database(f"sqlite:///{data / 'cohabit.db'}")
        await database.upgrade()
        async with database.transaction() as db:
            for number, (task, said, success, reason, policy) in enumerate(attempts):
                match, session = f"mat_{number}", f"ses_{number}"
                db.add(MatchRow(match_id=match, policy="fifo", seed=1, formed_at=NOW, n_waiting=0))
                await db.flush()
                db.add(
                    SessionRow(
                        session_id=session, match_id=match, state="closed", seed=1,
                        simulator="household", profile="cohabit", semantics="documented",
                        dataset=DATASET, spec={}, opened_at=NOW,
                        occupancies=[OccupancyRow(seat_id="robot_0", policy=policy, since=NOW)],
                    )
                )  # fmt: skip
                await db.flush()
                db.add(
                    EpisodeRow(
                        episode_id=f"epi_{number}", session_id=session, order_index=0,
                        dataset=DATASET, task_id=task, try_index=0, task_text=said,
                        opened_at=NOW + timedelta(minutes=number), end_reason=reason,
                        success=success, explanation="Missing steps: cup",
                        simulator="household", profile="cohabit", semantics="documented",
                        server_version="1",
                    )
                )  # fmt: skip
        await database.close()

    asyncio.run(fill())


def vet(data: Path, *more: str) -> tuple[int, str]:
    arguments = ["tasks", "vet", "validation", "--data-dir", str(data), *more]
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "300"})
    return result.exit_code, result.output


def test_what_people_fail_six_times_is_left_out(data: Path) -> None:
    store(
        data,
        [("1", "Do 1.", False, "finished", None)] * 6
        # Somebody left, a model played, an older text: none of them says anything of the task.
        + [("2", "Do 2.", False, "finished", None)] * 3
        + [("2", "Do 2.", False, "left", None)] * 2
        + [("2", "Do 2.", False, "time_limit", "react")] * 2
        + [("3", "Do it.", False, "finished", None)] * 6
        + [("4", "Do 4.", False, "time_limit", None)] * 6
        + [("4", "Do 4.", True, "finished", None)],
    )
    code, text = vet(data)
    assert code == 0, text
    assert "task 1: 6 attempts, none a success; most often: Missing steps: cup" in text
    assert "16 attempts, 1 tasks left out" in text.replace("\n", "")
    (mark,) = read_marks(data / DATASET)
    assert (mark.task_id, mark.failures) == ("1", 6)
    assert vet(data, "--failures", "3")[1].count("none a success") == 2


def test_without_attempts_nothing_is_marked(data: Path) -> None:
    code, text = vet(data)
    assert code == 0, text
    assert "0 attempts, 0 tasks left out" in text.replace("\n", "")
    assert read_marks(data / DATASET) == []
