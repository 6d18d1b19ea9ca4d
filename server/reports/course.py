"""Course of an episode: what each seat did when. Pure; needs neither house nor simulator."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from episodes.drawing.steps import TaskSteps
from episodes.drawing.timeline import Course, Lane, Moment, Span, Wait
from episodes.poses import Vec3
from episodes.rules import VERB_TABLE
from episodes.seat_names import look_of, names_of, spoken
from episodes.world import AgentMoved, AgentPose, HolderChanged, ObjectMoved
from server.recording.log_records import Header, Keyframe, Line, TickLine
from server.recording.pushes import Pushed, Pushes
from server.reports.step_marks import StepMarks
from server.sessions.events import Did, PhaseChanged, PresenceChanged, Said
from server.sessions.spec import TICK_RATE, SeatSpec
from server.sessions.state import AWAY

STILL_TICKS = TICK_RATE // 2
"""Ticks of standing after which a body has stopped walking."""

Label = Callable[[str], str]


class Played(NamedTuple):
    """Course of an episode, with where it began and ended.

    ``finals`` says where each object is at the end (m), by handle, and ``starts`` where those who
    played began, by seat; ``start`` is the session's tick from which the course counts.
    """

    course: Course
    finals: dict[str, Vec3]
    starts: dict[str, AgentPose]
    start: int


class _Seat:
    """Collector of what one seat does; ticks are the session's."""

    def __init__(self, spec: SeatSpec) -> None:
        self.spec = spec
        self.walks: list[list[int]] = []
        self.holds: list[Span] = []
        self.acts: list[Moment] = []
        self.chats: list[Moment] = []
        self.away: list[Span] = []
        self.walked_m = 0.0
        self.position: Vec3 | None = None
        self.held: tuple[str, int] | None = None
        self.left: int | None = None
        self.gone: int | None = None
        """Tick at which its occupant left the session, and has not come back since."""

    def move(self, tick: int, position: Vec3) -> None:
        before, self.position = self.position, position
        if before is None:
            return
        way = math.hypot(position[0] - before[0], position[2] - before[2])
        if way < 1e-4:
            return
        self.walked_m += way
        if self.walks and tick - self.walks[-1][1] <= STILL_TICKS:
            self.walks[-1][1] = tick
        else:
            self.walks.append([tick - 1, tick])

    def hold(self, tick: int, what: str | None) -> None:
        if self.held is not None:
            self.holds.append(Span(self.held[1], tick, f"held {self.held[0]}"))
        self.held = None if what is None else (what, tick)

    def be_away(self, tick: int, away: bool) -> None:
        if away and self.left is None:
            self.left = tick
        elif not away and self.left is not None:
            self.away.append(Span(self.left, tick, "was not there"))
            self.left = None


class _Reader:
    def __init__(self, header: Header, steps: TaskSteps, label: Label) -> None:
        self.label = label
        self.marks = StepMarks(steps)
        self.seats = {s.seat.seat_id: _Seat(s) for s in header.spec.seats}
        self.finals: dict[str, Vec3] = {}
        self.starts: dict[str, AgentPose] = {}
        self.holders: dict[str, str] = {}
        self.started: int | None = None
        self.ended: int | None = None
        self.last = header.tick
        self.begun = False
        self.pushes = Pushes()

    def read(self, line: Line) -> None:
        match line:
            case Keyframe() if not self.begun:
                self.begun = True
                self._change(line.tick, line.changes)
                self.marks.begin(line)
                self.started = line.started_tick
            case TickLine():
                self.last = line.tick
                self._change(line.tick, line.changes)
                for event in line.events:
                    self._happen(line.tick, event)
                self.marks.read(line)

    def _change(self, tick: int, changes: Iterable[object]) -> None:
        for change in changes:
            match change:
                case AgentMoved(seat, pose) if seat in self.seats:
                    self.starts.setdefault(seat, pose)
                    self.seats[seat].move(tick, pose.position)
                case ObjectMoved(handle, pose):
                    self.finals[handle] = pose.position
                case HolderChanged(handle, holder):
                    before = self.holders.pop(handle, None)
                    if before in self.seats:
                        self.seats[before].hold(tick, None)
                    if holder in self.seats:
                        self.holders[handle] = holder
                        self.seats[holder].hold(tick, self.label(handle))

    def _happen(self, tick: int, event: object) -> None:
        self.pushes.take(tick, event)
        match event:
            case PhaseChanged("running") if self.started is None:
                self.started = tick
            case PhaseChanged("ended"):
                self.ended = tick
            case Did(seat, verb, target) if seat in self.seats:
                did = VERB_TABLE[verb].did.format(self.label(target))
                self.seats[seat].acts.append(Moment(tick, did))
            case Said(seat, text) if seat in self.seats:
                self.seats[seat].chats.append(Moment(tick, text))
            case PresenceChanged(seat, presence) if seat in self.seats:
                self.seats[seat].be_away(tick, presence in AWAY or presence == "away")
                self.seats[seat].gone = tick if presence == "gone" else None


def played(header: Header, lines: Iterable[Line], steps: TaskSteps, label: Label) -> Played:
    """Return what happened in an episode. ``label`` says what a player calls a thing.

    Times count from the start of play; what happened before it is left out.
    """
    reader = _Reader(header, steps, label)
    for line in lines:
        reader.read(line)
    start = header.tick if reader.started is None else reader.started
    end = reader.last if reader.ended is None else reader.ended
    for handle, holder in reader.holders.items():
        position = reader.seats[holder].position
        if position is not None:
            reader.finals[handle] = position
    called = names_of([seat.seat for seat in header.spec.seats])
    pushes = reader.pushes.until(end)
    lanes = [
        _lane(
            seat,
            called[seat_id],
            start,
            end,
            _waits(pushes.get(seat_id, ()), called, start),
        )
        for seat_id, seat in reader.seats.items()
        if seat.spec.occupied
    ]
    names = {lane.seat: lane.name for lane in lanes}
    return Played(
        Course(
            max(0, end - start),
            tuple(lanes),
            tuple(sorted(reader.marks.marks(names), key=lambda mark: mark.tick)),
        ),
        reader.finals,
        {lane.seat: reader.starts[lane.seat] for lane in lanes if lane.seat in reader.starts},
        start,
    )


def _waits(pushes: Iterable[Pushed], called: Mapping[str, str], start: int) -> Iterable[Wait]:
    """Yield the pushes that a reader is told of: those that lasted."""
    for push in pushes:
        if push.start >= start and push.end - push.start >= TICK_RATE:
            seconds = round((push.end - push.start) / TICK_RATE)
            name = called[push.by]
            words = f"{spoken(name)} stood in the way for {seconds} s"
            yield Wait(push.start - start, push.end - start, words, push.by)


def _lane(seat: _Seat, name: str, start: int, end: int, waits: Iterable[Wait]) -> Lane:
    seat.hold(end, None)
    seat.be_away(end, False)

    def spans(found: Iterable[Span]) -> tuple[Span, ...]:
        return tuple(
            Span(max(s.start, start) - start, min(s.end, end) - start, s.what)
            for s in found
            if s.end > start and s.start < end
        )

    def moments(found: Iterable[Moment]) -> tuple[Moment, ...]:
        return tuple(Moment(m.tick - start, m.what) for m in found if start <= m.tick <= end)

    return Lane(
        seat=seat.spec.seat.seat_id,
        look=look_of(seat.spec.seat),
        name=spoken(name),
        walks=spans(Span(a, b) for a, b in seat.walks),
        holds=spans(seat.holds),
        acts=moments(seat.acts),
        chats=moments(seat.chats),
        away=spans(seat.away),
        waits=tuple(waits),
        walked_m=seat.walked_m,
        left=None if seat.gone is None or seat.gone > end else max(0, seat.gone - start),
    )
