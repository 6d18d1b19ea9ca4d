"""A recorded player plays again, tick for tick; and the log has what policies ran."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from episodes.dataset import Proposition
from server.recording.log_writer import LogWriter
from server.recording.recordings import Recording, RecordingError, read_recording
from server.robots.baselines.expert import experts
from server.robots.baselines.ghost import Ghost, Part, part_of
from server.robots.baselines.scripted_player import Go, ScriptedPlayer, Take
from server.robots.baselines.settings import GhostSettings
from server.robots.training.rerun import rerun
from server.sessions.core import SessionCore
from server.sessions.player import Player
from server.sessions.results import EpisodeResult
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    core_of,
    in_the_open,
    simulator,
    task,
)


def played(
    path: Path, core: SessionCore, players: list[Player], max_ticks: int = 12_000
) -> EpisodeResult:
    with path.open("wb") as file:
        log = LogWriter(file)
        log.open_episode(core, 0.0)
        result = run(core, players, max_ticks, log=log)
        log.close(1000.0)
    assert result is not None
    return result


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """Return the recording of two experts who solved a task."""
    core = core_of(task(2))
    path = tmp_path_factory.mktemp("ghost") / "ses_1.jsonl"
    result = played(path, core, [*experts(core)])
    assert result.verdict.success
    return read_recording(path)[0]


def test_ghosts_of_both_seats_end_in_the_same_world(recording: Recording) -> None:
    core = core_of(task(2))
    ghosts = [Ghost(seat, part_of(recording, seat)) for seat in (ROBOT, HUMAN)]
    result = run(core, ghosts, 12_000)
    assert result is not None
    assert recording.result is not None
    assert result.ticks == recording.result.ticks
    assert result.verdict == recording.result.verdict


def test_a_success_that_came_while_walking_comes_again(tmp_path: Path) -> None:
    """The goal holds as soon as the carried thing is in the room: in a tick in which it is moved.

    A ghost that stands still in its last tick is a step short of it.
    """
    empty = core_of(task(2))
    thing = in_the_open(empty)
    rooms = {f.handle: f.room_id for f in empty.simulator.scene.furniture}
    here = empty.view.receptacle_of(thing)
    assert here is not None
    there = next(h for h, room in rooms.items() if room != rooms[here.furniture.handle])
    goal = Proposition("is_in_room", {"object_handles": [thing], "room_ids": [rooms[there]]})
    walk = msgspec.structs.replace(
        task(2), evaluation_propositions=[goal], evaluation_constraints=[],
        evaluation_proposition_dependencies=[],
    )  # fmt: skip
    core = core_of(walk, solo=True, end_on_success=True)
    path = tmp_path / "ses_1.jsonl"
    result = played(path, core, [ScriptedPlayer(HUMAN, [Take(thing), Go(there)])])
    assert (result.reason, result.verdict.success) == ("success", True)
    (recording,) = read_recording(path)
    assert core.world.held == {HUMAN: thing}
    steps = list(rerun(recording, simulator))
    assert steps[-1][0].phase == "ended"


def test_a_ghost_finishes_beside_somebody_who_does_nothing(recording: Recording) -> None:
    core = core_of(task(2))
    settings = GhostSettings(recording=str(recording.path), seat=ROBOT)
    ghost = Ghost.of(HUMAN, settings)
    idle = Ghost(ROBOT, Part({}, 1))
    assert run(core, [ghost, idle], 12_000) is not None
    assert ghost.finished


def test_what_is_not_recorded_is_said(recording: Recording, tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="needs a recording"):
        Ghost.of(HUMAN, GhostSettings())
    with pytest.raises(RecordingError, match=r"no seat 'cat_0'.*robot_0, human_0"):
        part_of(recording, "cat_0")
    with pytest.raises(RecordingError, match="no episode 'epi_9'; there are: epi_1"):
        Ghost.of(HUMAN, GhostSettings(recording=str(recording.path), episode="epi_9"))
