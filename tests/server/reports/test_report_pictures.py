from __future__ import annotations

import asyncio
import shutil
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from episodes.drawing.colours import LOOKS
from episodes.houses import first_house
from episodes.teams import Team
from server.hosting.episode_programs import picture_program
from server.recording.archive import archive
from server.recording.recordings import read_recording
from server.reports.pictures import Pictures, PicturesError, draw_pictures, make_pictures
from server.sessions.core import SessionCore
from server.sessions.intents import Ready
from server.sessions.spec import SessionSpec
from server.settings import Settings
from tests.server.recording.short_recordings import record
from tests.server.sessions.first_house_sessions import (
    Recording,
    episode_spec,
    simulator,
    task,
    write_first_house,
)

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a data directory with a house and one recording: the third task, its first step done."""
    data = tmp_path_factory.mktemp("data")
    write_first_house(data)
    (data / "recordings").mkdir()
    record(data / "recordings" / "ses_1.jsonl", 3, lambda steps: steps[: len(steps) // 2])
    return data


@pytest.fixture
def log(folder: Path) -> Path:
    return folder / "recordings" / "ses_1.jsonl"


def settings(folder: Path) -> Settings:
    return Settings(data_dir=folder, _env_file=None)


def test_pictures_of_a_recording(folder: Path, log: Path) -> None:
    (recording,) = read_recording(log)
    assert recording.result is not None
    pictures = draw_pictures(recording, recording.result.verdict, *first_house())
    for drawn in (pictures.plan, pictures.order, pictures.timeline):
        assert ET.fromstring(drawn).get("role") == "img"
    verdict = recording.result.verdict
    done = sum(p.satisfied for p in verdict.propositions)
    assert 0 < done < len(verdict.propositions)
    assert pictures.timeline.count('class="step"') == done
    assert "badge-done" in pictures.plan
    assert "badge-missing" in pictures.plan
    propositions = recording.header.task.evaluation_propositions
    assert sorted(pictures.numbers) == list(range(len(propositions)))
    human = next(lane for lane in pictures.lanes if lane.look == "human-1")
    assert human.walked_m > 1
    assert human.acts
    assert human.holds
    assert make_pictures(log, recording.episode_id, folder) == pictures


def _drawn(recording: Recording, folder: Path) -> Pictures:
    """Return the pictures of what was recorded."""
    log = folder / "ses_1.jsonl"
    log.write_bytes(recording.data())
    (read,) = read_recording(log)
    assert read.result is not None
    return draw_pictures(read, read.result.verdict, *first_house())


def test_each_of_a_team_has_a_name_a_colour_and_a_start_of_their_own(tmp_path: Path) -> None:
    team = Team.parse("human=person,human=person,robot=person,robot=person")
    spec = SessionSpec.of("ses_1", team, 1)
    recording = Recording(SessionCore(spec, episode_spec(task(2)), task(2), simulator()))
    core = recording.core
    recording.step([(seat, Ready()) for seat in core.seats])
    starts = dict(core.world.agents)
    core.end("operator")
    recording.step()
    pictures = _drawn(recording, tmp_path)
    assert [lane.name for lane in pictures.lanes] == ["Robot 1", "Robot 2", "Person 1", "Person 2"]
    for look in ("robot-1", "robot-2", "human-1", "human-2"):
        assert LOOKS[look] in pictures.timeline
        assert pictures.plan.count(f'fill="{LOOKS[look]}"') >= 1
    assert len(starts) == 4
    assert pictures.plan.count('class="seat-') == 4


def test_who_left_and_came_back_has_not_left(tmp_path: Path) -> None:
    spec = SessionSpec.of("ses_1", Team.parse("human=person,human=person,robot=person"), 1)
    recording = Recording(SessionCore(spec, episode_spec(task(2)), task(2), simulator()))
    core = recording.core
    recording.step([(seat, Ready()) for seat in core.seats])
    for tick in range(90):
        if tick == 30:
            core.set_presence("human_0", "gone")
            core.set_presence("human_1", "gone")
        if tick == 60:
            core.set_presence("human_1", "connected")
        recording.step()
    core.end("operator")
    recording.step()
    lanes = {lane.seat: lane for lane in _drawn(recording, tmp_path).lanes}
    assert lanes["human_0"].left == pytest.approx(31, abs=2)
    assert lanes["human_1"].left is None
    assert lanes["robot_0"].left is None


def test_what_cannot_be_drawn_is_said(folder: Path, log: Path, tmp_path: Path) -> None:
    with pytest.raises(PicturesError, match="epi_x is not in its recording"):
        make_pictures(log, "epi_x", folder)
    with pytest.raises(PicturesError, match=r"scene\.json"):
        make_pictures(log, "epi_ses_1", tmp_path)
    with pytest.raises(PicturesError, match=r"none\.jsonl"):
        make_pictures(tmp_path / "none.jsonl", "epi_ses_1", folder)


async def test_a_process_draws_and_the_desk_keeps(folder: Path, log: Path) -> None:
    desk = picture_program(settings(folder))
    # Two pages that ask at once get one drawing.
    first, second = await asyncio.gather(*(desk.of("ses_1", "epi_ses_1", 60.0) for _ in range(2)))
    assert first is not None
    assert first is second
    assert first == make_pictures(log, "epi_ses_1", folder)
    assert not desk.is_making("epi_ses_1")
    assert await desk.of("ses_1", "epi_ses_1", 0.0) is first


async def test_a_page_that_does_not_wait_gets_them_later(folder: Path) -> None:
    desk = picture_program(settings(folder))
    assert await desk.of("ses_1", "epi_ses_1", 0.0) is None
    assert desk.is_making("epi_ses_1")
    assert await desk.of("ses_1", "epi_ses_1", 60.0) is not None


async def test_archived_recordings_have_pictures_too(
    folder: Path, log: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "data")
    moved = settings(tmp_path / "data")
    copy = moved.recordings_dir / log.name
    archive(copy, moved.archive_dir)
    copy.unlink()
    assert await picture_program(moved).of("ses_1", "epi_ses_1", 60.0) is not None


async def test_without_a_recording_there_are_none(folder: Path) -> None:
    desk = picture_program(settings(folder))
    assert await desk.of("ses_2", "epi_ses_2", 60.0) is None
    assert await desk.of("ses_1", "epi_other", 60.0) is None


async def test_stopping_ends_what_is_being_drawn(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Never done: what is drawn with is a process that sleeps.
    sleeper = tmp_path / "python"
    sleeper.write_text("#!/bin/sh\nexec sleep 600\n")
    sleeper.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(sleeper))
    desk = picture_program(settings(folder))
    assert await desk.of("ses_1", "epi_ses_1", 0.05) is None
    await desk.stop()
    assert not desk.is_making("epi_ses_1")
