"""Sessions on habitat-sim beside sessions on the household, in one server."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from server.hosting.hosted_session import HostError
from server.simulators.habitat.interpreter import VARIABLE
from server.wire.messages import DidEvent, FinishInput
from tests.load.near_task import NEAR, Reach
from tests.load.play_server import PlayServer
from tests.server.simulators.habitat_data import needs_habitat

pytestmark = pytest.mark.processes


def process_of(server: PlayServer, name: str) -> int:
    (worker,) = [w for w in server.host._workers.all() if w.name.startswith(name)]
    assert worker.process is not None
    return worker.process.pid


@pytest.mark.habitat
@needs_habitat
async def test_a_session_on_habitat_is_played_to_its_verdict(
    habitat_dir: Path, reach: Reach
) -> None:
    async with PlayServer(habitat_dir) as server:
        spec = await server.open(NEAR, simulator="habitat")
        async with (
            server.client(spec, "human_0") as human,
            server.client(spec, "robot_0", codec="json") as robot,
        ):
            await human.until_playing()
            await robot.until_playing()
            cup = human.model.index(reach.handle)
            assert isinstance(await human.act("pick", cup), DidEvent)
            await robot.until(lambda: robot.model.things[cup].holder == human.me)
            assert isinstance(await human.place(reach.place_at, -1), DidEvent)
            for player in (human, robot):
                await player.send(FinishInput(True))
            await human.until(lambda: human.over)
            assert human.over[0].reason == "finished"
        (result,) = server.results
        assert result.verdict.status == "ok"
        await server.host.close_session(spec.session_id, "done")
        assert [w.name for w in server.host._workers.all()] == ["worker-0"]


@pytest.mark.habitat
@needs_habitat
@pytest.mark.parametrize("how", [signal.SIGABRT, signal.SIGKILL])
async def test_a_habitat_process_that_aborts_ends_nothing_but_its_own_session(
    habitat_dir: Path, reach: Reach, how: signal.Signals
) -> None:
    """The session goes on from its log the first time; the other never notices."""
    async with PlayServer(habitat_dir) as server:
        on_habitat = await server.open(NEAR, solo=True, simulator="habitat")
        on_household = await server.open(NEAR, solo=True)
        async with (
            server.client(on_habitat, "human_0") as there,
            server.client(on_household, "human_0") as here,
        ):
            await there.until_playing()
            await here.until_playing()
            household = process_of(server, "worker-")
            cup = there.model.index(reach.handle)
            assert isinstance(await there.act("pick", cup), DidEvent)
            os.kill(process_of(server, "habitat-"), how)
            await there.until(lambda: there.snapshots == 2)
            assert there.model.things[there.model.index(reach.handle)].holder == there.me
            assert [n.code for n in there.notices] == ["reconnecting", "reconnected"]

            os.kill(process_of(server, "habitat-"), how)
            await there.until(lambda: there.over)
            assert there.over[0].reason == "failed"
            assert isinstance(await here.act("pick", here.model.index(reach.handle)), DidEvent)
            assert (here.snapshots, here.notices) == (1, [])
            assert process_of(server, "worker-") == household


async def test_without_an_interpreter_a_session_on_habitat_is_refused(
    play_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(play_dir / "no-such-python"))
    async with PlayServer(play_dir) as server:
        with pytest.raises(HostError, match="cohabit habitat use"):
            await server.open("1", simulator="habitat")
        assert isinstance((await server.open("1", solo=True)).session_id, str)
