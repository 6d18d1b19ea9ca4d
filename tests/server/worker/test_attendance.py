"""The attendance of seats, which outlive sockets: who is waited for, how long, what follows."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.recording.log_checksums import verify
from server.recording.replay import fold_last, rescore
from server.sessions.spec import TICK_RATE
from server.wire.messages import (
    DriveInput,
    FinishInput,
    Ping,
    ReadyInput,
    SayInput,
)
from server.worker.attendance import Attendance
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT
from tests.server.worker.live_table import LOADING_S, Chatter, Table

# Coming and loading


def test_who_does_not_come_is_given_up_and_may_still_join() -> None:
    table = Table()
    human = table.come(HUMAN)
    table.send(human, ReadyInput())
    table.run(LOADING_S - 1)
    assert table.phase == "gathering"
    table.run(1.1)
    assert (table.presence(ROBOT), table.phase) == ("gone", "running")
    robot = table.come(ROBOT)
    table.run(0.1)
    assert table.presence(ROBOT) == "connected"
    table.run(1, [human, robot])
    assert table.models[human].known() == table.models[robot].known()


def test_loading_has_its_own_time_for_everybody() -> None:
    """Give somebody who comes at the last moment time to load, but once."""
    table = Table()
    human = table.come(HUMAN)
    table.send(human, ReadyInput())
    table.run(LOADING_S - 1)
    robot = table.come(ROBOT)
    table.run(LOADING_S - 1)
    assert (table.presence(ROBOT), table.phase) == ("loading", "gathering")
    table.leave(robot)
    table.come(ROBOT)
    table.run(1.5)
    assert (table.presence(ROBOT), table.phase) == ("gone", "running")


# Losing the connection


def test_S6_a_flap_is_told_to_nobody_but_stops_the_body() -> None:
    table = Table()
    human, robot = table.start()
    table.send(robot, DriveInput(1, 800, 0, 0, 0))
    table.run(0.2)
    table.leave(robot)
    table.run(0.1)
    here = table.models[human].agents[0]
    heard = list(table.models[human].seats.values())
    table.run(1.5)
    assert table.models[human].agents[0] == here
    robot = table.come(ROBOT)
    table.run(1)
    assert list(table.models[human].seats.values()) == heard
    assert table.presence(ROBOT) == "connected"
    assert table.models[human].known() == table.models[robot].known()


def test_S2_a_partner_is_waited_for_once_the_flap_is_over_and_then_not() -> None:
    table = Table()
    human, robot = table.start()
    table.leave(robot)
    table.run(2.1, [human])
    presence, _, left = table.models[human].seats[0]
    assert (presence, left) == ("reconnecting", 28)
    table.run(27.5, [human])
    assert table.presence(ROBOT) == "reconnecting"
    table.run(1, [human])
    assert table.presence(ROBOT) == "gone"
    assert table.phase == "running"
    table.come(ROBOT)
    table.run(0.1)
    assert table.presence(ROBOT) == "connected"


def test_after_a_fault_of_ours_nobody_is_given_up_before_the_server_can_answer() -> None:
    table = Table(reconnect_window_s=6.0)
    table.start()
    core = table.session.core
    table.session._attendance = Attendance(core, LOADING_S * TICK_RATE, resumed=True)
    table.run(29.5)
    assert (table.presence(ROBOT), table.presence(HUMAN)) == ("reconnecting", "reconnecting")
    human = table.come(HUMAN)
    table.run(1, [human])
    assert (table.presence(ROBOT), table.presence(HUMAN)) == ("gone", "connected")
    # From now on the window is what the study says.
    table.leave(human)
    table.run(6.5)
    assert table.presence(HUMAN) == "gone"


@pytest.mark.parametrize("pauses", [False, True])
def test_S1_who_comes_back_in_time_stays_and_the_clock_does_what_the_study_says(
    pauses: bool,
) -> None:
    table = Table(pause_while_away=pauses, time_limit_s=60.0)
    human, robot = table.start()
    table.leave(robot)
    table.run(28, [human])
    assert table.phase == ("paused" if pauses else "running")
    robot = table.come(ROBOT)
    table.run(0.1)
    assert (table.phase, table.presence(ROBOT)) == ("running", "connected")
    assert table.models[robot].known() == table.models[human].known()
    # Nobody gives up a seat whose window would be over now.
    table.run(10, [human, robot])
    assert table.presence(ROBOT) == "connected"
    table.run(23, [human, robot])
    assert table.phase == ("running" if pauses else "ended")


def test_who_comes_meanwhile_is_told_what_is_left_of_the_wait_for_another() -> None:
    table = Table(idle_s=0.0)
    human, robot = table.start()
    table.leave(robot)
    table.run(2.1, [human])
    assert table.models[human].seats[0][2] == 28
    table.leave(human)
    table.run(10)
    human = table.come(HUMAN)
    table.run(0.1)
    presence, _, left = table.models[human].seats[0]
    assert (presence, left) == ("reconnecting", 18)


def test_who_drops_again_and_again_uses_up_the_window() -> None:
    table = Table(idle_s=0.0)
    _, robot = table.start()
    waited: list[float] = []
    for _ in range(6):
        table.leave(robot)
        table.run(2.1)
        seconds_left = table.session.core.seats[ROBOT].seconds_left
        assert seconds_left is not None
        waited.append(seconds_left)
        table.run(8)
        if table.presence(ROBOT) == "gone":
            break
        robot = table.come(ROBOT)
        table.run(1)
    assert table.presence(ROBOT) == "gone"
    assert waited == sorted(waited, reverse=True)
    # After a while of good connection the window is whole again.
    robot = table.come(ROBOT)
    table.run(60)
    table.leave(robot)
    table.run(2.1)
    assert table.session.core.seats[ROBOT].seconds_left == pytest.approx(28, abs=0.1)


def test_everybody_gone_is_the_end() -> None:
    table = Table()
    human, robot = table.start()
    table.leave(human)
    table.leave(robot)
    table.run(31)
    assert table.phase == "ended"
    assert table.session.take_result().reason == "left"  # type: ignore[union-attr]


def test_the_end_is_one_of_the_outcomes() -> None:
    table = Table(when_gone="end")
    human, robot = table.start()
    table.leave(robot)
    table.run(29, [human])
    assert table.phase == "running"
    table.run(1.5, [human])
    assert table.phase == "ended"
    assert table.session.take_result().reason == "left"  # type: ignore[union-attr]


# Hidden and idle


def test_S8_a_hidden_page_is_away_after_a_while_and_back_at_once() -> None:
    table = Table()
    human, robot = table.start()
    table.send(robot, Ping(1, 30, 0, True))
    table.run(4, [human])
    assert table.presence(ROBOT) == "connected"
    table.run(2, [human])
    assert table.models[human].seats[0] == ("away", False, 90)
    table.send(robot, Ping(2, 30, 0, False))
    table.run(1, [human, robot])
    assert table.presence(ROBOT) == "connected"


def test_S8_a_page_that_stays_hidden_counts_as_gone_and_the_time_is_recorded() -> None:
    table = Table(away_limit_s=30.0)
    human, robot = table.start()
    table.send(robot, Ping(1, 30, 0, True))
    table.run(34, [human])
    assert table.presence(ROBOT) == "away"
    table.run(2, [human])
    assert table.presence(ROBOT) == "gone"
    told = [line for line in table.data().splitlines() if b'"presence"' in line]
    assert b'"away"' in told[-2]
    assert b'"gone"' in told[-1]


def test_nobody_is_idle_who_holds_a_key_or_moves_the_mouse() -> None:
    """The page reports that, although no message but a ping comes."""
    table = Table(idle_s=10.0, away_limit_s=5.0)
    human, robot = table.start()
    table.run(30, [human, robot])
    assert table.presence(ROBOT) == "connected"


def test_S7_who_does_nothing_is_away_and_then_gone_until_the_first_sign_of_life() -> None:
    table = Table(idle_s=10.0, away_limit_s=5.0)
    human, robot = table.start()
    table.run(11, [human])
    assert table.presence(ROBOT) == "away"
    table.run(5, [human])
    assert table.presence(ROBOT) == "gone"
    table.send(robot, SayInput("sorry"))
    table.run(1, [human])
    assert table.presence(ROBOT) == "connected"


@pytest.mark.parametrize("pings", [True, False], ids=["ping first", "at once"])
def test_S7_what_somebody_asks_for_who_was_away_counts_in_the_very_tick_they_are_back(
    pings: bool,
) -> None:
    table = Table(idle_s=10.0, away_limit_s=60.0, pause_while_away=True)
    human, robot = table.start()
    table.run(12.1, [human])
    assert (table.presence(ROBOT), table.phase) == ("away", "paused")
    if pings:
        table.send(robot, Ping(9, 30, 0, False))
    table.send(robot, FinishInput(True))
    table.run(1 / TICK_RATE)
    assert (table.presence(ROBOT), table.phase) == ("connected", "running")
    assert table.session.core.seats[ROBOT].finished


def test_who_is_heard_in_the_tick_in_which_their_time_is_over_keeps_the_body() -> None:
    table = Table(
        policies={"chatter": Chatter},
        when_gone="policy",
        stand_in="chatter",
        idle_s=5.0,
        away_limit_s=3.0,
    )
    human, robot = table.come(HUMAN), table.come(ROBOT)
    for connection in (human, robot):
        table.send(connection, ReadyInput())
    table.run(8, [human])
    table.send(robot, SayInput("here"))
    table.run(1, [human])
    assert not table.session.core.seats[ROBOT].deserted


def test_waiting_for_a_partner_is_not_idling() -> None:
    table = Table(idle_s=5.0)
    human = table.come(HUMAN)
    table.send(human, ReadyInput())
    table.run(LOADING_S + 2)
    assert (table.phase, table.presence(HUMAN)) == ("running", "connected")


# Whatever happens


def test_who_comes_back_and_leaves_within_a_tick_is_waited_for_no_longer_than_others() -> None:
    table = Table(reconnect_window_s=6.0)
    human = table.come(HUMAN)
    table.leave(human)
    table.run(7)
    assert table.presence(HUMAN) == "gone"
    human = table.come(HUMAN)
    table.send(human, ReadyInput())
    table.leave(human)
    table.run(40)
    assert (table.presence(HUMAN), table.phase) == ("gone", "ended")


steps = st.lists(
    st.tuples(
        st.sampled_from(["come", "leave", "hide", "act", "finish", "rest", "long rest"]),
        st.sampled_from([HUMAN, ROBOT]),
    ),
    max_size=25,
)


@given(
    steps,
    st.sampled_from(["go_on", "policy", "end"]),
    st.booleans(),
)
def test_a_seat_is_gone_only_in_vain_and_a_log_tells_it_all(
    made: list[tuple[str, str]], when_gone: str, pauses: bool
) -> None:
    """Let sockets come and go in any order.

    Presence, occupant and limits fold back from the log; a seat with an active connection is never
    given up; a session without people ends.
    """
    table = Table(
        policies={"chatter": Chatter},
        when_gone=when_gone,
        stand_in="chatter",
        pause_while_away=pauses,
        reconnect_window_s=6.0,
        idle_s=5.0,
        away_limit_s=3.0,
        time_limit_s=60.0,
    )
    there: dict[str, list[int]] = {HUMAN: [], ROBOT: []}
    for what, seat in made:
        mine = there[seat]
        if what == "come":
            mine.append(table.come(seat))
            table.send(mine[-1], ReadyInput())
        elif what == "leave" and mine:
            table.leave(mine.pop(0))
        elif what == "hide" and mine:
            table.send(mine[-1], Ping(1, 1, 0, True))
        elif what == "act" and mine:
            table.send(mine[-1], SayInput("x"))
            if table.phase != "ended":
                table.run(1)
                if table.phase != "ended":
                    assert not table.session.core.seats[seat].deserted
        elif what == "finish" and mine:
            table.send(mine[-1], FinishInput())
        elif what == "rest":
            table.run(1)
        elif what == "long rest":
            table.run(7)
    for connections in there.values():
        while connections:
            table.leave(connections.pop())
    table.run(40)
    assert table.phase == "ended"
    verified = verify(table.data())
    state = fold_last(verified.data, verified.tick)[0].state
    core = table.session.core
    assert state.seats == dict(core.seats)
    assert (state.phase, state.limit, state.full_limit) == (
        core.phase,
        core.state.limit,
        core.state.full_limit,
    )
    assert rescore(table.data()) == core.verdict()


# Leaving for good


@pytest.mark.parametrize("when_gone", ["go_on", "policy", "end"])
def test_who_has_left_for_good_is_not_waited_for_and_ends_nothing(when_gone: str) -> None:
    table = Table(when_gone=when_gone, stand_in="expert" if when_gone == "policy" else "")
    human, robot = table.start()
    table.send(human, FinishInput())
    table.send(robot, FinishInput())
    table.run(0.1)
    assert table.phase == "ended"
    table.session.vacate(ROBOT)
    episode = msgspec.structs.replace(table.session.core.episode_spec, episode_id="epi_2")
    table.session.begin(episode, table.session.core.task, 0.0)
    table.run(0.1, [human])
    assert table.presence(ROBOT) == "gone"
    table.send(human, ReadyInput())
    table.run(0.2, [human])
    assert table.phase == "running"
    assert not table.session.core.seats[ROBOT].stands_in
    table.run(3, [human])
    assert table.phase == "running"


@pytest.mark.parametrize("when_gone", ["go_on", "policy", "end"])
def test_who_leaves_in_a_task_is_gone_at_once(when_gone: str) -> None:
    table = Table(when_gone=when_gone, stand_in="expert" if when_gone == "policy" else "")
    human, robot = table.start()
    table.send(human, FinishInput())
    table.run(0.1)
    table.session.vacate(ROBOT)
    table.leave(robot)
    table.run(0.1, [human])
    if when_gone == "policy":
        assert table.session.core.seats[ROBOT].stands_in
        return
    assert table.presence(ROBOT) == "gone"
    assert table.models[human].seats[0][0] == "gone"
    # Whoever had finished waits for nobody.
    assert table.phase == "ended"


@pytest.mark.parametrize("when_gone", ["go_on", "policy", "end"])
def test_who_leaves_while_a_task_loads_is_gone_at_once(when_gone: str) -> None:
    table = Table(when_gone=when_gone, stand_in="expert" if when_gone == "policy" else "")
    human, robot = table.start()
    table.send(human, FinishInput())
    table.send(robot, FinishInput())
    table.run(0.1)
    episode = msgspec.structs.replace(table.session.core.episode_spec, episode_id="epi_2")
    table.session.begin(episode, table.session.core.task, 0.0)
    table.run(0.1, [human])
    assert table.phase == "gathering"
    table.session.vacate(ROBOT)
    table.run(0.1, [human])
    assert table.session.core.seats[ROBOT].stands_in == (when_gone == "policy")
    assert (table.phase == "ended") == (when_gone == "end")
