"""Teams of one, two, three and five over real sockets: they play on after a worker was killed."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace

from episodes.teams import Team
from server.recording.archive import read_log
from server.recording.replay import rescore
from server.wire.messages import DidEvent, FinishInput, ReadyInput
from tests.load.near_task import NEAR, PICKER, write_near_task
from tests.load.play_server import PlayServer
from tests.load.protocol_client import ProtocolClient
from tests.server.faults.visitor import replayed
from tests.server.sessions.first_house_sessions import task
from tests.server.simulators.habitat_data import needs_habitat

pytestmark = pytest.mark.processes

TEAMS = ("1human", "pair", "human=person,robot=person,robot=person", "5human")
MOST_LOST_TICKS = 30
"""One second."""


async def wander(client: ProtocolClient) -> None:
    """Move all the time, so that something is always on its way to the log."""
    way = 1
    while True:
        await client.drive(200 * way, 50, 100 * way)
        way = -way
        await asyncio.sleep(0.1)


@pytest.mark.parametrize("team", TEAMS)
async def test_a_team_goes_on_after_its_worker_is_killed(play_dir: Path, team: str) -> None:
    await play_and_kill(play_dir, team, "household")


@pytest.mark.habitat
@needs_habitat
@pytest.mark.parametrize("team", TEAMS)
async def test_a_team_on_habitat_goes_on_after_its_worker_is_killed(
    habitat_dir: Path, team: str
) -> None:
    await play_and_kill(habitat_dir, team, "habitat")


async def kill_worker(server: PlayServer) -> None:
    """Kill the worker that hosts the one session, as soon as it has told that it does."""
    async with asyncio.timeout(60):
        while not (  # noqa: ASYNC110 — workers tell of themselves once a second
            found := [w for w in server.host._workers.all() if w.stats and w.stats.sessions]
        ):
            await asyncio.sleep(0.05)
    (worker,) = found
    assert worker.process is not None
    os.kill(worker.process.pid, signal.SIGKILL)


TWO_BOOKS, AN_APPLE = 1, 7


@pytest.mark.parametrize(
    ("number", "team"),
    [
        (AN_APPLE, "human=person,robot=expert,robot=expert:partner"),
        pytest.param(
            TWO_BOOKS,
            "human=person,human=person,robot=expert,robot=expert,robot=expert:partner",
            marks=pytest.mark.long,
        ),
    ],
)
async def test_robots_do_their_task_though_their_worker_is_killed(
    play_dir: Path, number: int, team: str
) -> None:
    """A robot has something in the hand when the worker is killed; people only look on."""
    chosen = task(number)
    seats = Team.parse(team).people
    async with PlayServer(play_dir) as server, AsyncExitStack() as stack:
        spec = await server.open(chosen.task_id, team=team, session_id=f"ses_robots_{len(seats)}")
        people = [await stack.enter_async_context(server.client(spec, seat)) for seat in seats]
        for person in people:
            await person.until_playing()
            await person.send(ReadyInput())
        looker = people[0]
        me = {person.me for person in people}
        await looker.until(
            lambda: any(
                t.holder is not None and t.holder not in me for t in looker.model.things.values()
            )
        )
        before = looker.model.tick
        await kill_worker(server)
        for person in people:
            await person.until(lambda p=person: p.snapshots == 2)  # type: ignore[misc]
            assert person.model.tick >= before - MOST_LOST_TICKS
        robots = set(looker.model.seats) - me
        await looker.until(lambda: all(looker.model.seats[r][1] for r in robots))
        for person in people:
            await person.send(FinishInput())
        for person in people:
            await person.until(lambda p=person: p.over)  # type: ignore[misc]
            assert person.over[0].reason == "finished"
        (result,) = server.results
        assert result.verdict.success, result.verdict.explanation
        log = server.host.log_path(spec.session_id)
        assert replayed(log).digest() == result.state_digest
        assert rescore(read_log(log)) == replace(result.verdict, account=None)


async def play_and_kill(data_dir: Path, team: str, simulator: str) -> None:
    """Have each act and say who they are, kill the worker, and have all finish."""
    reach = write_near_task(data_dir, team)
    seats = Team.parse(team).people
    async with PlayServer(data_dir) as server, AsyncExitStack() as stack:
        name = f"ses_{simulator}_{len(seats)}"
        spec = await server.open(NEAR, team=team, session_id=name, simulator=simulator)
        players = {
            seat: await stack.enter_async_context(
                server.client(spec, seat, codec="json" if n % 2 else "msgpack")
            )
            for n, seat in enumerate(seats)
        }
        for player in players.values():
            await player.until_playing()
        assert sorted(player.me for player in players.values()) == list(range(len(seats)))
        for seat, player in players.items():
            verb, handle = ("pick", reach.handle) if seat == PICKER else ("open", reach.doors[seat])
            did = await player.act(verb, player.model.index(handle))
            assert isinstance(did, DidEvent), (seat, did)
            await player.say(f"I am {seat}")
        for player in players.values():
            await player.until(lambda p=player: len(p.model.chat) == len(seats))  # type: ignore[misc]
        walks = [asyncio.create_task(wander(player)) for player in players.values()]
        await asyncio.sleep(1.5)
        ticks = {seat: player.model.tick for seat, player in players.items()}

        await kill_worker(server)
        for player in players.values():
            await player.until(lambda p=player: p.snapshots == 2)  # type: ignore[misc]
        for walk in walks:
            walk.cancel()
        for seat, player in players.items():
            assert player.model.tick >= ticks[seat] - MOST_LOST_TICKS
            assert [n.code for n in player.notices] == ["reconnecting", "reconnected"]
            assert sorted(line.text for line in player.model.chat) == sorted(
                f"I am {seat}" for seat in seats
            )
            thing = player.model.things[player.model.index(reach.handle)]
            assert thing.holder == players[PICKER].me
            opened = {furniture for furniture, _ in player.model.parts}
            assert opened >= {player.model.index(door) for door in reach.doors.values()}

        for number, player in enumerate(players.values(), 1):
            assert player.model.phase == "running"
            await player.send(FinishInput())
            await player.until(
                lambda p=player, n=number: (  # type: ignore[misc]
                    p.over or sum(finished for _, finished, _ in p.model.seats.values()) == n
                )
            )
        for player in players.values():
            await player.until(lambda p=player: p.over)  # type: ignore[misc]
            assert player.over[0].reason == "finished"
        (result,) = server.results
        assert result.verdict.status == "ok"
        log = server.host.log_path(spec.session_id)
        assert replayed(log).digest() == result.state_digest
        scored = replace(result.verdict, account=None)
        assert rescore(read_log(log)) == scored
