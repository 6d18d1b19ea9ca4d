"""Aims of robots, as pages are told them: what, with what, where to and why."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import msgspec
import pytest

from server.recording.log_writer import LogWriter
from server.recording.recordings import read_recording
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.aim import Aim
from server.sessions.core import SessionCore
from server.sessions.spec import SessionSpec
from server.wire.codecs import CODECS
from server.wire.messages import AimEvent, Frame, ReadyInput, Snapshot
from server.worker.live_session import LiveSession
from server.worker.policy_seats import shown_aim
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, episode_spec, simulator, task


class Watched:
    """A session of a person beside a robot; what the person's page is told is kept."""

    def __init__(self, robot: str, **spec: Any) -> None:
        pair = SessionSpec.pair("ses_1", 1)
        seats = tuple(
            msgspec.structs.replace(s, policy=robot) if s.seat.seat_id == ROBOT else s
            for s in pair.seats
        )
        made = msgspec.structs.replace(pair, seats=seats, naming="people", **spec)
        self.core = SessionCore(made, episode_spec(task(2)), task(2), simulator())
        self.log = io.BytesIO()
        self.writer = writer = LogWriter(self.log)
        writer.open_episode(self.core, 0.0)
        options = PlayerOptions(ChargedThinker(asyncio.new_event_loop()))
        policies = {robot: lambda seat, company: make_player(robot, seat, options)}
        self.session = LiveSession(
            self.core, writer, loading_ticks=300, code_version="1", policies=policies
        )
        self.told: dict[int, list[AimEvent]] = {}
        self.snapshots: dict[int, Snapshot] = {}
        self.join(1)
        self.session.receive(1, msgspec.msgpack.encode(ReadyInput()))

    def join(self, connection: int) -> None:
        self.told[connection] = []
        self.session.attach(connection, HUMAN, "msgpack")

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 30)):
            for out in self.session.step(self.core.tick / 30):
                message = CODECS["msgpack"].decode_server(out.payload)
                for connection in out.connections:
                    if isinstance(message, Snapshot):
                        self.snapshots[connection] = message
                    elif isinstance(message, Frame):
                        self.told[connection] += [
                            e for e in message.events if isinstance(e, AimEvent)
                        ]


@pytest.mark.parametrize("robot", ["expert:partner", "expert"])
def test_a_page_is_told_what_a_robot_is_about_to_do(robot: str) -> None:
    game = Watched(robot, tells_aims=True)
    game.run(20)
    carrying = next(aim for aim in game.told[1] if aim.verb == "place")
    assert carrying.text.startswith("taking the ")
    assert "dining table" in carrying.text
    assert carrying.why == "it belongs there"
    assert carrying.place >= 0
    taking = next(aim for aim in game.told[1] if aim.verb == "pick")
    assert taking.place >= 0


def test_what_is_shut_in_is_shown_where_it_is_shut_in() -> None:
    game = Watched("expert", tells_aims=True)
    game.run(30)
    (cup,) = (h for h in game.core.world.objects if h.startswith("cup"))
    text = "going to fetch the cup for the dining table"
    aim = next(aim for aim in game.told[1] if aim.verb == "pick" and aim.text == text)
    # It lies behind the door of a counter.
    counter = game.snapshots[1].entities[aim.place]
    assert game.snapshots[1].templates[counter.template].class_name == "counter"
    assert aim.target == -1
    assert game.core.world.objects[cup] is not None


def test_who_comes_later_is_told_the_present_aim() -> None:
    game = Watched("expert:partner", tells_aims=True)
    game.run(6)
    game.join(2)
    game.run(0.1)
    assert game.told[2]
    assert game.told[2][0].text == game.told[1][-1].text


@pytest.mark.parametrize(
    "spec", [{}, {"tells_aims": False}, {"tells_aims": True, "tells_doing": False}]
)
def test_nothing_is_shown_where_the_session_hides_it(spec: dict[str, bool]) -> None:
    game = Watched("expert:partner", **spec)
    game.run(10)
    assert game.told[1] == []
    assert b'"aim"' not in game.log.getvalue()


def test_a_log_with_aims_is_read(tmp_path: Any) -> None:
    game = Watched("expert:partner", tells_aims=True)
    game.run(8)
    game.writer.flush(9.0)
    file = tmp_path / "ses_1.jsonl"
    file.write_bytes(game.log.getvalue())
    (recording,) = read_recording(file)
    assert b'"aim"' in file.read_bytes()
    assert list(recording.decoded())


def test_a_player_that_thinks_shows_that_and_no_place() -> None:
    player = make_player("expert", ROBOT, PlayerOptions(ChargedThinker(asyncio.new_event_loop())))
    assert shown_aim(player) is None
    player.status = "thinking"
    assert shown_aim(player) == Aim("think", "thinking")
    player.aim = Aim("go", "walking to the kitchen", "", "kitchen.001")
    assert shown_aim(player) == Aim("think", "thinking")
    player.status = "walking to the kitchen"
    assert shown_aim(player) == player.aim
