"""``ghost``: a recorded seat that plays again, every intent at its tick, whatever happens."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import UNSET

from server.personal.sealing import FORGOTTEN, KEYLESS
from server.recording.log_records import TickLine
from server.recording.recordings import Recording, RecordingError, began_at, read_recording
from server.robots.baselines.settings import GhostSettings
from server.sessions.core import SessionCore
from server.sessions.intents import Finish, Intent, Ready, Say
from server.sessions.player import Player
from server.sessions.state import STILL


class Part(msgspec.Struct, frozen=True):
    """A recorded seat's part in an episode: intents by tick since the start, and the last tick."""

    intents: dict[int, list[Intent]]
    ends: int


def part_of(recording: Recording, seat: str) -> Part:
    """Read the part of a seat.

    Raises RecordingError where the episode never began, or has no such seat.
    """
    known = [s.seat.seat_id for s in recording.header.spec.seats]
    if seat not in known:
        raise RecordingError(
            f"{recording.path}: no seat {seat!r} in {recording.episode_id}; "
            f"there are: {', '.join(known)}"
        )
    started = started_in(recording)
    intents: dict[int, list[Intent]] = {}
    last = started
    for line in recording.decoded():
        if not isinstance(line, TickLine) or line.tick <= started:
            continue
        last = line.tick
        mine = [h.intent for h in line.intents if h.seat == seat and not _is_lost(h.intent)]
        if mine:
            intents[line.tick - started] = mine
    return Part(intents, last - started)


def _is_lost(intent: Intent) -> bool:
    """Tell whether an intent is a line of chat that nobody can read any more."""
    return isinstance(intent, Say) and intent.text in (FORGOTTEN, KEYLESS)


def started_in(recording: Recording) -> int:
    """Return the session's tick at which an episode began.

    Raises RecordingError where it never did.
    """
    tick = began_at(recording.decoded())
    if tick is None:
        raise RecordingError(f"{recording.path}: {recording.episode_id} never began")
    return tick


class Ghost(Player):
    """A player of a recorded part.

    It does not look: what has changed since refuses what it wants.
    """

    def __init__(self, seat: str, part: Part) -> None:
        self.seat = seat
        self.finished = False
        self.part = part

    @classmethod
    def of(cls, seat: str, settings: GhostSettings) -> Ghost:
        """Make a ghost of what the settings name. Raises RecordingError where that is not there."""
        if not settings.recording:
            raise RecordingError("a ghost needs a recording: ghost:recording=FILE")
        recording = _episode(read_recording(Path(settings.recording)), settings)
        permits = recording.header.spec.permits
        if permits is not UNSET and "replay" not in permits:
            raise RecordingError(
                f"{recording.path}: not everybody in it agreed to be replayed as a partner"
            )
        return cls(seat, part_of(recording, settings.seat or seat))

    def intents(self, core: SessionCore) -> list[Intent]:
        if core.phase == "gathering":
            return [] if core.seats[self.seat].presence == "ready" else [Ready()]
        started = core.state.started_tick
        if core.phase != "running" or started is None or self.finished:
            return []
        offset = core.tick + 1 - started
        if offset > self.part.ends:
            self.finished = True
            # A recording can break off before its end. Its last tick is played as it was: a body
            # that stood still in it might be a step short of success.
            return [STILL, Finish()]
        found = list(self.part.intents.get(offset, ()))
        self.finished = offset == self.part.ends and any(isinstance(i, Finish) for i in found)
        return found


def _episode(episodes: Iterable[Recording], settings: GhostSettings) -> Recording:
    found = list(episodes)
    for recording in found:
        if settings.episode in ("", recording.episode_id):
            return recording
    there = ", ".join(r.episode_id for r in found)
    raise RecordingError(
        f"{settings.recording}: no episode {settings.episode!r}; there are: {there}"
    )
