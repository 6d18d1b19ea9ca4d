"""Tasks of tutorials that are held in the house of a study's tasks."""

from __future__ import annotations

from pathlib import Path

from episodes.bodies import SeatKind
from episodes.dataset import Task, read_dataset
from episodes.houses.files import HouseError, read_catalogue, read_scene, tasks_file
from episodes.rules import profile_named
from episodes.tasks.team_fit import task_problem
from episodes.tasks.tutorial_needs import tutorial_lack
from episodes.teams import Team
from matchmaking.study import Study

_RULES = profile_named("cohabit")


class NoTutorialTaskError(Exception):
    """Error for a study without a task to practise; the text says why, and what to do."""


def tutorial_tasks(study: Study, body: SeatKind, data_dir: Path) -> list[str]:
    """Return the ids of the tasks in a house of a study's tasks in which a body can be learnt.

    They are those of its set that it does not play, else those that its groups practise; the body
    can do each alone, and all that the steps of a tutorial take is in the house. Raises
    NoTutorialTaskError if there are none, and DatasetError for a set that cannot be read.
    """
    tasks = read_dataset(tasks_file(data_dir, study.tasks.set))
    ids, practice = study.tasks.ids, study.tasks.practice
    played = ids or [task.task_id for task in tasks if task.task_id not in practice]
    houses = {task.scene_id for task in tasks if task.task_id in played}
    free = [task for task in tasks if task.task_id not in played and task.scene_id in houses]
    candidates = [task for task in free if task.task_id not in practice] or free
    if not candidates:
        raise NoTutorialTaskError(
            f"expected a task of the set {study.tasks.set!r} to practise, in a house of its tasks, "
            "that nobody is measured in: name those that are measured as `ids`, or one that groups "
            "practise as `practice`"
        )
    problems = {task.task_id: _problem(task, body, data_dir) for task in candidates}
    found = [task_id for task_id, problem in problems.items() if not problem]
    if not found:
        told = "; ".join(f"task {task_id}: {problem}" for task_id, problem in problems.items())
        raise NoTutorialTaskError(
            f"expected a task to practise that holds what the steps of a tutorial take, got {told}"
        )
    return found


def _problem(task: Task, body: SeatKind, data_dir: Path) -> str:
    """Return why a body cannot be learnt in a task; empty: it can."""
    if problem := task_problem(Team.parse(f"{body}=person"), task, _RULES):
        return problem
    try:
        scene, catalogue = read_scene(data_dir, task.scene_id), read_catalogue(data_dir)
        lack = tutorial_lack(task, scene, catalogue)
    except (HouseError, KeyError) as error:
        return str(error)
    return f"{task.scene_id} has {lack}" if lack else ""
