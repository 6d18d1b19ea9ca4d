"""Doings of an episode: its trace, and when each seat moved, spoke, was away and was where."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from episodes.dataset.model import Proposition
from episodes.errors import error_log
from episodes.evaluation import Surroundings
from episodes.trace import Trace
from episodes.world import AgentMoved
from server.personal.sealing import FORGOTTEN, KEYLESS
from server.recording.log_records import (
    Header,
    Keyframe,
    Line,
    ModelCalled,
    Paced,
    PageMeasured,
    TickLine,
)
from server.recording.recorded_houses import RecordedHouses, known_surroundings
from server.recording.recordings import Recording
from server.recording.traces import trace_of
from server.research.measures.named_things import NamedThings
from server.sessions.events import Did, PhaseChanged, PresenceChanged, Said
from server.sessions.intents import Select
from server.sessions.policy_records import CallRecord
from server.sessions.spec import TICK_RATE
from server.wire.messages import PageStats

PAUSE_TICKS = TICK_RATE // 2
"""Ticks without a sign of activity after which a seat is idle."""
ROOM_TICKS = 5
"""Ticks between two looks at the room in which a body is."""


class Span(NamedTuple):
    """A stretch from tick ``start`` up to tick ``end`` of the episode."""

    start: int
    end: int


class Spoken(NamedTuple):
    """A line of chat, of which only the length is kept, and what it names."""

    tick: int
    seat: str
    words: int
    named: tuple[str, ...] = ()
    """Things that can be carried; none where the house is not known."""


class Stay(NamedTuple):
    """A stay of a seat's body in a room, up to tick ``end``."""

    seat: str
    room: str
    start: int
    end: int


class Doings(NamedTuple):
    """Doings of the occupied seats; ticks count from the start, and spans end at the end."""

    trace: Trace
    started_tick: int
    """Tick of the session at which the episode started."""
    goals: Sequence[Proposition]
    limit_s: float | None
    """Time limit of the episode; None: it has none of its own."""
    active: Mapping[str, Sequence[Span]]
    """Stretches of activity: the body moved or turned, acted, or its player spoke, with pauses of
    half a second at most."""
    spoken: Sequence[Spoken]
    hidden: Mapping[str, Sequence[Span]]
    """Stretches in which somebody was connected and away: the page hidden, or long untouched."""
    disconnected: Mapping[str, Sequence[Span]]
    rooms: Sequence[Stay] | None
    """Stays in rooms, in the order of their beginnings; None: the house is not known."""
    turned: Mapping[str, float]
    """Angle that each seat's body turned by, whichever way, in radians."""
    calls: Sequence[CallRecord]
    """Calls of models; their ticks are the session's."""
    errors: Mapping[str, Mapping[str, int]]
    """Numbers of the records of the error log, by seat and class."""
    selected: Mapping[str, int] = {}
    """Numbers of selections of a thing, by seat."""
    pages: Mapping[str, Sequence[PageStats]] = {}
    """Figures of the pages, by seat; programs have none."""
    paces: Sequence[Paced] = ()
    """Lateness of the ticks; none where nobody waited for them."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Occupied seats, in the order of the session."""
        return self.trace.occupied

    @property
    def duration_s(self) -> float:
        """Time from start to end."""
        return self.trace.ticks / TICK_RATE

    def idle(self, seat: str) -> list[Span]:
        """Return the stretches in which a seat was not active."""
        found, last = [], 0
        for span in self.active.get(seat, ()):
            if span.start > last:
                found.append(Span(last, span.start))
            last = span.end
        if last < self.trace.ticks:
            found.append(Span(last, self.trace.ticks))
        return found


def doings_of(
    recording: Recording,
    houses: RecordedHouses | None = None,
    also: Iterable[Callable[[Line], None]] = (),
) -> Doings:
    """Return the doings of a recorded episode, in one pass; ``also`` are told each of its lines.

    Raises RecordingError.
    """
    header = recording.header
    seats = [seat.seat.seat_id for seat in header.spec.seats if seat.occupied]
    reader = _Reader(seats, known_surroundings(header, houses))
    trace = trace_of(recording, None, houses, also=(reader.take, *also))
    return reader.doings(trace, header)


def merged(ticks: Iterable[int], end: int) -> list[Span]:
    """Return stretches of ticks with pauses of half a second at most, cut off at an end."""
    found: list[Span] = []
    for tick in ticks:
        if tick > end:
            break
        if found and tick - found[-1].end <= PAUSE_TICKS:
            found[-1] = Span(found[-1].start, tick)
        else:
            # What is seen at a tick was done in the one before.
            found.append(Span(max(0, tick - 1), tick))
    return found


class _Reader:
    """Reader of the lines of an episode, whose end it is told when all are read."""

    def __init__(self, seats: Iterable[str], surroundings: Surroundings | None) -> None:
        self._surroundings = surroundings
        self._names = None if surroundings is None else NamedThings(surroundings)
        self.started: int | None = None
        """Tick of the session at which the episode started; None: it has not."""
        self.signs: dict[str, list[int]] = {seat: [] for seat in seats}
        self.spoken: list[Spoken] = []
        self.hidden: dict[str, list[tuple[int, bool]]] = {}
        self.disconnected: dict[str, list[tuple[int, bool]]] = {}
        self._stays: list[Stay] = []
        self._in_room: dict[str, tuple[str, int]] = {}
        self._looked: dict[str, int] = {}
        self._heading: dict[str, float] = {}
        self._turned: dict[str, float] = {}
        self._calls: list[CallRecord] = []
        self.selected: Counter[str] = Counter()
        self.pages: dict[str, list[PageStats]] = {}
        self.paces: list[Paced] = []

    def take(self, line: Line) -> None:
        match line:
            case Keyframe() if self.started is None and line.started_tick is not None:
                self.started = line.started_tick
                self._changes(0, line.changes, are_moves=False)
            case Keyframe() if self.started is None:
                self._changes(0, line.changes, are_moves=False)
            case TickLine():
                self._take(line)
            case ModelCalled(_, _, call):
                self._calls.append(call)
            case PageMeasured(_, _, seat, stats):
                self.pages.setdefault(seat, []).append(stats)
            case Paced() if self.started is not None:
                self.paces.append(line)

    def _take(self, line: TickLine) -> None:
        if self.started is None:
            starts = any(isinstance(e, PhaseChanged) and e.phase == "running" for e in line.events)
            self.started = line.tick if starts else None
            self._changes(0, line.changes, are_moves=False)
            self._presences(0, line)
            return
        tick = line.tick - self.started
        self._changes(tick, line.changes, are_moves=True)
        self._presences(tick, line)
        for heard in line.intents:
            if isinstance(heard.intent, Select) and heard.intent.target is not None:
                self.selected[heard.seat] += 1
        for event in line.events:
            match event:
                case Did(seat) if seat in self.signs:
                    self._sign(seat, tick)
                case Said(seat, text) if seat in self.signs:
                    self._sign(seat, tick)
                    named = () if self._names is None else self._names.in_line(text)
                    words = 0 if text in (FORGOTTEN, KEYLESS) else len(text.split())
                    self.spoken.append(Spoken(tick, seat, words, named))

    def _sign(self, seat: str, tick: int) -> None:
        ticks = self.signs[seat]
        if not ticks or ticks[-1] != tick:
            ticks.append(tick)

    def _changes(self, tick: int, changes: Iterable[object], *, are_moves: bool) -> None:
        for change in changes:
            if isinstance(change, AgentMoved) and change.seat in self.signs:
                if are_moves:
                    self._sign(change.seat, tick)
                self._turn(change, is_counted=are_moves)
                self._look(tick, change)

    def _turn(self, moved: AgentMoved, *, is_counted: bool) -> None:
        seat, yaw = moved.seat, moved.pose.yaw
        if is_counted and seat in self._heading:
            # The shorter way round.
            angle = abs(math.remainder(yaw - self._heading[seat], math.tau))
            self._turned[seat] = self._turned.get(seat, 0.0) + angle
        self._heading[seat] = yaw

    def _look(self, tick: int, moved: AgentMoved) -> None:
        seat, about = moved.seat, self._surroundings
        if about is None or (tick and tick - self._looked.get(seat, -ROOM_TICKS) < ROOM_TICKS):
            return
        self._looked[seat] = tick
        room = about.room_at(moved.pose.position)
        before, since = self._in_room.get(seat, ("", tick))
        if room is None or room == before:
            return
        if before:
            self._stays.append(Stay(seat, before, since, tick))
        self._in_room[seat] = (room, tick)

    def _presences(self, tick: int, line: TickLine) -> None:
        for event in line.events:
            if isinstance(event, PresenceChanged):
                is_gone = event.presence in ("reconnecting", "gone")
                self.hidden.setdefault(event.seat, []).append((tick, event.presence == "away"))
                self.disconnected.setdefault(event.seat, []).append((tick, is_gone))

    def doings(self, trace: Trace, header: Header) -> Doings:
        """Return what was read, up to the end of the episode."""
        end = trace.ticks
        return Doings(
            trace,
            header.tick if self.started is None else self.started,
            header.task.evaluation_propositions,
            header.episode_spec.time_limit_s,
            {seat: merged(ticks, end) for seat, ticks in self.signs.items()},
            [spoken for spoken in self.spoken if spoken.tick <= end],
            {seat: _spans(self.hidden.get(seat, ()), end) for seat in trace.occupied},
            {seat: _spans(self.disconnected.get(seat, ()), end) for seat in trace.occupied},
            None if self._surroundings is None else self._stays_until(end),
            self._turned,
            self._calls,
            self._errors(trace),
            self.selected,
            self.pages,
            [pace for pace in self.paces if pace.tick - (self.started or 0) <= end],
        )

    def _errors(self, trace: Trace) -> Mapping[str, Mapping[str, int]]:
        about = self._surroundings
        if about is None:
            return error_log(trace).counts()
        return error_log(trace, within=about.within, things=frozenset(about.labels)).counts()

    def _stays_until(self, end: int) -> list[Stay]:
        """Return the stays in rooms, those that go on at the end among them."""
        on = [Stay(seat, room, since, end) for seat, (room, since) in self._in_room.items()]
        kept = (
            stay._replace(end=min(stay.end, end))
            for stay in (*self._stays, *on)
            if stay.start <= end
        )
        return sorted(kept, key=lambda stay: (stay.start, stay.seat))


def _spans(marks: Sequence[tuple[int, bool]], end: int) -> list[Span]:
    """Return the stretches in which what is marked holds."""
    found, since = [], None
    until = [(tick, holds) for tick, holds in marks if tick <= end]
    for tick, holds in (*until, (end, False)):
        if holds and since is None:
            since = tick
        elif not holds and since is not None:
            if tick > since:
                found.append(Span(since, tick))
            since = None
    return found
