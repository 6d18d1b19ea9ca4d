"""Model server of a study: its people are told who runs it, where the researchers do not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from episodes.teams import Team
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.pages import Consent, Lobby, Play
from server.research.studies.manifest import Manifest
from server.research.studies.model_users import ModelUser, model_users, untold_operator
from server.research.studies.opening import CannotOpenError, check_may_go_on
from server.settings import Settings
from server.store.study_models import StudyRunRow
from tests.server.web.participants.visitors import short_study

ELSEWHERE = "https://api.models.example:8443/v1"


def with_robot(policy: str, **changes: Any) -> Study:
    cell = Cell(name="llm", team=Team.parse(f"human=person,robot={policy}"), target=10)
    return short_study(cells=(cell,), **changes)


def test_robots_that_ask_a_model_are_found_in_conditions_and_among_substitutes() -> None:
    assert list(model_users(with_robot("react"))) == [ModelUser(("cells", 0, "team"), "react")]
    assert list(model_users(with_robot("expert"))) == []
    fills = msgspec.structs.replace(with_robot("expert"), substitute="cohab")
    assert list(model_users(fills)) == [ModelUser(("substitute",), "cohab")]


@pytest.mark.parametrize(
    "ours",
    [
        "",
        "http://127.0.0.1:8100/v1",
        "http://[::1]:8100/v1",
        "http://localhost:8100/v1",
        "http://10.1.2.3/v1",
        "http://vllm:8000/v1",
        "http://gpu7.lab.internal/v1",
    ],
)
def test_a_server_of_ones_own_network_has_to_be_named_to_nobody(ours: str) -> None:
    assert untold_operator(with_robot("react"), ours) is None


def test_who_runs_a_server_elsewhere_is_named_before_people_come() -> None:
    untold = untold_operator(with_robot("react"), ELSEWHERE)
    assert untold is not None
    assert untold.where == ("models_run_by",)
    assert "ask the model server at api.models.example, outside this machine" in untold.text
    assert untold_operator(with_robot("expert"), ELSEWHERE) is None, "nothing is sent there"
    consent = Consent(version="2", text={"en": "Acme AI runs the robot's model."})
    told = with_robot("react", pages=(consent, Lobby(), Play()), models_run_by="Acme AI")
    assert untold_operator(told, ELSEWHERE) is None


def test_a_study_invites_nobody_once_its_models_are_asked_elsewhere() -> None:
    """The address may change after the study was opened, and people agreed to another."""
    study = with_robot("react")
    manifest = Manifest(
        study_name=study.name, version=1, frozen_at="2026-11-26", digests={}, study=study
    )
    run = StudyRunRow(study=study.name, version=1, mode="live")
    run.manifest = msgspec.to_builtins(manifest)
    with pytest.raises(CannotOpenError, match="invites nobody: its robots ask the model server"):
        check_may_go_on(run, Settings(model_url=ELSEWHERE))
