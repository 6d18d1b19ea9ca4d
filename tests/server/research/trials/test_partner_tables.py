"""The program that makes the tables of `docs/policies/cohab.md`, and its tables."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tests.benchmarks.partner_episodes import Played
from tests.benchmarks.partner_tables import CAPTION, differences, notes, table, whole_tasks
from tests.benchmarks.partners import (
    BUILDING,
    HELD_OUT,
    PEOPLE,
    TUNED,
    Run,
    kind_of,
    main,
    read_played,
    turns,
)
from tests.robot_doubles.errors import Errors
from tests.robot_doubles.served import owner_with
from tests.server.sessions.first_house_sessions import task


def played(robot: str, number: int, steps: float, *, success: bool = True) -> Played:
    """Return an episode of a task in a house of its own."""
    return Played(
        robot, "scripted:slow", f"test {number}", success, float(success), f"house_{number}", steps,
        steps - 10, 0.5, 0.0, 0.5, 0.5, 0, 1, 900, 3.0, 1.0, "",
    )  # fmt: skip


def test_people_are_told_apart_by_what_was_tuned_beside_them() -> None:
    kinds = [kind_of(person) for person in PEOPLE]
    assert kinds == [TUNED] * 4 + [BUILDING] * 4 + [HELD_OUT] * 4
    assert kind_of("scripted:slow,pause_s=4") == TUNED


def test_houses_take_turns() -> None:
    houses = ("house_2", "house_2", "house_1")
    tasks = [
        (name, msgspec.structs.replace(task(1), scene_id=house))
        for name, house in zip("abc", houses, strict=True)
    ]
    assert [name for name, _ in turns(tasks)] == ["c", "a", "b"]


def test_a_part_of_a_run_has_whole_tasks_only() -> None:
    runs = [played("alone", 1, 900), played("cohab", 1, 500), played("alone", 2, 900)]
    assert {one.task for one in whole_tasks(runs)} == {"test 1"}


def test_tables_say_which_doubles_answered_with_which_errors_and_what_was_tuned() -> None:
    errors = Errors.of("wrong_goal=0.2 seed=3")
    card = f"double of {owner_with(errors.told)}, from None, with None tokens"
    runs = [
        msgspec.structs.replace(played("cohab", 1, 500), errors=errors.told, answered_by=card),
        msgspec.structs.replace(played("cohab", 1, 500), person="person-talking"),
        played("alone", 1, 900),
    ]
    told = " ".join(notes(runs))
    assert re.search(
        "answered by doubles served [0-9a-f]{12} with wrong_goal=0.2 seed=3. It compares", told
    )
    assert "tuned beside: scripted:slow; unseen: person-talking" in told
    assert list(notes(runs[2:])) == ["*No model was asked.*"]


def test_another_seed_and_other_errors_are_other_runs() -> None:
    one = Run(task(1), "test 1", "cohab", "scripted:slow")
    keys = {one.key, *(msgspec.structs.replace(one, seed=n).key for n in (1, 2)),
            msgspec.structs.replace(one, errors="wrong_goal=0.2").key}  # fmt: skip
    assert len(keys) == 4
    assert Errors.of("").told == Errors.of("seed=3").told == ""


def test_errors_that_are_no_shares_are_refused() -> None:
    for text in ("wrong_goal=nan", "omitted_goal=2", "free_text=-0.1"):
        with pytest.raises(ValueError, match="expected a share from 0 to 1"):
            Errors.of(text)


def test_differences_are_over_all_tasks_and_told_with_their_share() -> None:
    runs = [
        played(robot, n, 1000.0 - 400 * (robot == "cohab") + n, success=n != 3)
        for n in range(12)
        for robot in ("alone", "cohab")
    ]
    rows = list(table(runs))
    assert rows[2].startswith("| `scripted:slow` | `alone` | 0.92")
    told = list(differences(runs, "cohab"))[2]
    assert told.startswith("| `scripted:slow` | `alone` | -400, -40%, p 0.000 |")
    assert not any("Rough" in line for line in differences(runs, "cohab"))
    assert any("Rough" in line for line in differences(runs[:6], "cohab"))


@pytest.mark.long
def test_the_program_makes_the_tables_and_goes_on_where_it_was(
    houses_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "played.jsonl"
    command = [
        "--data-dir", str(houses_dir), "--tasks", "first", "--count", "1", "--processes", "1",
        "--person", "scripted:slow", "--person", "person-slow", "--out", str(out),
    ]  # fmt: skip
    main(command)
    text = capsys.readouterr().out
    assert CAPTION in text
    assert f"**{TUNED}.** 1 of 1 tasks, 1 houses." in text
    assert f"**{BUILDING}.** 1 of 1 tasks" in text
    assert "Rough" in text
    whole = read_played(out)
    assert len(whole) == 10
    assert all(one.success for one in whole if one.robot == "cohab")
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:-1]))
    main(command)
    # The same episode, played again, is the same.
    assert sorted(read_played(out), key=lambda p: p.key) == sorted(whole, key=lambda p: p.key)
    capsys.readouterr()
    main([*command, "--only-tables"])
    assert CAPTION in capsys.readouterr().out
