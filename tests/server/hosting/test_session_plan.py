"""The plan of a session: how the settings and a robot's paper say that its episodes end."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from episodes.rules import profile_named
from episodes.teams import Team
from matchmaking.matches import Assignment, Match
from matchmaking.study.conduct import Chat, Departures
from server.hosting.session_plan import provenance, session_spec
from server.hosting.task_series import Choice, TaskInfo
from server.sessions.spec import Ending, EpisodeSpec, SessionSpec
from server.settings import Settings, load_settings
from server.settings_error import SettingsError
from tests.matchmaking.study.made_studies import study


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


def test_sessions_with_people_have_names_that_people_use(tmp_path: Path) -> None:
    spec = session_spec(Settings(data_dir=tmp_path), _match("solo"), 7)
    assert spec.labels == "people"
    # Trials and recordings of before say nothing, and keep their numbers.
    assert SessionSpec.solo("ses_x", 1).labels == "numbers"
    assert b"naming" not in msgspec.json.encode(SessionSpec.solo("ses_x", 1))


def test_without_settings_a_robot_has_twenty_seconds(tmp_path: Path) -> None:
    spec = session_spec(Settings(data_dir=tmp_path), _match("solo"), 7)
    assert spec.ending == Ending(robot_wait_s=20.0)


def test_a_session_names_the_version_of_its_rules(tmp_path: Path) -> None:
    assert session_spec(Settings(data_dir=tmp_path), _match("solo"), 7).profile == "cohabit@2"


def test_the_rules_of_sessions_are_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COHABIT_RULES", "cohabit@1")
    assert session_spec(load_settings(), _match("solo"), 7).profile == "cohabit@1"
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


def test_S3_in_a_study_a_robot_replaces_a_person_where_the_study_says_so_and_nowhere_else(
    tmp_path: Path,
) -> None:
    settings = Settings(data_dir=tmp_path, when_gone="policy", stand_in="expert", idle_s=0)
    open_play = session_spec(settings, _match("pair"), 7)
    assert (open_play.when_gone, open_play.stand_in, open_play.idle_s) == ("policy", "expert", 0)
    spec = session_spec(settings, _match("pair"), 7, study())
    assert (spec.when_gone, spec.stand_in, spec.idle_s) == ("go_on", "", 90)
    rules = Departures(window_s=12, outcome="robot", idle_s=40, away_limit_s=50, is_paused=True)
    spec = session_spec(
        Settings(data_dir=tmp_path),
        _match("pair"),
        7,
        study(substitute="helper", departures=rules),
    )
    assert (spec.when_gone, spec.stand_in) == ("policy", "helper")
    assert (spec.reconnect_window_s, spec.idle_s, spec.away_limit_s) == (12, 40, 50)
    assert spec.pause_while_away
    ends = study(substitute="helper", departures=Departures(outcome="end"))
    spec = session_spec(settings, _match("pair"), 7, ends)
    assert (spec.when_gone, spec.stand_in) == ("end", "")


def test_the_chat_of_a_session_is_as_its_study_says(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert session_spec(settings, _match("pair"), 7, study()).chat is UNSET
    off = session_spec(settings, _match("pair"), 7, study(chat=Chat(is_on=False)))
    episode = EpisodeSpec("epi_1", "first.json.gz", "1")
    assert off.left_out_of(episode) == {"chat"}
    starred = session_spec(settings, _match("pair"), 7, study(chat=Chat(hidden_words=("damn",))))
    assert starred.hidden_words == ("damn",)
    assert starred.left_out_of(episode) == frozenset()


@pytest.mark.parametrize(
    ("team", "waits"),
    [("solo", (180, 180, True)), ("human=person,robot=expert", (180, 180, True)),
     ("pair", (30, 90, False))],
)  # fmt: skip
def test_only_who_keeps_no_other_person_waiting_is_waited_for_with_a_pause(
    team: str, waits: tuple[float, float, bool], tmp_path: Path
) -> None:
    spec = session_spec(Settings(data_dir=tmp_path), _match(team), 7)
    assert (spec.reconnect_window_s, spec.away_limit_s, spec.pause_while_away) == waits
    spec = session_spec(Settings(data_dir=tmp_path, alone_window_s=0), _match(team), 7)
    assert (spec.reconnect_window_s, spec.away_limit_s, spec.pause_while_away) == (30, 90, False)


def test_a_session_says_whether_a_policy_has_a_persons_place_from_the_start(
    tmp_path: Path,
) -> None:
    match = replace(_match("human=person,robot=helper"), is_substituted=True)
    assert session_spec(Settings(data_dir=tmp_path), match, 7, study()).is_substituted is True
    assert b"is_substituted" not in msgspec.json.encode(SessionSpec.pair("ses_x", 1))


def _match(team: str) -> Match:
    return Match("fifo", (Assignment("tic_1", "par_1", "human_0"),), Team.parse(team))
