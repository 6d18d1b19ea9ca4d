from __future__ import annotations

import struct
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from episodes.dataset import read_dataset
from episodes.houses.files import (
    list_scenes,
    tasks_file,
    write_tasks,
)
from episodes.tasks import first_tasks
from server.cli.main import app
from tests.server.sessions.first_house_sessions import write_first_house

PNG = b"\x89PNG\r\n\x1a\n"


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["houses", "show", *map(str, words)])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a house and its tasks without the shapes of things, which a plan does not need."""
    folder = tmp_path_factory.mktemp("data")
    write_first_house(folder)
    write_tasks(folder, first_tasks())
    return folder


@pytest.fixture
def house(data: Path) -> str:
    return list_scenes(data)[0]


def test_a_house_as_svg(data: Path, house: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.svg"
    result = run(house, "--data-dir", data, "--out", file)
    assert result.exit_code == 0, result.output
    assert str(file) in result.output
    assert file.read_text().startswith("<svg")


def test_a_task_as_png_of_the_size_asked_for(data: Path, house: str, tmp_path: Path) -> None:
    task = read_dataset(tasks_file(data))[0].task_id
    file = tmp_path / "task.png"
    result = run(house, "--task", task, "--data-dir", data, "--out", file, "--width", 390)
    assert result.exit_code == 0, result.output
    drawn = file.read_bytes()
    assert drawn.startswith(PNG)
    assert struct.unpack(">I", drawn[16:20]) == (390,)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "expected a house in"),
        (("{house}", "--task", "none"), "got 'none'; there are: 1, 2"),
        (("{house}", "--tasks", "absent", "--task", "1"), "expected tasks at"),
        (("{house}", "--out", "plan.jpg"), "ends with .svg or .png, got plan.jpg"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    data: Path,
    house: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*(w.format(house=house) for w in words), "--data-dir", data)
    assert result.exit_code == 1
    assert said in result.output
    assert list(tmp_path.iterdir()) == []
