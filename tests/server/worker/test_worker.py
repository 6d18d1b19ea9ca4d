"""A worker: one session that breaks harms no other; logs are whole; what was done is not lost."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from episodes.world import AgentPose
from server.ipc.channel import ChannelError, WebChannel, web_side, worker_side
from server.ipc.messages import (
    Attach,
    CloseSession,
    Drain,
    Ended,
    FromClient,
    FromWorker,
    Hi,
    NextEpisode,
    Opened,
    OpenFailed,
    OpenSession,
    SessionEnded,
    ToClients,
    WorkerStats,
)
from server.recording.log_checksums import verify
from server.recording.replay import fold_last
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.simulators.contract import SimulatorError
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.wire.codecs import CODECS
from server.wire.messages import (
    ActInput,
    ClientMessage,
    DriveInput,
    PlaceInput,
    ReadyInput,
    SayInput,
    Snapshot,
)
from server.worker.main import Worker
from server.worker.session_loader import SessionLoader
from server.worker.simulator_backends import household
from tests.load.client_model import ClientModel
from tests.load.near_task import NEAR, Reach
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.processes

DATASET = "tasks/first.json.gz"


class Brittle(HouseholdSimulator):
    """A simulator that breaks when a body walks backwards."""

    def drive(self, seat: str, forward: float, *rest: float) -> AgentPose:
        if forward < 0:
            raise SimulatorError("the floor gave way")
        return super().drive(seat, forward, *rest)


def loader(data_dir: Path) -> SessionLoader:
    library = HouseLibrary(data_dir)
    simulators: dict[str, Any] = {
        "household": household(data_dir),
        "brittle": lambda: Brittle(library),
    }
    return SessionLoader(data_dir, simulators, loading_timeout_s=60, code_version="test")


class Web:
    """The web process's end of a worker that runs in this event loop."""

    def __init__(self, channel: WebChannel, folder: Path) -> None:
        self.channel = channel
        self.folder = folder
        self.heard: list[FromWorker] = []
        self.models: dict[int, ClientModel] = {}
        self._changed = asyncio.Event()

    async def listen(self) -> None:
        while True:
            try:
                messages = await self.channel.receive()
            except ChannelError:
                return
            for message in messages:
                self._take(message)
            self._changed.set()

    def _take(self, message: FromWorker) -> None:
        self.heard.append(message)
        if isinstance(message, ToClients):
            said = CODECS["msgpack"].decode_server(message.payload)
            for connection in message.connections:
                if said.__class__.__name__ in ("Snapshot", "Frame"):
                    model = self.models.setdefault(connection, ClientModel())
                    model.apply(said)  # type: ignore[arg-type]

    async def wait_for(self, kind: type[Any], count: int = 1) -> Any:
        return (await self.until(lambda: self.of(kind)[count - 1 :]))[0]

    async def until(self, condition: Any) -> Any:
        async with asyncio.timeout(PATIENCE_S):
            while not (found := condition()):
                self._changed.clear()
                await self._changed.wait()
        return found

    def of(self, kind: type[Any]) -> list[Any]:
        return [message for message in self.heard if isinstance(message, kind)]

    def open(self, session_id: str, *, task: str = NEAR, resume: bool = False, **spec: Any) -> Path:
        path = self.folder / "recordings" / f"{session_id}.jsonl"
        made = msgspec.structs.replace(SessionSpec.solo(session_id, 1), **spec)
        episode = EpisodeSpec(f"epi_{session_id}", DATASET, task)
        self.channel.send(OpenSession(made, episode, str(path), resume))
        return path

    def say(self, connection: int, *messages: ClientMessage) -> None:
        for message in messages:
            self.channel.send(FromClient(connection, msgspec.msgpack.encode(message)))

    async def play(self, session_id: str, connection: int) -> ClientModel:
        """Join as the human and begin."""
        self.channel.send(Attach(session_id, connection, "human_0", "msgpack"))
        self.say(connection, ReadyInput())
        model = self.models.setdefault(connection, ClientModel())
        await self.until(lambda: model.phase == "running")
        return model


@asynccontextmanager
async def working(data_dir: Path, folder: Path) -> AsyncIterator[Web]:
    one, other = socket.socketpair()
    web = Web(web_side(*await asyncio.open_connection(sock=one)), folder)
    worker = Worker(worker_side(*await asyncio.open_connection(sock=other)), loader(data_dir))
    running = asyncio.create_task(worker.run())
    listening = asyncio.create_task(web.listen())
    try:
        yield web
    finally:
        web.channel.close()
        async with asyncio.timeout(PATIENCE_S):
            await running
        listening.cancel()


async def test_a_session_that_breaks_ends_alone_with_its_data_on_disk(
    play_dir: Path, reach: Reach, tmp_path: Path
) -> None:
    async with working(play_dir, tmp_path) as web:
        await web.wait_for(Hi)
        path = web.open("ses_bad", simulator="brittle")
        web.open("ses_good")
        await web.wait_for(Opened, 2)
        bad, good = await web.play("ses_bad", 1), await web.play("ses_good", 2)
        web.say(1, SayInput("look out"))
        await web.until(lambda: bad.chat)
        web.say(1, DriveInput(1, -1000, 0, 0, 0))
        ended = await web.wait_for(SessionEnded)
        assert ended.session_id == "ses_bad"
        assert ended.failed
        assert "the floor gave way" in ended.reason
        result = web.of(Ended)[0].result
        assert (result.session_id, result.reason) == ("ses_bad", "failed")
        assert result.verdict.status == "ok"
        assert b"look out" in verify(path.read_bytes()).data
        tick = good.tick
        web.say(2, DriveInput(1, 1000, 0, 0, 0))
        await web.until(lambda: good.tick > tick + 3)
        await web.wait_for(WorkerStats)


async def test_a_session_that_is_closed_while_it_is_opened_does_not_play(
    play_dir: Path, reach: Reach, tmp_path: Path
) -> None:
    """Nobody waits for it any more: it would play for nobody, and for ever."""
    async with working(play_dir, tmp_path) as web:
        await web.wait_for(Hi)
        web.open("ses_late")
        web.channel.send(CloseSession("ses_late", "failed"))
        web.open("ses_next")
        await web.wait_for(Opened)
        assert [opened.session_id for opened in web.of(Opened)] == ["ses_next"]
        seen = len(web.of(WorkerStats))
        stats = await web.wait_for(WorkerStats, seen + 1)
        assert stats.sessions == 1


async def test_what_was_done_is_there_after_a_death_without_a_word(
    play_dir: Path, reach: Reach, tmp_path: Path
) -> None:
    """Resume the log as a killed process leaves it: the state is that of its last line."""
    async with working(play_dir, tmp_path) as web:
        path = web.open("ses_1")
        model = await _opened(web)
        cup = model.index(reach.handle)
        web.say(1, DriveInput(1, 700, 0, 500, 0), ActInput(1, 1, "pick", cup))
        await web.until(lambda: model.things[cup].holder >= 0)
        await asyncio.sleep(0.3)
        web.say(1, SayInput("now"))
        await web.until(lambda: model.chat)
        left = path.read_bytes()
    verified = verify(left)
    fold, _ = fold_last(verified.data, verified.tick)
    assert fold.state.world.held == {"human_0": reach.handle}
    path.write_bytes(left + b'{"type":"tick","t":9')
    message = OpenSession(
        SessionSpec.solo("ses_1", 1), EpisodeSpec("epi_ses_1", DATASET, NEAR), str(path), True
    )
    loaded = loader(play_dir).load(message)
    assert loaded.session.core.world.digest() == fold.state.world.digest()
    assert loaded.lost_bytes == len(b'{"type":"tick","t":9')
    assert loaded.resumed_tick == fold.state.tick
    assert [entry.text for entry in loaded.session.core.chat] == ["now"]
    loaded.session.close(0.0)


async def test_the_end_of_the_web_process_ends_the_worker_with_whole_logs(
    play_dir: Path, reach: Reach, tmp_path: Path
) -> None:
    async with working(play_dir, tmp_path) as web:
        path = web.open("ses_1")
        model = await _opened(web)
        web.say(1, DriveInput(1, 700, 0, 500, 0))
        start = model.agents[model_seat(model)]
        await web.until(lambda: model.agents[model_seat(model)] != start)
    verified = verify(path.read_bytes())
    assert verified.lost_bytes == 0
    assert verified.tick >= model.tick


async def test_a_closed_session_and_the_order_to_stop(
    play_dir: Path, reach: Reach, tmp_path: Path
) -> None:
    async with working(play_dir, tmp_path) as web:
        path = web.open("ses_1")
        await _opened(web)
        web.channel.send(CloseSession("ses_1", "done"))
        ended = await web.wait_for(SessionEnded)
        assert (ended.reason, ended.failed) == ("done", False)
        assert verify(path.read_bytes()).lost_bytes == 0
        web.channel.send(CloseSession("ses_1", "done"))
        await web.wait_for(SessionEnded, 2)
        web.channel.send(NextEpisode("ses_1", EpisodeSpec("epi_2", DATASET, NEAR)))
        assert "not open" in (await web.wait_for(OpenFailed)).reason
        web.channel.send(Drain())


async def test_a_session_opened_again_later_continues_its_file(
    play_dir: Path, reach: Reach, tmp_path: Path
) -> None:
    """Restart the server between tasks: the next one goes into the same log."""
    async with working(play_dir, tmp_path) as web:
        path = web.open("ses_1")
        await _opened(web)
    async with working(play_dir, tmp_path) as web:
        web.open("ses_1", task="near")
        await web.wait_for(Opened)
    data = verify(path.read_bytes())
    assert data.lost_bytes == 0
    assert data.data.count(b'"type":"header"') == 2


async def test_a_log_that_nobody_can_read_is_kept_aside(
    play_dir: Path, reach: Reach, tmp_path: Path
) -> None:
    path = tmp_path / "recordings" / "ses_1.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"not a log\n")
    async with working(play_dir, tmp_path) as web:
        web.open("ses_1", resume=True)
        assert (await web.wait_for(Opened)).resumed_tick is None
    assert [p.read_bytes() for p in path.parent.glob("*.damaged-*")] == [b"not a log\n"]


async def _opened(web: Web) -> ClientModel:
    await web.wait_for(Opened)
    return await web.play("ses_1", 1)


def model_seat(model: ClientModel) -> int:
    """Return the index of the seat that somebody occupies."""
    return next(n for n, seat in model.seats.items() if seat[0] != "empty")


def test_a_players_numbers_beyond_any_house_change_nothing(
    play_dir: Path, reach: Reach, tmp_path: Path
) -> None:
    message = OpenSession(
        SessionSpec.solo("ses_1", 1),
        EpisodeSpec("epi_1", DATASET, NEAR),
        str(tmp_path / "ses_1.jsonl"),
    )
    session = loader(play_dir).load(message).session
    session.attach(1, "human_0", "msgpack")
    far = (10_000_000, -10_000_000, 10_000_000)
    session.receive(1, msgspec.msgpack.encode(PlaceInput(1, 1, far, 1_000_000)))
    for outgoing in session.step(0.0):
        assert outgoing.payload
    assert isinstance(
        CODECS["msgpack"].decode_server(session.viewers._snapshot(CODECS["msgpack"])), Snapshot
    )
    session.close(0.0)
