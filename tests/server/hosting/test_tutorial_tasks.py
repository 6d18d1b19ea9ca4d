"""Tasks of the tutorials of studies: which are taken, and why others are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec.structs import replace

from episodes.bodies import SeatKind
from episodes.dataset import read_dataset, write_dataset
from episodes.houses.files import read_catalogue, read_scene, tasks_file
from episodes.tasks.tutorial_needs import tutorial_lack
from matchmaking.study.design import Tasks
from matchmaking.study.pages import Lobby, Play, Tutorial
from server.hosting.tutorial_tasks import NoTutorialTaskError, tutorial_tasks
from server.research.studies.checks import unready
from tests.server.web.participants.visitors import CONSENT, short_study


def made(house: Literal["own", "tasks"] = "tasks", **tasks: Any) -> Any:
    """Return a study with a tutorial, in the house of its tasks where nothing is said."""
    page = Tutorial(bodies=("human", "robot"), house=house)
    return short_study(pages=(CONSENT, page, Lobby(), Play(episodes=1)), tasks=Tasks(**tasks))


def problems(study: Any, data_dir: Path) -> list[str]:
    return [p.text for p in unready(study, data_dir) if p.where == ("pages", 1, "house")]


@pytest.mark.parametrize(("body", "found"), [("human", "34578"), ("robot", "37")])
def test_tasks_that_nobody_is_measured_in_are_taken(
    houses_dir: Path, body: SeatKind, found: str
) -> None:
    study = made(ids=("1", "2"), practice=("6",))
    assert tutorial_tasks(study, body, houses_dir, tasks_file(houses_dir)) == [*found]
    assert problems(study, houses_dir) == []


def test_without_others_a_task_that_groups_practise_is_taken(houses_dir: Path) -> None:
    assert tutorial_tasks(made(practice=("7",)), "robot", houses_dir, tasks_file(houses_dir)) == [
        "7"
    ]


def test_a_study_that_plays_every_task_of_its_set_is_refused(houses_dir: Path) -> None:
    assert len(told := problems(made(), houses_dir)) == 2
    assert all("name those that are measured as `ids`" in text for text in told)


def test_a_task_that_a_body_cannot_do_alone_is_refused(houses_dir: Path) -> None:
    (told,) = problems(made(practice=("4",)), houses_dir)
    assert "task 4 cannot be done by" in told
    assert "(robot body)" in told


def test_tasks_in_other_houses_are_not_taken(houses_dir: Path, tmp_path: Path) -> None:
    first, *others = read_dataset(tasks_file(houses_dir, "first"))
    elsewhere = [first, *(replace(task, scene_id="house_0009") for task in others)]
    tasks_file(tmp_path, "first").parent.mkdir()
    write_dataset(tasks_file(tmp_path, "first"), elsewhere)
    with pytest.raises(NoTutorialTaskError, match="in a house of its tasks"):
        tutorial_tasks(made(ids=("1",)), "human", tmp_path, tasks_file(tmp_path))


def test_what_a_house_lacks_for_the_steps_is_said(houses_dir: Path) -> None:
    task = read_dataset(tasks_file(houses_dir, "first"))[0]
    scene, catalogue = read_scene(houses_dir, task.scene_id), read_catalogue(houses_dir)
    templates = catalogue.templates
    shut = replace(
        scene, furniture=tuple(f for f in scene.furniture if not templates[f.template].parts)
    )
    dark = replace(
        catalogue, templates={name: replace(t, affords=()) for name, t in templates.items()}
    )
    empty = replace(task, name_to_receptacle={})
    assert tutorial_lack(task, scene, catalogue) == ""
    assert "no door or drawer" in tutorial_lack(task, shut, catalogue)
    assert "switched on" in tutorial_lack(task, scene, dark)
    assert "nothing to carry" in tutorial_lack(empty, scene, catalogue)


def test_the_servers_own_tutorial_takes_no_task_of_the_study(
    houses_dir: Path, tmp_path: Path
) -> None:
    own = tasks_file(houses_dir)
    found = tutorial_tasks(made("own", ids=("7",)), "human", houses_dir, own)
    assert found == [*"1234568"]
    assert problems(made("own", ids=("7",)), houses_dir) == []
    told = problems(made("own"), houses_dir)
    assert len(told) == 2, "each body has its own"
    assert all("nobody gets a task again" in text for text in told)
    # Tasks of another set may have the same ids.
    other = tmp_path / "other.json.gz"
    other.write_bytes(own.read_bytes())
    assert "7" in tutorial_tasks(made("own"), "human", houses_dir, other)
