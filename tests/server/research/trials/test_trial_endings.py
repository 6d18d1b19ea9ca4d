"""The end of a trial's episodes: as policies say, on success as an option, or as in a paper."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from episodes.teams import Team
from server.recording.log_records import TickLine
from server.recording.recordings import read_recording
from server.research.trials.plan import Run, Trial, TrialError, check, pair_of
from server.research.trials.runs import Place, play
from server.research.trials.trial_folder import SPEC, begun_in, refuse_another
from server.robots.registry.team_checks import paper_ending, with_scripted_people
from server.sessions.events import FinishChanged, PhaseChanged
from server.sessions.spec import TICK_RATE, Ending, SessionSpec

TRIAL = Trial(
    robots=("expert",),
    partners=("scripted:passive",),
    dataset="tasks/first.json.gz",
    tasks=("2",),
    latency_s=0.0,
)
BEGUN_EARLIER = msgspec.structs.replace(TRIAL, end_on_success=True)
ON_SUCCESS = msgspec.structs.replace(TRIAL, ending=Ending(on_success=True))


@pytest.mark.parametrize(
    ("trial", "reason"),
    [(TRIAL, "finished"), (ON_SUCCESS, "success"), (BEGUN_EARLIER, "success")],
)
def test_success_ends_a_run_only_as_an_option(
    trial: Trial, reason: str, houses_dir: Path, tmp_path: Path
) -> None:
    place, run = Place(houses_dir, tmp_path), Run(pair_of("expert", "scripted:passive"), "2", 0)
    assert play(place, trial, run).success
    (recording,) = read_recording(place.recording(run))
    assert recording.result is not None
    assert recording.result.reason == reason


def test_a_robot_that_lags_is_waited_for_as_in_live_play(houses_dir: Path, tmp_path: Path) -> None:
    """Random moves never finish: the episode ends 20 s after its scripted person has."""
    place, run = Place(houses_dir, tmp_path), Run(pair_of("random", "scripted:slow"), "2", 0)
    play(place, TRIAL, run)
    (recording,) = read_recording(place.recording(run))
    ended = PhaseChanged("ended", "finished")
    found = {
        event: line.tick
        for line in recording.decoded()
        if isinstance(line, TickLine)
        for event in line.events
        if event in (FinishChanged("human_0", True), ended)
    }
    assert found[ended] - found[FinishChanged("human_0", True)] == 20 * TICK_RATE


def test_models_in_the_human_body_are_no_people() -> None:
    spec = SessionSpec.of("ses_1", Team.parse("human=react,human=scripted,robot=scripted"), 1)
    assert [s.stands_for_person for s in with_scripted_people(spec).seats] == [UNSET, UNSET, True]


def test_a_trial_that_was_begun_earlier_writes_what_it_wrote() -> None:
    team = pair_of("react:partnr-decentralised", "scripted")
    assert BEGUN_EARLIER.how_it_ends(team) == {"end_on_success": True}
    assert b"ending" not in msgspec.json.encode(BEGUN_EARLIER)


@pytest.mark.parametrize(
    "name",
    ["react:partnr-decentralised", "finetuned:partnr", "llamar:paper", "helper:helperx-p"],
)
def test_what_is_named_after_a_paper_ends_as_the_papers_episodes_do(name: str) -> None:
    team = pair_of(name, "scripted")
    ending = paper_ending(team)
    assert ending is not None
    assert (ending.on_success, ending.robot_wait_s) == (False, None)
    assert TRIAL.how_it_ends(team) == {"ending": ending}
    robots = msgspec.structs.replace(ON_SUCCESS, robots=(name,))
    with pytest.raises(TrialError, match="ends as its paper's episodes do, not on success"):
        check(robots, ["2"])


def test_a_trial_that_was_begun_earlier_goes_on_by_its_rules(tmp_path: Path) -> None:
    (tmp_path / SPEC).write_bytes(msgspec.json.encode(BEGUN_EARLIER))
    assert begun_in(tmp_path, "") == BEGUN_EARLIER
    refuse_another(tmp_path, BEGUN_EARLIER)
    refuse_another(tmp_path, msgspec.structs.replace(BEGUN_EARLIER, profile="cohabit@1"))
    other = msgspec.structs.replace(BEGUN_EARLIER, profile="partnr@2")
    with pytest.raises(TrialError, match="holds another trial"):
        refuse_another(tmp_path, other)


def test_ours_end_as_the_trial_says() -> None:
    team = Team.parse("human=scripted,robot=expert,robot=cohab")
    assert paper_ending(team) is None
    assert ON_SUCCESS.how_it_ends(team) == {"ending": Ending(on_success=True)}
