"""The host with real workers: verdicts before news of them, crashes, other episodes, the end."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from server.hosting import session_host
from server.hosting.hosted_session import HostError
from server.recording.archive import read_log
from server.recording.log_checksums import verify
from server.recording.replay import episodes_in, fold_all
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.sessions.state import EpisodeState
from server.wire.messages import DidEvent, FinishInput
from tests.load.near_task import NEAR, Reach
from tests.load.play_server import PlayServer
from tests.server.faults.visitor import eventually

pytestmark = pytest.mark.processes


def replayed(log: Path) -> EpisodeState:
    """Return the state in which the last episode of a log ended."""
    header, lines = episodes_in(verify(read_log(log)).data)[-1]
    return fold_all(header, lines).state


def worker_pids(server: PlayServer) -> list[int]:
    found = []
    for worker in server.host._workers.all():
        assert worker.process is not None
        found.append(worker.process.pid)
    return found


async def test_S9_play_goes_on_after_the_worker_is_killed(play_dir: Path, reach: Reach) -> None:
    """All that anybody did is still there; a second death ends the session, with a verdict."""
    async with PlayServer(play_dir) as server:
        spec = await server.open(NEAR)
        async with (
            server.client(spec, "human_0") as human,
            server.client(spec, "robot_0", codec="json") as robot,
        ):
            await human.until_playing()
            await robot.until_playing()
            cup = human.model.index(reach.handle)
            assert isinstance(await human.act("pick", cup), DidEvent)
            await robot.say("look")
            await human.until(lambda: human.model.chat)

            os.kill(worker_pids(server)[0], signal.SIGKILL)
            await human.until(lambda: human.snapshots == 2)
            frames = human.frames
            await human.until(lambda: human.frames > frames)
            await robot.until(lambda: robot.snapshots == 2)
            assert [n.code for n in human.notices] == ["reconnecting", "reconnected"]
            assert human.model.phase == "running"
            assert human.model.things[human.model.index(reach.handle)].holder == human.me
            assert [line.text for line in human.model.chat] == ["look"]
            await human.until(lambda: human.model.known() == robot.model.known())
            await human.until(
                lambda: {seat[0] for seat in human.model.seats.values()} == {"connected"}
            )
            assert isinstance(await human.place(reach.place_at, -1), DidEvent)

            os.kill(worker_pids(server)[0], signal.SIGKILL)
            await human.until(lambda: human.over)
            assert human.over[0].reason == "failed"
            result = server.results[0]
            assert result.reason == "failed"
            assert result.verdict.status == "ok"
            assert result.ticks > 0
            assert server.ended[0][0] == spec.session_id
            async with server.client(spec, "robot_0", tab="new", take_over=True) as late:
                await late.until(lambda: late.over)
                assert [n.code for n in late.notices] == ["server"]
            await server.host.close_session(spec.session_id, "failed")
            assert (await human.closed())[0] == 4000
        # Others play on in a new worker.
        other = await server.open(NEAR, solo=True)
        async with server.client(other, "human_0") as human:
            await human.until_playing()


async def test_V1_players_hear_of_a_verdict_when_it_is_stored_and_go_on_to_the_next_task(
    play_dir: Path, reach: Reach
) -> None:
    async with PlayServer(play_dir) as server:
        spec = server.spec(solo=True)
        first = server.episode(NEAR)
        await server.host.open(spec, first)
        server.storing.clear()
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            await human.send(FinishInput())
            await human.until(lambda: human.model.phase == "ended")
            await asyncio.sleep(0.2)
            assert human.over == []
            server.storing.set()
            await human.until(lambda: human.over)
            assert human.over[0].episode_id == first.episode_id == server.results[0].episode_id
            assert human.over[0].reason == "finished"
            verdict = server.results[0].verdict
            assert (verdict.status, verdict.success) == ("ok", False)
            assert verdict.percent_complete is not None
            assert [outcome.satisfied for outcome in verdict.propositions].count(False) > 0
            assert verdict.explanation
            assert verdict.account
            assert verdict.account.shortfalls

            # Who comes now is told as well, after the snapshot.
            async with server.client(spec, "human_0", tab="b", take_over=True) as late:
                await late.until(lambda: late.over)
                assert late.model.phase == "ended"
                second = server.episode(NEAR)
                await server.host.next_episode(spec.session_id, second)
                again = await server.host.next_episode(spec.session_id, second)
                assert again.episode_id == second.episode_id
                await late.until(lambda: late.model.episode_id == second.episode_id)
                await late.until_playing()
                assert late.snapshots == 2
                with pytest.raises(HostError, match="ended"):
                    await server.host.next_episode(spec.session_id, server.episode(NEAR))
            await server.host.close_session(spec.session_id, "done")
            await server.host.close_session(spec.session_id, "done")
            assert server.host.stats().sessions == 0
            assert not server.host.is_open(spec.session_id)


async def test_an_abandoned_episode_is_published_and_its_recording_says_so(
    play_dir: Path, reach: Reach
) -> None:
    async with PlayServer(play_dir) as server:
        spec = await server.open(NEAR, solo=True)
        kept = await server.open(NEAR, solo=True)
        async with server.client(kept, "human_0") as human:
            await human.until_playing()
            server.host.end_episode(spec.session_id, "abandoned")
            server.host.end_episode(spec.session_id, "abandoned")
            server.host.end_episode("ses_none", "abandoned")
            await human.until(lambda: server.results)
            await server.host.close_session(spec.session_id, "abandoned")
            assert human.model.phase == "running"
        (result,) = server.results
        assert (result.session_id, result.reason) == (spec.session_id, "abandoned")
        assert result.verdict.status == "ok"
        assert replayed(server.host.log_path(spec.session_id)).end_reason == "abandoned"


async def test_what_cannot_be_opened_is_refused_with_the_reason(
    play_dir: Path, reach: Reach
) -> None:
    async with PlayServer(play_dir) as server:
        with pytest.raises(HostError, match="no task 'nothing'"):
            await server.open("nothing")
        missing = EpisodeSpec("epi_1", "tasks/missing.json.gz", NEAR)
        with pytest.raises(HostError, match="cannot be read"):
            await server.host.open(server.spec(), missing)
        with pytest.raises(HostError, match="no simulator 'holodeck'"):
            await server.open(NEAR, simulator="holodeck")
        with pytest.raises(HostError, match="no rule profile"):
            await server.open(NEAR, profile="chess")
        with pytest.raises(HostError, match="not open"):
            await server.host.next_episode("ses_none", server.episode(NEAR))
        assert server.host.stats().sessions == 0


async def test_a_session_whose_worker_answers_too_late_is_closed_there(
    play_dir: Path, reach: Reach, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with PlayServer(play_dir) as server:
        with monkeypatch.context() as patch:
            patch.setattr(session_host, "OPEN_TIMEOUT_S", 0.0)
            with pytest.raises(HostError, match="no answer"):
                await server.open(NEAR)
        # Orders are carried out one after the other, so the first one is over when this is.
        other = await server.open(NEAR, solo=True)
        (worker,) = server.host._workers.all()
        before = worker.stats
        await eventually(lambda: worker.stats is not None and worker.stats is not before)
        assert worker.stats is not None
        assert worker.stats.sessions == server.host.stats().sessions == 1
        assert server.host.is_open(other.session_id)


async def test_sessions_go_on_in_another_server(play_dir: Path, reach: Reach) -> None:
    """The web process went away; the next one opens the session from its log."""
    async with PlayServer(play_dir) as server:
        spec, episode = server.spec(solo=True), server.episode(NEAR, "epi_keep")
        await server.host.open(spec, episode)
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            await human.act("pick", human.model.index(reach.handle))
            tick = human.model.tick
            server.host.drain()
            assert (await human.closed())[0] == 4001
    async with PlayServer(play_dir) as server:
        opened = await server.host.open(spec, episode, resume=True)
        assert opened.resumed_tick is not None
        assert opened.resumed_tick >= tick
        assert opened.lost_bytes == 0
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            assert human.model.things[human.model.index(reach.handle)].holder == human.me


async def test_resuming_what_was_never_begun_begins_it(play_dir: Path, reach: Reach) -> None:
    async with PlayServer(play_dir) as server:
        spec = SessionSpec.solo("ses_never", 9)
        opened = await server.host.open(spec, server.episode(NEAR), resume=True)
        assert opened.resumed_tick is None
