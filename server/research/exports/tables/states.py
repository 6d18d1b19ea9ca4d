"""Table of states: where each body was at each tick, and what it held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from episodes.world import AgentMoved, AgentPose, Change, HolderChanged
from server.recording.log_records import Keyframe, TickLine
from server.recording.recordings import Recording
from server.research.exports.columns import Column, Table
from server.research.exports.tables.moments import MOMENT
from server.sessions.events import PhaseChanged


def _number(name: str, definition: str, unit: str) -> Column:
    return Column(name=name, definition=definition, kind="number", unit=unit, source="log")


TABLE = Table(
    name="states",
    row="occupied seat and step of an episode whose log can be read",
    is_outcome=True,
    format="parquet",
    columns=(
        *MOMENT,
        Column(name="seat", definition="Seat.", source="log"),
        _number("x_m", "Place of the body on the floor, in the house's axes: right-handed.", "m"),
        _number("y_m", "Height of the floor that the body stands on; Y is up.", "m"),
        _number("z_m", "Place of the body on the floor; a heading of 0 faces -Z.", "m"),
        _number("yaw_rad", "Heading of the body; it grows counter-clockwise from above.", "rad"),
        _number("pitch_rad", "Pitch of the view; above 0: up.", "rad"),
        Column(
            name="held_object",
            definition="Thing in the hand; missing: the hand is empty.",
            source="log",
        ),
    ),
)


class SeatStates(NamedTuple):
    """States of a seat from the start of an episode to its end, one for each tick."""

    seat: str
    poses: npt.NDArray[np.float64]
    """Columns x, y, z, yaw and pitch."""
    held: list[str | None]
    """Things that it held, in the order of `held_index`."""
    held_index: npt.NDArray[np.int64]
    """Index of the thing in `held` at each tick."""


class _Mark(NamedTuple):
    """A tick from which on a seat had a pose and something in its hand."""

    tick: int
    pose: AgentPose
    held: str | None


class StateReader:
    """Reader of changes that keeps what is new at a tick, from the start of the episode on."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self.started: int | None = None
        self.ended: int | None = None
        self.last = 0
        self._marks: dict[str, list[_Mark]] = {seat: [] for seat in seats}
        self._poses: dict[str, AgentPose] = {}
        self._held: dict[str, str] = {}

    def take(self, tick: int, changes: tuple[Change, ...]) -> None:
        """Take in what changed at a tick of the session."""
        moved = set()
        for change in changes:
            match change:
                case AgentMoved(seat, pose):
                    self._poses[seat] = pose
                    moved.add(seat)
                case HolderChanged(handle, holder):
                    for seat in [s for s, thing in self._held.items() if thing == handle]:
                        del self._held[seat]
                        moved.add(seat)
                    if holder is not None:
                        self._held[holder] = handle
                        moved.add(holder)
        for seat in moved:
            self._mark(seat, tick)

    def _mark(self, seat: str, tick: int) -> None:
        marks = self._marks.get(seat)
        if marks is None or seat not in self._poses:
            return
        at = 0 if self.started is None else tick - self.started
        mark = _Mark(at, self._poses[seat], self._held.get(seat))
        if marks and marks[-1].tick == at:
            marks[-1] = mark
        else:
            marks.append(mark)

    def states(self) -> Iterator[SeatStates]:
        """Yield the states of each seat up to the end; none of an episode that never started."""
        if self.started is None:
            return
        last = self.last if self.ended is None else self.ended
        for seat, marks in self._marks.items():
            if marks:
                yield _filled(seat, marks, last - self.started + 1)


def seat_states(recording: Recording) -> Iterator[SeatStates]:
    """Yield the states of each occupied seat of an episode; none of one that never started.

    Raises RecordingError.
    """
    seats = tuple(s.seat.seat_id for s in recording.header.spec.seats if s.occupied)
    reader = StateReader(seats)
    is_loaded = False
    with recording.folding():
        for line in recording.decoded():
            match line:
                case Keyframe() if not is_loaded:
                    is_loaded = True
                    reader.started, reader.last = line.started_tick, line.tick
                    reader.take(line.tick, line.changes)
                case TickLine():
                    reader.last = line.tick
                    phases = {e.phase for e in line.events if isinstance(e, PhaseChanged)}
                    if reader.started is None and "running" in phases:
                        reader.started = line.tick
                    if reader.ended is None:
                        reader.take(line.tick, line.changes)
                    if reader.ended is None and "ended" in phases:
                        reader.ended = line.tick
    yield from reader.states()


def _filled(seat: str, marks: list[_Mark], n_ticks: int) -> SeatStates:
    """Return a state for each tick: what a mark says holds until the next."""
    starts = np.array([mark.tick for mark in marks])
    starts[0] = 0
    lengths = np.diff(np.append(starts, n_ticks))
    poses = np.array([(*m.pose.position, m.pose.yaw, m.pose.pitch) for m in marks])
    held = list(dict.fromkeys(mark.held for mark in marks))
    index = np.array([held.index(mark.held) for mark in marks])
    return SeatStates(seat, np.repeat(poses, lengths, axis=0), held, np.repeat(index, lengths))
