"""Checks of a study against this installation: its tasks, policies, rule profiles and power."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from episodes.dataset import DatasetError, Task, read_dataset
from episodes.houses.files import tasks_file
from episodes.rules import profile_named
from episodes.tasks.team_fit import task_problem
from matchmaking.matchmakers.registry import matchmaker_of
from matchmaking.study import Problem, Study, StudyError
from matchmaking.study.opening import obstacles
from matchmaking.study.opening_rules import opening_problems
from matchmaking.study.pages import Tutorial
from matchmaking.study.planned_units import tasks_of_group
from server.hosting.tutorial_tasks import NoTutorialTaskError, tutorial_tasks
from server.recruiting.registry import UnknownRecruiterError, recruiter_of
from server.research.studies.task_choice import tasks_of
from server.robots.policy_spec import RobotError
from server.robots.registry.registry import spec_of
from server.robots.registry.team_checks import check_team
from server.wall_clock import utc_now


def unready(
    study: Study, data_dir: Path, today: str | None = None, own: Path | None = None
) -> Iterator[Problem]:
    """Yield all that a study lacks here before people can be invited, but for its power.

    ``today`` is the day on which it is to open; nothing said: this one. ``own`` is the file of the
    tasks that open play draws from; nothing said: the first tasks.
    """
    yield from obstacles(study)
    yield from opening_problems(study, today or utc_now().date().isoformat())
    try:
        matchmaker_of(study, lambda policy: True)
    except StudyError as error:
        yield from error.problems
    try:
        recruiter_of(study, "")
    except UnknownRecruiterError as error:
        yield Problem(("recruiter", "kind"), str(error))
    yield from _policy_problems(study)
    yield from _profile_problems(study)
    yield from _task_problems(study, data_dir, own or tasks_file(data_dir))


def _policy_problems(study: Study) -> Iterator[Problem]:
    for number, cell in enumerate(study.cells):
        where = ("cells", number, "team")
        try:
            check_team(cell.team)
        except RobotError as error:
            yield Problem(where, str(error))
            continue
        for name in dict.fromkeys(cell.team.policies.values()):
            yield from _privilege_problems(study, name, where)
    if study.substitute:
        try:
            spec_of(study.substitute)
        except RobotError as error:
            yield Problem(("substitute",), str(error))
        else:
            yield from _privilege_problems(study, study.substitute, ("substitute",))


def _privilege_problems(study: Study, name: str, where: tuple[str | int, ...]) -> Iterator[Problem]:
    if spec_of(name).privileged and name not in study.privileged:
        yield Problem(
            where,
            f"the policy {name!r} reads the goal, which no person can: name it in `privileged`, "
            "or take another",
        )


def _profile_problems(study: Study) -> Iterator[Problem]:
    for number, cell in enumerate(study.cells):
        try:
            profile_named(cell.treatment.profile)
        except ValueError as error:
            yield Problem(("cells", number, "treatment", "profile"), str(error))


def _task_problems(study: Study, data_dir: Path, own: Path) -> Iterator[Problem]:
    file = tasks_file(data_dir, study.tasks.set)
    try:
        known = {task.task_id: task for task in read_dataset(file)}
    except DatasetError as error:
        yield Problem(("tasks", "set"), f"{error}: `cohabit tasks list` names the sets")
        return
    for field in ("ids", "practice"):
        for task_id in getattr(study.tasks, field):
            if task_id not in known:
                yield Problem(
                    ("tasks", field), f"the set {study.tasks.set!r} has no task {task_id!r}"
                )
    tasks = tasks_of(study, data_dir)
    per_group = tasks_of_group(study)
    if per_group > len(tasks):
        yield Problem(
            ("tasks", "ids"),
            f"expected {per_group} tasks at least, because a group does as many and none twice, "
            f"got {len(tasks)}",
        )
    yield from _excluded(study, tasks)
    yield from _tutorial_problems(study, data_dir, own)


def _tutorial_problems(study: Study, data_dir: Path, own: Path) -> Iterator[Problem]:
    """Yield what keeps a tutorial from being held without a task of the study."""
    for number, page in enumerate(study.pages):
        if not isinstance(page, Tutorial):
            continue
        for body in page.bodies:
            try:
                tutorial_tasks(study, body, data_dir, own)
            except (NoTutorialTaskError, DatasetError) as error:
                yield Problem(("pages", number, "house"), f"{error} ({body} body)")


def _excluded(study: Study, tasks: Sequence[Task]) -> Iterator[Problem]:
    """Yield the first task of each condition that its team cannot do."""
    for number, cell in enumerate(study.cells):
        try:
            profile = profile_named(cell.treatment.profile)
        except ValueError:
            continue
        told = next(filter(None, (task_problem(cell.team, t, profile) for t in tasks)), "")
        if told:
            yield Problem(
                ("cells", number, "team"), f"{told}: choose others as `ids`, or another team"
            )
