"""Seats outlive sockets: who is waited for, for how long, and what happens then. In ticks."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.sessions.events import Presence
from server.sessions.intents import Drive, Intent, Ready, Say
from server.sessions.live import LiveSession
from server.sessions.loading import Loader, OpenError
from server.sessions.log import SessionLog
from server.sessions.messages import OpenSession
from server.sessions.occupants import Policies
from server.sessions.recovery import fold_last, rescore, verify
from server.sessions.spec import TICK_RATE, EpisodeSpec, SessionSpec
from server.sessions.unpaced import Player
from server.sessions.worker import policies as policies_of_workers
from server.settings import Settings
from server.wire.codecs import CODECS
from server.wire.messages import (
    ClientMessage,
    DriveInput,
    FinishInput,
    Frame,
    LimitEvent,
    PhaseEvent,
    Ping,
    ReadyInput,
    SayInput,
    Snapshot,
)
from tests.load.client_model import ClientModel
from tests.server.sessions.playing import HUMAN, ROBOT, core_of

LOADING_S = 20


class Table:
    """A session with two seats, whose sockets come and go as the test says."""

    def __init__(
        self, policies: Policies | None = None, time_limit_s: float | None = None, **spec: Any
    ) -> None:
        self.file = io.BytesIO()
        log = SessionLog(self.file)
        core = core_of(time_limit_s=time_limit_s, **spec)
        log.open_episode(core, 0.0)
        self.session = LiveSession(
            core, log, loading_ticks=LOADING_S * TICK_RATE, code_version="", policies=policies
        )
        self.models: dict[int, ClientModel] = {}
        self._last = 0

    def come(self, seat: str) -> int:
        """A new connection of a seat; what it is told is in ``models``."""
        self._last += 1
        self.models[self._last] = ClientModel()
        self.session.attach(self._last, seat, "msgpack")
        return self._last

    def leave(self, connection: int) -> None:
        self.session.detach(connection)
        del self.models[connection]

    def send(self, connection: int, message: ClientMessage) -> None:
        self.session.receive(connection, msgspec.msgpack.encode(message))

    def run(self, seconds: float, keep_alive: Iterable[int] = ()) -> None:
        for _ in range(round(seconds * TICK_RATE)):
            if self.session.core.tick % TICK_RATE == 0:
                for connection in keep_alive:
                    self.send(connection, Ping(1, 30, 0, False))
            for outgoing in self.session.step(self.session.core.tick / TICK_RATE):
                message = CODECS["msgpack"].decode_server(outgoing.payload)
                if isinstance(message, Snapshot | Frame):
                    for connection in outgoing.connections:
                        self.models[connection].apply(message)

    def start(self) -> tuple[int, int]:
        """Both come, load and begin."""
        human, robot = self.come(HUMAN), self.come(ROBOT)
        for connection in (human, robot):
            self.send(connection, ReadyInput())
        self.run(0.1)
        assert self.phase == "running"
        return human, robot

    @property
    def phase(self) -> str:
        return self.session.core.phase

    def presence(self, seat: str) -> Presence:
        return self.session.core.seats[seat].presence

    def data(self) -> bytes:
        self.session._log.flush(0.0)
        return self.file.getvalue()


class Chatter(Player):
    """A policy that says something once, and walks."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.seen = 0

    def intents(self, core: Any) -> list[Intent]:
        if core.phase == "gathering":
            return [Ready()]
        return [Say("I am here")] if self.seen == 0 else [Drive(0.5, 0.0)]

    def see(self, tick: Any) -> None:
        self.seen += 1


class Breaks(Chatter):
    def intents(self, core: Any) -> list[Intent]:
        raise RuntimeError("no model")


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
    """Somebody who comes at the last moment is given time to load, but once."""
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


def test_a_flap_is_told_to_nobody_but_stops_the_body() -> None:
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


def test_a_partner_is_waited_for_once_the_flap_is_over_and_then_not() -> None:
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


def test_who_drops_again_and_again_uses_up_the_window() -> None:
    table = Table(idle_s=0.0)
    _, robot = table.start()
    waited = []
    for _ in range(6):
        table.leave(robot)
        table.run(2.1)
        waited.append(table.session.core.seats[ROBOT].seconds_left)
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


# Policies


def stand_in(policies: Policies) -> Table:
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


def test_a_policy_starts_in_place_of_somebody_who_never_came() -> None:
    table = stand_in({"chatter": Chatter})
    human = table.come(HUMAN)
    table.send(human, ReadyInput())
    table.run(LOADING_S + 1, [human])
    assert table.phase == "running"
    assert table.session.core.seats[ROBOT].policy == "chatter"


@pytest.mark.parametrize("policies", [{}, {"chatter": Breaks}])
def test_a_policy_that_fails_costs_its_seat_and_nothing_else(policies: Policies) -> None:
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


# Hidden and idle


def test_a_hidden_page_is_away_after_a_while_and_back_at_once() -> None:
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


def test_nobody_is_idle_who_holds_a_key_or_moves_the_mouse() -> None:
    """The page reports that, although no message but a ping comes."""
    table = Table(idle_s=10.0, away_limit_s=5.0)
    human, robot = table.start()
    table.run(30, [human, robot])
    assert table.presence(ROBOT) == "connected"


def test_who_does_nothing_is_away_and_then_gone_until_the_first_sign_of_life() -> None:
    table = Table(idle_s=10.0, away_limit_s=5.0)
    human, robot = table.start()
    table.run(11, [human])
    assert table.presence(ROBOT) == "away"
    table.run(5, [human])
    assert table.presence(ROBOT) == "gone"
    table.send(robot, SayInput("sorry"))
    table.run(1, [human])
    assert table.presence(ROBOT) == "connected"


def test_waiting_for_a_partner_is_not_idling() -> None:
    table = Table(idle_s=5.0)
    human = table.come(HUMAN)
    table.send(human, ReadyInput())
    table.run(LOADING_S + 2)
    assert (table.phase, table.presence(HUMAN)) == ("running", "connected")


# Pauses


def test_a_pause_stops_bodies_and_the_clock() -> None:
    table = Table(pause_while_away=True, time_limit_s=20.0)
    human, robot = table.start()
    table.send(human, DriveInput(1, 800, 0, 0, 0))
    table.run(5, [human])
    table.leave(robot)
    table.run(2.2, [human])
    assert table.models[human].phase == "paused"
    table.send(human, DriveInput(1, 800, 0, 0, 0))
    table.send(human, FinishInput())
    here = table.models[human].agents[1]
    table.run(16, [human])
    assert table.models[human].agents[1] == here
    assert not table.session.core.seats[HUMAN].finished
    robot = table.come(ROBOT)
    table.run(0.1)
    assert table.phase == "running"
    [limit] = [e for e in table.models[human].events if isinstance(e, LimitEvent)]
    assert limit.time_limit_ticks == pytest.approx((20 + 16.1) * TICK_RATE, abs=10)
    assert table.models[human].started_tick == table.session.core.started_tick
    assert table.models[robot].known() == table.models[human].known()
    table.run(12, [human, robot])
    assert table.phase == "running"
    table.run(3, [human, robot])
    assert table.phase == "ended"
    result = table.session.take_result()
    assert result is not None
    assert result.reason == "time_limit"
    assert rescore(table.data()) == table.session.core.verdict()


def test_a_pause_lasts_no_longer_than_the_window() -> None:
    table = Table(pause_while_away=True)
    human, robot = table.start()
    table.leave(robot)
    table.run(31, [human])
    assert (table.phase, table.presence(ROBOT)) == ("running", "gone")
    phases = [e.phase for e in table.models[human].events if isinstance(e, PhaseEvent)]
    assert phases[-2:] == ["paused", "running"]


# Finishing


def test_one_person_cannot_hold_the_other() -> None:
    table = Table(time_limit_s=900.0)
    human, robot = table.start()
    table.send(human, FinishInput())
    table.run(1, [human, robot])
    [limit] = [e for e in table.models[robot].events if isinstance(e, LimitEvent)]
    assert limit.finishing
    table.run(118, [human, robot])
    assert table.phase == "running"
    table.run(2, [human, robot])
    assert table.phase == "ended"
    assert table.session.take_result().reason == "finished"  # type: ignore[union-attr]


def test_finishing_can_be_taken_back_and_the_time_is_as_before() -> None:
    table = Table(time_limit_s=900.0)
    human, robot = table.start()
    table.send(human, FinishInput())
    table.run(1, [human, robot])
    assert table.session.core.time_limit_ticks < 900 * TICK_RATE  # type: ignore[operator]
    table.send(human, FinishInput(False))
    table.run(1, [human, robot])
    assert table.session.core.time_limit_ticks == 900 * TICK_RATE
    table.run(130, [human, robot])
    assert table.phase == "running"
    late = table.come(ROBOT)
    table.run(0.1)
    assert table.session.view.snapshot().finishing is False
    assert table.models[late].known() == table.models[human].known()


def test_who_is_away_does_not_hold_up_the_end_for_long() -> None:
    table = Table(finish_wait_s=0.0, idle_s=10.0, away_limit_s=5.0)
    human, _ = table.start()
    table.send(human, FinishInput())
    table.run(14, [human])
    assert table.phase == "running"
    table.run(2, [human])
    assert table.phase == "ended"


# Whatever happens


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
    """Sockets come and go in any order: presence, occupant and limits fold back from the log; a
    seat with an active connection is never given up; a session without people ends."""
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


def test_the_stand_in_of_the_settings_plays_on_from_the_middle() -> None:
    """Somebody has walked off with nothing done: the stand-in takes up the task."""
    name = Settings.model_fields["stand_in"].default
    table = Table(policies=policies_of_workers(), when_gone="policy", stand_in=name)
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
    loader = Loader(
        tmp_path, {}, loading_timeout_s=1, code_version="", policies={"chatter": Chatter}
    )
    spec = msgspec.structs.replace(SessionSpec.pair("ses_1", 1), stand_in="nobody")
    message = OpenSession(spec, EpisodeSpec("epi_1", "d", "t"), str(tmp_path / "log"))
    with pytest.raises(OpenError, match=r"no policy 'nobody' here; there are: chatter"):
        loader.load(message)
