"""Policies in the seats of people who are not there. In ticks."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from episodes.evaluation import unavailable
from server.ipc.messages import OpenSession
from server.recording.log_checksums import verify
from server.recording.replay import fold_last
from server.sessions.results import EpisodeResult, episode_result
from server.sessions.spec import TICK_RATE, Ending, EpisodeSpec, SessionSpec
from server.settings import Settings
from server.wire.messages import (
    DriveInput,
    FinishInput,
    ReadyInput,
)
from server.worker.policy_seats import PolicyBuilder
from server.worker.session_loader import OpenError, SessionLoader
from server.worker.simulator_backends import policies as policies_of_workers
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT
from tests.server.worker.live_table import LOADING_S, Breaks, Chatter, Table


def stand_in(policies: PolicyBuilder) -> Table:
    return Table(policies=policies, when_gone="policy", stand_in="chatter")


def test_a_policy_takes_the_seat_and_hands_it_back() -> None:
    table = stand_in({"chatter": Chatter})
    human, robot = table.start()
    table.leave(robot)
    table.run(30.2, [human])
    seated = table.session.core.seats[ROBOT]
    assert (seated.policy, seated.stands_in, seated.presence) == ("chatter", True, "connected")
    assert [line.text for line in table.models[human].chat] == ["I am here"]
    here = table.models[human].agents[0]
    table.run(1, [human])
    assert table.models[human].agents[0] != here

    robot = table.come(ROBOT)
    table.run(0.2)
    assert (seated.policy, seated.stands_in) == ("", False)
    here = table.models[human].agents[0]
    table.run(1, [human, robot])
    assert table.models[human].agents[0] == here
    # What was said and done stays; nobody was told that somebody else sat there.
    assert [line.text for line in table.models[robot].chat] == ["I am here"]
    assert not any("chatter" in repr(event) for event in table.models[human].events)


def test_S3_an_episode_says_that_a_policy_had_a_persons_place_also_once_they_are_back() -> None:
    table = stand_in({"chatter": Chatter})
    human, robot = table.start()
    table.leave(robot)
    table.run(10, [human])
    assert not _result(table).is_substituted
    table.run(25, [human])
    assert _result(table).is_substituted
    table.come(ROBOT)
    table.run(0.2, [human])
    assert _result(table).is_substituted
    verified = verify(table.data())
    folded = fold_last(verified.data, verified.tick)[0].state.seats[ROBOT]
    assert not folded.stands_in
    assert folded.stand_in_tick is not UNSET


def test_nobody_takes_the_seat_of_whoever_has_finished() -> None:
    table = stand_in({"chatter": Chatter})
    human, robot = table.start()
    table.send(robot, FinishInput())
    table.run(1, [human, robot])
    table.leave(robot)
    table.run(35, [human])
    seated = table.session.core.seats[ROBOT]
    assert (seated.policy, seated.presence, seated.finished) == ("", "gone", True)
    assert not _result(table).is_substituted


def test_S3_an_episode_that_ends_for_a_departure_says_whose_it_was_and_how_long_ago() -> None:
    table = Table(when_gone="end", reconnect_window_s=20, ending=Ending())
    human, robot = table.start()
    table.run(1, [human, robot])
    table.leave(robot)
    table.run(20.5, [human])
    assert (table.phase, _result(table).reason) == ("ended", "left")
    assert _result(table).gone in ({ROBOT: 0}, {ROBOT: 1})
    both = Table(when_gone="go_on", reconnect_window_s=5, ending=Ending())
    human, robot = both.start()
    both.leave(robot)
    both.run(10, [human])
    both.leave(human)
    both.run(6)
    assert (both.phase, _result(both).reason) == ("ended", "left")
    assert _result(both).gone[ROBOT] > _result(both).gone[HUMAN] + 9 * TICK_RATE
    assert not _result(both).is_substituted


def _result(table: Table) -> EpisodeResult:
    core = table.session.core
    return episode_result(
        core.spec, core.episode_spec, unavailable("", "documented"), core.state, task_text=""
    )


def test_a_policy_starts_in_place_of_somebody_who_never_came() -> None:
    table = stand_in({"chatter": Chatter})
    human = table.come(HUMAN)
    table.send(human, ReadyInput())
    table.run(LOADING_S + 1, [human])
    assert table.phase == "running"
    assert table.session.core.seats[ROBOT].policy == "chatter"


@pytest.mark.parametrize("policies", [{}, {"chatter": Breaks}])
def test_a_policy_that_fails_costs_its_seat_and_nothing_else(policies: PolicyBuilder) -> None:
    table = stand_in(policies)
    human, robot = table.start()
    table.leave(robot)
    table.run(31, [human])
    assert (table.presence(ROBOT), table.phase) == ("gone", "running")
    table.come(ROBOT)
    table.run(0.2)
    assert table.session.core.seats[ROBOT].policy == ""
    assert table.presence(ROBOT) == "connected"


def test_policies_do_not_play_on_alone() -> None:
    table = stand_in({"chatter": Chatter})
    human, robot = table.start()
    table.leave(robot)
    table.run(31, [human])
    table.leave(human)
    table.run(31)
    assert table.phase == "ended"


def test_a_resumed_session_knows_who_stood_in() -> None:
    table = stand_in({"chatter": Chatter})
    human, robot = table.start()
    table.leave(robot)
    table.run(31, [human])
    verified = verify(table.data())
    state = fold_last(verified.data, verified.tick)[0].state
    assert state.seats == dict(table.session.core.seats)


def test_the_stand_in_of_the_settings_plays_on_from_the_middle() -> None:
    """A person has walked off with nothing done: the stand-in takes up the task."""
    name = Settings.model_fields["stand_in"].default
    table = Table(policies=policies_of_workers(AsyncExitStack()), when_gone="policy", stand_in=name)
    human, robot = table.start()
    table.send(robot, DriveInput(1, 800, 0, 900, 0))
    table.run(1, [human, robot])
    table.leave(robot)
    table.run(31, [human])
    assert table.session.core.seats[ROBOT].policy == name
    before = table.models[human].agents[0]
    table.run(20, [human])
    assert table.presence(ROBOT) == "connected"
    assert table.models[human].agents[0] != before


def test_a_session_whose_policy_is_not_there_is_not_opened(tmp_path: Path) -> None:
    loader = SessionLoader(
        tmp_path, {}, loading_timeout_s=1, code_version="", policies={"chatter": Chatter}
    )
    spec = msgspec.structs.replace(SessionSpec.pair("ses_1", 1), stand_in="nobody")
    message = OpenSession(spec, EpisodeSpec("epi_1", "d", "t"), str(tmp_path / "log"))
    with pytest.raises(OpenError, match=r"no policy 'nobody' here; there are: chatter"):
        loader.load(message)
