"""Tasks of the tutorials of studies: none is one that the study measures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from episodes.bodies import SeatKind
from episodes.dataset import Task, read_dataset
from episodes.houses.files import HouseError, read_catalogue, read_scene, tasks_file
from episodes.rules import profile_named
from episodes.tasks.team_fit import task_problem
from episodes.tasks.tutorial_needs import tutorial_lack
from episodes.teams import Team
from matchmaking.study import Study
from matchmaking.study.pages import Tutorial

_RULES = profile_named("cohabit")


class NoTutorialTaskError(Exception):
    """Error for a study without a task to practise; the text says why, and what to do."""


def tutorial_set(study: Study, data_dir: Path, own: Path) -> Path:
    """Return the file of the tasks that a study's tutorial is chosen from.

    ``own`` is that of the server's first tasks.
    """
    return own if _is_own(study) else tasks_file(data_dir, study.tasks.set)


def _is_own(study: Study) -> bool:
    """Tell whether a study's tutorial is held in the server's own house."""
    page = study.page_of(Tutorial)
    return page is None or page.house == "own"


def tutorial_tasks(study: Study, body: SeatKind, data_dir: Path, own: Path) -> list[str]:
    """Return the ids of the tasks in which a body can be learnt in a study's tutorial.

    None of them is one that the study plays; those that its groups practise are the last choice.
    The body can do each alone. Where it is held in the house of the study's tasks, they are there,
    with all that the steps of a tutorial take. ``own`` is the file of the server's first tasks.
    Raises NoTutorialTaskError if there are none, and DatasetError for a set that cannot be read.
    """
    file = tutorial_set(study, data_dir, own)
    tasks = read_dataset(file)
    if file != tasks_file(data_dir, study.tasks.set):
        # Nothing of another set is measured.
        return _suitable(tasks, body, None)
    ids, practice = study.tasks.ids, study.tasks.practice
    played = ids or [task.task_id for task in tasks if task.task_id not in practice]
    free = [task for task in tasks if task.task_id not in played]
    is_own = _is_own(study)
    if not is_own:
        houses = {task.scene_id for task in tasks if task.task_id in played}
        free = [task for task in free if task.scene_id in houses]
    candidates = [task for task in free if task.task_id not in practice] or free
    if not candidates:
        where = "" if is_own else ", in a house of its tasks"
        raise NoTutorialTaskError(
            f"expected a task of the set {study.tasks.set!r} to practise{where}, that nobody is "
            "measured in, because nobody gets a task again that they have met: name those that are "
            "measured as `ids`, or one that groups practise as `practice`"
        )
    return _suitable(candidates, body, None if is_own else data_dir)


def _suitable(tasks: Sequence[Task], body: SeatKind, data_dir: Path | None) -> list[str]:
    problems = {task.task_id: _problem(task, body, data_dir) for task in tasks}
    found = [task_id for task_id, problem in problems.items() if not problem]
    if not found:
        told = "; ".join(f"task {task_id}: {problem}" for task_id, problem in problems.items())
        raise NoTutorialTaskError(
            f"expected a task to practise that holds what the steps of a tutorial take, got {told}"
        )
    return found


def _problem(task: Task, body: SeatKind, data_dir: Path | None) -> str:
    """Return why a body cannot be learnt in a task; empty: it can.

    ``data_dir`` is where its house is looked at; None: it has what the steps take.
    """
    if problem := task_problem(Team.parse(f"{body}=person"), task, _RULES):
        return problem
    if data_dir is None:
        return ""
    try:
        scene, catalogue = read_scene(data_dir, task.scene_id), read_catalogue(data_dir)
        lack = tutorial_lack(task, scene, catalogue)
    except (HouseError, KeyError) as error:
        return str(error)
    return f"{task.scene_id} has {lack}" if lack else ""
