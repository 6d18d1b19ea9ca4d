"""Checks of studies against an installation, ready studies, manifests and preregistrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from episodes.teams import Team
from matchmaking.assignment.attrition import flows
from matchmaking.assignment.ledger import Ledger
from matchmaking.assignment.strata import strata_of
from matchmaking.study import Study
from matchmaking.study.design import Tasks
from matchmaking.study.pages import Play
from matchmaking.study.recruiter import Recruiter
from matchmaking.study.treatment import Treatment
from matchmaking.study_file import read_study
from matchmaking.study_file.schema import study_schema
from server.research.power.adequacy import adequacies, inadequate, size_line
from server.research.studies import manifest as manifests
from server.research.studies.checks import unready
from server.research.studies.manifest import changes, freeze
from server.research.studies.preregistration import preregistration
from server.research.studies.ready_studies import (
    NoSuchStudyError,
    begun_like,
    ready_names,
    ready_text,
)
from server.research.studies.task_choice import tasks_of
from tests.matchmaking.study.made_studies import PAIR_CELL, ROBOT_CELL, study

EACH = pytest.mark.parametrize("name", ready_names())


def ready(name: str) -> Study:
    """Return a ready study."""
    return read_study(ready_text(name)).study


def test_the_ready_studies_are_those_that_the_docs_name() -> None:
    assert ready_names() == [
        "explanation",
        "human-vs-llm",
        "latency",
        "partnr-table3",
        "simulator-bridge",
        "team-size",
    ]


@EACH
def test_a_ready_study_could_open_here(name: str, houses_dir: Path) -> None:
    made = ready(name)
    assert made.name == name
    assert list(unready(made, houses_dir)) == []
    assert list(inadequate(made, len(tasks_of(made, houses_dir)))) == []
    assert made.analysis is not None
    Draft202012Validator(study_schema()).validate(yaml.safe_load(ready_text(name)))


@EACH
def test_a_ready_study_fills_exactly_its_targets(name: str) -> None:
    ledger = Ledger("secret", strata_of(ready(name)))
    while (drawn := ledger.draw("match", ["p"], 0.0)) is not None:
        ledger.begin(drawn.place, 1.0)
        ledger.complete(drawn.place, 2.0)
    targets = {arm.name: arm.target for arm in strata_of(ready(name)).match[""]}
    assert {arm: flow.completed for (_, arm), flow in flows(ledger).items()} == targets


def test_partnrs_design_is_the_one_of_its_table() -> None:
    made = ready("partnr-table3")
    assert [str(cell.team) for cell in made.cells] == [
        "solo",
        "pair",
        "human=person,robot=react",
        "human=person,robot=finetuned",
    ]
    assert made.tasks.tries == 3
    assert {cell.treatment.profile for cell in made.cells} == {"partnr"}
    (slower,) = adequacies(made, 8)
    # One-sided, as its direction is; two-sided they would be 514 and 567.
    assert 404 < slower.sizes.independent < 405
    assert "slower_than_alone (power 0.8, alpha 0.05 one-sided): " in size_line(slower)
    assert slower.sizes.paired < slower.sizes.independent < slower.required
    # Counted by hand: 115 groups of five episodes in each condition, one person and a half of a
    # pair more in one of four.
    assert slower.planned == 575
    assert sum(cell.target * cell.people for cell in made.cells) == 115 * (1 + 2 + 1 + 1)


def test_a_sample_that_is_too_small_is_refused() -> None:
    made = ready("partnr-table3")
    plan = made.analysis
    assert plan is not None
    small = replace(plan, sample=replace(plan.sample, per_level=446))
    (found,) = inadequate(replace(made, analysis=small), 8)
    told = "analysis, sample, per_level: expected 447 episodes of each level"
    # Of 446.3 that are needed no fewer than 447 are enough.
    assert str(found).startswith(told)
    assert "alpha 0.05 one-sided" in str(found)
    sides = [replace(plan.hypotheses[0], direction="two_sided")]
    wider = replace(plan, hypotheses=tuple(sides))
    (both,) = inadequate(replace(made, analysis=replace(wider, sample=small.sample)), 8)
    assert "expected 567 episodes of each level" in str(both)
    assert "alpha 0.05 two-sided" in str(both)
    looks = {"looks": (), "correction": "bonferroni", "hypotheses": plan.hypotheses}
    primary = [replace(hypothesis, is_primary=True) for hypothesis in plan.hypotheses]
    many = replace(plan, **{**looks, "hypotheses": tuple(primary)})
    assert len(list(inadequate(replace(made, analysis=many), 8))) == 3, "alpha is shared by three"


def cell_with(team: str) -> Any:
    """Return the condition with a robot, with another team."""
    return replace(ROBOT_CELL, team=Team.parse(team))


HONEST = cell_with("human=person,robot=cohab")
BUT_ONE = Tasks(ids=("1", "2", "3", "4", "5", "6", "8"))
"""The first tasks without that of the tutorial."""
UNREADY: list[tuple[dict[str, Any], str]] = [
    ({"cells": (PAIR_CELL, cell_with("human=person,robot=nosuch"))}, "cells 2, team: no policy"),
    ({"cells": (PAIR_CELL, ROBOT_CELL)}, "cells 2, team: the policy 'expert' reads the goal"),
    ({"substitute": "expert"}, "substitute: the policy 'expert' reads the goal"),
    ({"substitute": "nosuch"}, "substitute: no policy"),
    ({"matchmaker": "luck"}, "matchmaker: expected one of"),
    ({"tasks": Tasks(set="nosuch")}, "tasks, set: "),
    ({"tasks": Tasks(ids=("1", "2", "99"))}, "tasks, ids: the set 'first' has no task '99'"),
    (
        {"tasks": Tasks(ids=("1", "2"), practice=("99",))},
        "tasks, practice: the set 'first' has no task '99'",
    ),
    ({"tasks": Tasks(ids=("1",))}, "tasks, ids: expected 2 tasks at least"),
    (
        {"cells": (replace(PAIR_CELL, treatment=Treatment(profile="nosuch")), HONEST)},
        "cells 1, treatment, profile: no rule profile 'nosuch'",
    ),
    (
        {"cells": (PAIR_CELL, cell_with("robot=person,robot=cohab"))},
        "cells 2, team: task ",
    ),
    ({"contact": ""}, "contact: expected an address"),
    ({"recruiter": Recruiter(kind="crowd")}, "recruiter, kind: study partners: expected one of"),
]


@pytest.mark.parametrize(("changes_made", "told"), UNREADY, ids=[told for _, told in UNREADY])
def test_what_is_not_here_is_told(
    changes_made: dict[str, Any], told: str, houses_dir: Path
) -> None:
    made = study(**{"cells": (PAIR_CELL, HONEST), "tasks": BUT_ONE, **changes_made})
    (found,) = unready(made, houses_dir)
    assert told in str(found)


def test_a_privileged_policy_may_be_declared(houses_dir: Path) -> None:
    assert list(unready(study(privileged=("expert",), tasks=BUT_ONE), houses_dir)) == []


def test_a_new_study_begins_as_a_ready_one() -> None:
    begun = read_study(begun_like("my-study", "latency")).study
    assert begun == replace(ready("latency"), name="my-study")
    with pytest.raises(NoSuchStudyError, match="'nosuch'; there are: explanation"):
        begun_like("my-study", "nosuch")


def test_a_manifest_tells_what_changed(houses_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ready("latency")
    frozen = freeze(made, houses_dir, "2026-11-25T08:00:00+00:00", {"cohab": "abc"})
    later = freeze(made, houses_dir, "2026-11-26T08:00:00+00:00", {"cohab": "abc"})
    assert changes(frozen, later) == []
    assert later.digest == frozen.digest, "the time is no part of what is measured"
    play = made.page_of(Play)
    assert play is not None
    edited = replace(made, title={"en": "Another"})
    assert changes(frozen, freeze(edited, houses_dir, "", {"cohab": "abc"})) == ["the study file"]
    another = freeze(made, houses_dir, "", {"cohab": "xyz"})
    assert changes(frozen, another) == [], "models are compared by what is known of them"
    assert another.digest != frozen.digest
    monkeypatch.setattr(manifests, "_evaluator", lambda: "other")
    monkeypatch.setattr(manifests, "prompts_digest", lambda: "other")
    other = freeze(made, houses_dir, "", {"cohab": "abc"})
    assert changes(frozen, other) == ["the evaluator", "the prompts of policies"]
    assert other.digest != frozen.digest


def test_a_preregistration_says_all_that_is_declared() -> None:
    made = ready("simulator-bridge")
    plan = made.analysis
    assert plan is not None
    text = preregistration(made, plan, adequacies(made, 8), "abc123", [])
    for hypothesis in plan.hypotheses:
        assert hypothesis.text in text
        assert f"`{hypothesis.outcome}`" in text
    for told in (
        "version 1. Manifest abc123.",
        "is equivalent to that at habitat within 0.3 standard deviations",
        "- Condition habitat: 1human, simulator habitat, 50 groups.",
        "- In all conditions: disclosure told, explanation ours",
        "`seats.idle_s > 120.0`: Somebody was not there. It takes the attempt.",
        "the later tries of its group at the task, and nothing else of the group",
        "No look before the end",
        plan.sample.basis,
    ):
        assert told in text
