"""Tasks that researchers write in ten lines: what they become, and what is said of a wrong line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from episodes.catalogue import catalogue
from episodes.dataset import read_dataset
from episodes.houses.files import read_scene, tasks_file
from episodes.tasks import check_task
from episodes.tasks.written import made_task
from episodes.tasks.written_lines import WrittenTaskError, read_lines
from server.cli.main import app

LINES = """\
# A task of ten lines.
house: {house}
say: Wash the cup, then put it on the table and the book beside it.
start: cup on counter, kitchen; dirty
start: book on bed
goal: cup is clean
then
goal: cup on table, {room}
goal: book on table, {room}
goal: cup next to book
"""


@pytest.fixture
def text(houses_dir: Path) -> str:
    """Return the lines for the house that tests have."""
    house = sorted(p.name for p in (houses_dir / "houses").iterdir() if p.is_dir())[0]
    scene = read_scene(houses_dir, house)
    templates = catalogue().templates
    rooms = sorted(
        piece.room_id.partition(".")[0]
        for piece in scene.furniture
        if templates[piece.template].class_name == "table"
    )
    return LINES.format(house=house, room=rooms[0].replace("_", " "))


def test_ten_lines_are_a_task(text: str, houses_dir: Path) -> None:
    written = read_lines(text)
    scene = read_scene(houses_dir, written.house)
    task = made_task(written, "mine", scene, catalogue())
    assert check_task(task, scene, catalogue()) == []
    names = [p.function_name for p in task.evaluation_propositions]
    assert names == ["is_clean", "is_on_top", "is_on_top", "is_next_to"]
    (temporal,) = (c for c in task.evaluation_constraints if c.type == "TemporalConstraint")
    assert temporal.args["dag_edges"] == [[0, 1], [0, 2], [0, 3]]
    assert made_task(written, "mine", scene, catalogue()) == task, "the seed decides"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("start: cupp on counter", "knows no thing 'cupp': did you mean 'cup'?"),
        ("goal: cup on tabel", "knows no furniture 'tabel': did you mean 'table'?"),
        ("goal: lamp on table", "no `start` names 'lamp', only cup, book"),
        ("goal: book is clean", "a book cannot be clean, or not so"),
        ("goal: cup is shiny", "expected one of clean, dirty"),
        ("goal: cup near book", "expected `THING on FURNITURE, ROOM`"),
        ("start: cup on counter", "'cup' is there already: number them"),
        ("end: cup", "expected house, say, seed, start, goal or then, got 'end'"),
        ("cup on table", "expected `KEY: WORDS`"),
    ],
)
def test_a_wrong_line_is_named(line: str, told: str, text: str, houses_dir: Path) -> None:
    scene = read_scene(houses_dir, read_lines(text).house)
    with pytest.raises(WrittenTaskError) as error:
        made_task(read_lines(f"{text}{line}\n"), "mine", scene, catalogue())
    assert str(error.value).startswith("line 11: ")
    assert told in str(error.value)


def test_a_task_needs_a_house_a_start_and_a_goal() -> None:
    with pytest.raises(WrittenTaskError, match="expected a line `house: …`"):
        read_lines("say: x")
    with pytest.raises(WrittenTaskError, match="expected a `start` and a `goal` at least"):
        read_lines("house: h\nsay: x")


@pytest.mark.processes
def test_the_command_tries_draws_and_keeps_it(text: str, houses_dir: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for child in houses_dir.iterdir():
        if child.name != "tasks":
            (data / child.name).symlink_to(child)
    file, plan = tmp_path / "mine.txt", tmp_path / "plan.html"
    file.write_text(text)
    command = ["tasks", "write", str(file), "--plan", str(plan), "--data-dir", str(data)]
    for _ in range(2):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, (result.output, result.exception)
        assert "mine can be solved" in result.stdout
    assert [task.task_id for task in read_dataset(tasks_file(data, "own"))] == ["mine"]
    assert "<svg" in plan.read_text()
