"""The plan of a session: how the settings and a robot's paper say that its episodes end."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from episodes.rules import profile_named
from episodes.teams import Team
from matchmaking.matchmakers import Assignment, Match
from server.hosting.session_plan import provenance, session_spec
from server.hosting.task_series import Choice, TaskInfo
from server.sessions.spec import Ending, SessionSpec
from server.settings import Settings, SettingsError, load_settings


@pytest.mark.parametrize(
    ("robot", "ending"),
    [
        ("expert", Ending(on_success=True, robot_wait_s=5.0)),
        ("llamar:paper", Ending(on_success=False, robot_wait_s=None)),
    ],
)
def test_a_session_ends_as_set_or_as_in_the_paper_of_its_robot(
    robot: str, ending: Ending, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, robot_wait_s=5.0, ends_on_success=True)
    assert session_spec(settings, _match(f"human=person,robot={robot}"), 7).ending == ending


def test_without_settings_a_robot_has_twenty_seconds(tmp_path: Path) -> None:
    spec = session_spec(Settings(data_dir=tmp_path), _match("solo"), 7)
    assert spec.ending == Ending(robot_wait_s=20.0)


def test_a_session_names_the_version_of_its_rules(tmp_path: Path) -> None:
    assert session_spec(Settings(data_dir=tmp_path), _match("solo"), 7).profile == "cohabit@1"


def test_bodies_block_in_sessions_where_it_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COHABIT_RULES", "cohabit@2")
    assert session_spec(load_settings(), _match("solo"), 7).profile == "cohabit@2"
    monkeypatch.setenv("COHABIT_RULES", "cohabit@9")
    with pytest.raises(SettingsError, match="COHABIT_RULES: no rule profile 'cohabit@9'; there"):
        load_settings()


@pytest.mark.parametrize("profile", ["cohabit", "cohabit@1"])
def test_a_session_of_before_goes_on_by_the_rules_of_before(profile: str) -> None:
    """A row that names no version is of a release that had but one."""
    spec = msgspec.structs.replace(SessionSpec.pair("ses_1", 7), profile=profile)
    task = TaskInfo("1", "Tidy up.", "house_001", 1)
    origin = provenance("1.0", spec, Choice(task, 0))
    assert origin.profile_digest == profile_named("cohabit@1").digest


def _match(team: str) -> Match:
    return Match("fifo", (Assignment("tic_1", "par_1", "human_0"),), Team.parse(team))
