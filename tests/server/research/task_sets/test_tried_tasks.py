"""Simulation in the loop: good tasks pass, and every kind of bad one is found out."""

from __future__ import annotations

import itertools
from functools import cache

import msgspec
import pytest

from episodes.dataset import Constraint, Proposition, Task
from episodes.dataset.vocabulary import SAME_ARG, TEMPORAL
from episodes.evaluation.automatic_dependencies import attach_automatic
from episodes.houses import first_house
from episodes.tasks import first_tasks
from episodes.tasks.characteristics import about
from episodes.tasks.forms import generate_forms
from episodes.tasks.generator import generate_task
from episodes.tasks.household import Household
from server.research.task_sets.task_trial import Tried, try_task
from server.research.task_sets.violations import explains, violations
from server.simulators.household import HouseholdSimulator, HouseLibrary


@cache
def library() -> HouseLibrary:
    scene, catalogue = first_house()
    return HouseLibrary.of(catalogue, [scene])


@cache
def household() -> Household:
    return Household(*first_house())


def tried(task: Task) -> Tried:
    return try_task(task, lambda: HouseholdSimulator(library()))


def evaluated(task: Task, *propositions: Proposition, groups: list[list[int]]) -> Task:
    """Return a task with another evaluation."""
    edges = [
        [a, b] for earlier, later in itertools.pairwise(groups) for a in earlier for b in later
    ]
    temporal = Constraint(TEMPORAL, {"dag_edges": edges})
    dependencies, constraints = attach_automatic(propositions, [], [temporal])
    return msgspec.structs.replace(
        task,
        evaluation_propositions=list(propositions),
        evaluation_proposition_dependencies=dependencies,
        evaluation_constraints=constraints,
    )


@pytest.mark.slow
def test_nearly_all_generated_tasks_are_good() -> None:
    outcomes = [tried(generate_task(household(), 2, index)) for index in range(28)]
    assert sum(t.solved is True for t in outcomes) >= 27
    good = [t for t in outcomes if not t.fault]
    assert len(good) >= 26, [(t.fault, t.detail) for t in outcomes if t.fault]
    assert {t.way for t in good} >= {"order", "undone"}
    # Two experts: both have something to do in most tasks.
    assert sum(0 < (t.share or 0) < 1 for t in good) > 14


def test_other_forms_are_played_too() -> None:
    for episode in generate_forms(household(), 2, 0):
        outcome = tried(episode)
        assert outcome.fault == "", (about(episode)["form"], outcome.detail)


@pytest.mark.parametrize("number", range(6))
def test_the_first_tasks_are_good(number: int) -> None:
    assert tried(first_tasks()[number]).fault == ""


# Every kind of fault


def first(number: int) -> Task:
    return first_tasks()[number - 1]


def test_what_is_not_in_the_house_does_not_load() -> None:
    unknown = {f"unicorn{h}": r for h, r in first(2).name_to_receptacle.items()}
    outcome = tried(msgspec.structs.replace(first(2), name_to_receptacle=unknown))
    assert outcome.fault == "does not load"


def test_objects_in_each_other_are_found() -> None:
    episode = first(2)
    (name, matrix), (_, other), *rest = episode.rigid_objs
    same = [[*row[:3], other[i][3]] for i, row in enumerate(matrix)]
    objects = [(name, same), episode.rigid_objs[1], *rest]
    outcome = tried(msgspec.structs.replace(episode, rigid_objs=objects))
    assert outcome.fault == "overlap at the start"


def test_what_holds_at_the_start_is_found() -> None:
    episode = first(2)
    cup, place = next(iter(episode.name_to_receptacle.items()))
    there = Proposition(
        "is_on_top", {"object_handles": [cup], "receptacle_handles": [place.partition("|")[0]]}
    )
    given = [*episode.evaluation_propositions, there]
    outcome = tried(evaluated(episode, *given, groups=[list(range(len(given)))]))
    assert outcome.fault == "done by nobody"
    assert "cup" in outcome.detail


def test_what_nobody_can_do_has_no_plan() -> None:
    episode = first(4)
    cup = episode.evaluation_propositions[0].args["object_handles"][0]
    states = {**episode.object_states, "is_clean": {**episode.object_states["is_clean"], cup: True}}
    dirty = Proposition("is_dirty", {"object_handles": [cup], "number": 1})
    changed = msgspec.structs.replace(episode, object_states=states)
    outcome = tried(evaluated(changed, dirty, groups=[[0]]))
    assert outcome.fault == "no plan"
    assert outcome.solved is False


def test_a_goal_without_room_is_not_solved() -> None:
    """A bench that is wanted within a fridge: there is a plan, and it does not work."""
    episode = first(1)
    scene, catalogue = first_house()
    fridge = next(f.handle for f in scene.furniture if f.template.startswith("fridge"))
    big = next(n for n, t in sorted(catalogue.templates.items())
               if t.kind == "object" and t.box.high[1] > 0.36)  # fmt: skip
    handle = f"{big}_:0000"
    book = next(iter(episode.name_to_receptacle))
    receptacle = next(f"{f.handle}|top" for f in scene.furniture if f.template.startswith("bed_"))
    bed = next(f for f in scene.furniture if f.template.startswith("bed_"))
    (top,) = [r for r in catalogue.templates[bed.template].receptacles if r.name == "top"]
    x, y, z = bed.pose.position
    matrix = [[1.0, 0, 0, x], [0, 1.0, 0, y + top.center[1] + 0.001], [0, 0, 1.0, z],
              [0, 0, 0, 1.0]]  # fmt: skip
    goal = Proposition(
        "is_inside", {"object_handles": [handle], "receptacle_handles": [fridge], "number": 1}
    )
    tall = msgspec.structs.replace(
        episode,
        rigid_objs=[(f"{big}.object_config.json", matrix)],
        name_to_receptacle={handle: receptacle},
        object_states={},
    )
    assert book not in tall.name_to_receptacle
    outcome = tried(evaluated(tall, goal, groups=[[0]]))
    assert outcome.fault == "not solved by two experts"
    assert outcome.solved is False


# Ways to fail


def test_each_task_is_failed_by_what_is_special_about_it() -> None:
    ways = {e.info["cohabit"]["title"]: [v.way for v in violations(e)] for e in first_tasks()}
    assert ways["Wash the cup"] == ["order", "undone", "left_out"]
    assert ways["Toys, then a snack"] == ["order", "tie", "undone", "left_out"]
    assert ways["Two books"] == ["undone"]
    turned = next(v for v in violations(first(4)) if v.way == "order").misread
    assert turned.evaluation_constraints[0].args["dag_edges"] == [[1, 0]]
    untied = next(v for v in violations(first(6)) if v.way == "tie").misread
    assert SAME_ARG not in {c.type for c in untied.evaluation_constraints}


def test_an_explanation_of_something_else_does_not_count() -> None:
    """Trying each task accepted the explanation of its own failure; not of another."""
    from server.robots.baselines.expert import solve
    from server.robots.baselines.scripted_player import Done, ScriptedPlayer
    from server.sessions.core import SessionCore
    from server.sessions.spec import EpisodeSpec, SessionSpec
    from server.worker.unpaced_runner import run

    episode = first(3)
    spec = EpisodeSpec("epi_1", "first", episode.task_id)
    core = SessionCore(SessionSpec.solo("ses_1", 1), spec, episode, HouseholdSimulator(library()))
    # One of two things done, then nothing.
    steps = solve(core)
    result = run(core, [ScriptedPlayer("human_0", [*steps[: len(steps) // 2], Done()])], 9000)
    assert result is not None
    assert explains("left_out", episode, result.verdict)
    assert not any(explains(way, episode, result.verdict) for way in ("order", "tie", "undone"))
