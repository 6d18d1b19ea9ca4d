"""Film of a recorded episode: its reels, and what its timeline marks."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

import msgspec
from msgspec.structs import replace

from episodes.drawing.steps import TaskSteps, steps_of
from episodes.evaluation import EvaluationError
from episodes.houses.files import HouseError
from server.recording.recorded_houses import OtherHouseError, played_house
from server.recording.recordings import Recording, RecordingError, read_recording
from server.recording.replay import RecoveryError
from server.replays.moments import calls_of, lanes_of, marks_of, moments_of
from server.replays.reels import Reels, cut_reels
from server.reports.course import played
from server.reports.task_clock import TaskClock, pauses_of
from server.sessions.spec import TICK_RATE
from server.wire.film_messages import FilmIndex, FilmPause, FilmReel

_UNSEEN = "The scene cannot be shown: {}. What was done and said is on the timeline."
_OTHER_STATE = (
    "From {} on the world is not the one that was recorded: lines of the recording are missing."
)
_LOST = "{} bytes at the end of the recording have a wrong checksum and are left out."
_NO_SCENE = (HouseError, OtherHouseError, EvaluationError, RecoveryError, KeyError, ValueError)
_NO_END = "The recording has no end: the session broke off, or it still runs."


class Film(msgspec.Struct, frozen=True):
    """A film: its index, and the packed messages of each of its reels."""

    index: FilmIndex
    reels: tuple[bytes, ...]


class FilmError(Exception):
    """An episode of which there can be no film; the text says why."""


def make_film(log: Path, episode_id: str, data_dir: Path, asset_root: str = "/assets") -> Film:
    """Read a recording and its house, and make the film of an episode. Raises FilmError."""
    try:
        recordings = read_recording(log)
        for recording in recordings:
            if recording.episode_id == episode_id:
                with recording.folding():
                    return film_of(recording, data_dir, asset_root)
    except RecordingError as error:
        raise FilmError(f"{episode_id}: {error}") from error
    raise FilmError(f"{episode_id} is not in its recording")


def film_of(recording: Recording, data_dir: Path, asset_root: str = "/assets") -> Film:
    """Make the film of a recorded episode.

    Where its house or its rules are not here any more, it has a timeline and no reels, and says so.
    Raises RecordingError for lines that cannot be read.
    """
    header, lines = recording.header, tuple(recording.decoded())
    missing: list[str] = []
    reels, steps = Reels((), {}), TaskSteps((), (), ())
    try:
        scene, catalogue = played_house(header, data_dir)
        verdict = None if recording.result is None else recording.result.verdict
        steps = steps_of(header.task, scene, catalogue, verdict, header.spec.labels)
        reels = cut_reels(header, lines, scene, catalogue, asset_root)
    except _NO_SCENE as error:
        missing.append(_UNSEEN.format(error))
    labels = {} if header.surroundings is None else header.surroundings.labels

    def label(key: str) -> str:
        return labels.get(key, key)

    story = played(header, lines, steps, label)
    last = max((line.tick for line in lines), default=header.tick)
    start, result = story.start, recording.result
    waited = 0 if result is None else result.clock_ticks
    clock = TaskClock(waited, pauses_of(lines, start))
    if broken := [t for t, (here, recorded) in reels.digests.items() if here != recorded]:
        missing.append(_OTHER_STATE.format(clock.at(broken[0] - start)))
    if recording.lost_bytes:
        missing.append(_LOST.format(recording.lost_bytes))
    if result is None:
        missing.append(_NO_END)
    seats = {spec.seat.seat_id: number for number, spec in enumerate(header.spec.seats)}
    calls = calls_of(lines, seats)
    index = FilmIndex(
        session_id=header.spec.session_id,
        episode_id=recording.episode_id,
        tick_rate=TICK_RATE,
        first=reels.reels[0].first if reels.reels else header.tick,
        start=start,
        clock=start + clock.waited,
        ended=start + result.ticks if result is not None and result.ticks else last,
        last=last,
        task_text=header.task.instruction,
        end_reason="" if result is None else result.reason,
        reels=tuple(FilmReel(reel.first, reel.last) for reel in reels.reels),
        lanes=lanes_of(story.course.lanes, start, calls, seats),
        moments=moments_of(lines, start, seats, label),
        calls=calls,
        marks=marks_of(story.course.steps, start, steps),
        missing=tuple(missing),
        pauses=tuple(FilmPause(start + a, start + b) for a, b in clock.pauses),
    )
    return Film(index, tuple(reel.data for reel in reels.reels))


def for_players(index: FilmIndex, programs: Set[int]) -> FilmIndex:
    """Return the index of a film as those who played in it may see it.

    ``programs`` are the seats of which players are told that a program drives them: what others
    decided would tell it. What models were asked and answered is for researchers.
    """
    lanes = tuple(
        lane
        if lane.seat in programs
        else replace(lane, spans=tuple(s for s in lane.spans if s.kind != "think"))
        for lane in index.lanes
    )
    moments = tuple(
        replace(moment, call=-1)
        for moment in index.moments
        if moment.kind != "decided" or moment.seat in programs
    )
    return replace(index, lanes=lanes, moments=moments, calls=())
