"""Public view of a session: what every player may know, at wire precision.

It is kept up to date from the session's single list of changes and answers two questions: what is
everything (`snapshot`), and what changed since a version (`frame_since`). A version counts updates;
a connection remembers the version that it was last sent. What lies inside closed furniture is not
in the view: it appears when the furniture is opened and vanishes when it closes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET

from episodes.rules import RuleProfile
from episodes.scene import template_name
from episodes.world import (
    FLOOR,
    AgentMoved,
    Change,
    HolderChanged,
    ObjectMoved,
    PartMoved,
    StateChanged,
    SupportChanged,
)
from server.sessions.events import (
    Begun,
    Blocked,
    DoingChanged,
    Event,
    FinishChanged,
    OccupantChanged,
    PresenceChanged,
)
from server.sessions.spec import SeatSpec
from server.sessions.state import EpisodeState
from server.wire.messages import (
    AgentState,
    AimEvent,
    Appeared,
    ChatLine,
    ClockEvent,
    FlagState,
    Frame,
    HolderState,
    LimitEvent,
    ObjectState,
    PartState,
    PhaseEvent,
    RefusedEvent,
    SaidEvent,
    SeatInfo,
    Snapshot,
    WireEvent,
)
from server.wire.quantise import agent_state, mm, mm3, rotation_vector
from server.worker.view.entity_table import EntityTable
from server.worker.view.event_messages import aim_event, or_minus_one, tell
from server.worker.view.house_snapshot import HouseSnapshot
from server.worker.view.latest_values import LatestValues
from server.worker.view.seat_states import SeatStates

_CHAT_LINES = 200
"""Lines of the conversation that somebody who joins late is shown."""


class EpisodeInfo(msgspec.Struct, frozen=True):
    """Facts of an episode that a snapshot tells."""

    episode_id: str
    task_text: str
    profile: RuleProfile
    asset_root: str
    programs: frozenset[str] = frozenset()
    """Seats of which players are told that a program drives them."""


class PublicView:
    """Public view of one episode. ``state`` is the session's: it is read, never changed."""

    def __init__(
        self,
        episode: EpisodeInfo,
        house: HouseSnapshot,
        seats: Sequence[SeatSpec],
        state: EpisodeState,
        labels: Mapping[str, str],
    ) -> None:
        world = state.world
        self.version = 0
        self.tick = state.tick
        self.phase: str = state.phase
        self.started_tick = or_minus_one(state.started_tick)
        self.clock_tick = or_minus_one(state.clock_tick)
        self._clock_waits = state.clock_waits
        self._limit = state.limit or 0
        self._finishing = state.limit != state.full_limit
        self._episode = episode
        self._house = house
        self._world = world
        self._specs = tuple(seats)
        self._seats_now = state.seats
        self._seat_index = {spec.seat.seat_id: i for i, spec in enumerate(seats)}
        self._seats = SeatStates(self._seat_index, state.seats, state.tick)
        self._table = EntityTable(house, world, labels)
        self._agents: LatestValues[str, AgentState] = LatestValues()
        self._objects: LatestValues[str, ObjectState] = LatestValues()
        self._parts: LatestValues[tuple[str, int], PartState] = LatestValues()
        self._holders: LatestValues[str, HolderState] = LatestValues()
        self._flags: LatestValues[tuple[str, str], FlagState] = LatestValues()
        self._comings: LatestValues[str, bool] = LatestValues()
        """Entities that appeared (true) or vanished (false), by when that was last."""
        self._events: list[tuple[int, str | None, WireEvent]] = []
        self._more_than_motion = 0
        """Last version at which anything changed but where bodies are."""
        self._chat = [
            ChatLine(line.tick, self._seat_index[line.seat], line.text)
            for line in state.chat[-_CHAT_LINES:]
            if line.tick > state.chat_shown_after
        ]
        for handle in house.furniture:
            self._enter(handle)
        self._look_again(world.objects)
        self._fold(world.everything())

    # What happened

    def update(self, tick: int, changes: Iterable[Change], events: Iterable[Event]) -> None:
        """Take over what a tick changed. The session's world already contains it."""
        self.version += 1
        self.tick = tick
        self._fold(changes)
        for event in events:
            self._more_than_motion = self.version
            self._tell(event)

    def refuse(self, seat: str, event: RefusedEvent) -> None:
        """Tell one seat that something it sent makes no sense (it names nothing visible)."""
        self._more_than_motion = self.version + 1
        self._events.append((self.version + 1, seat, event))

    @property
    def has_events(self) -> bool:
        """Whether there are events that somebody may have yet to be sent."""
        return bool(self._events)

    def forget_events(self, version: int) -> None:
        """Drop the events up to a version that every connection has been sent."""
        if self._events and self._events[0][0] <= version:
            self._events = [entry for entry in self._events if entry[0] > version]

    def event_count(self, version: int) -> int:
        """Return how many events somebody at a version has yet to be sent."""
        return sum(1 for changed, _, _ in self._events if changed > version)

    # What is asked

    def handle(self, index: int) -> str | None:
        """Return the entity that an index of the snapshot means; None if it is not in view."""
        return self._table.handle(index)

    def seat_number(self, seat: str | None) -> int:
        """Return the index of a seat in the snapshot; -1 for a watcher."""
        return -1 if seat is None else self._seat_index[seat]

    def entity_number(self, handle: str | None) -> int:
        """Return the index of an entity in the snapshot; -1 for one that is out of sight."""
        return self._table.number(handle)

    def shown_number(self, handle: str) -> int:
        """Return the index of an entity, or of what it lies in where it is out of sight."""
        number = self._table.number(handle or None)
        for _ in range(16):
            if number >= 0 or not handle:
                break
            handle = (self._world.supports.get(handle) or "").partition("|")[0]
            number = self._table.number(handle or None)
        return number

    def room_number(self, room_id: str) -> int:
        """Return the index of a room; -1 for what is none."""
        return self._house.room_index.get(room_id, -1)

    def aims(self) -> tuple[AimEvent, ...]:
        """Return what robots are about to do now, for those who have just been shown the rest."""
        return tuple(
            aim_event(seat, seated.aim, self.tick, self)
            for seat, seated in self._seats_now.items()
            if seated.aim is not UNSET
        )

    def place_label(self, where: str) -> str:
        """Return what a player reads for a support."""
        return FLOOR if where == FLOOR else self._table.label(where.partition("|")[0])

    def has_private(self, version: int, seat: str) -> bool:
        """Tell whether there are events after ``version`` for this seat alone."""
        for changed, to, _ in reversed(self._events):
            if changed <= version:
                return False
            if to == seat:
                return True
        return False

    def frame_since(self, version: int, seat: str | None) -> Frame | None:
        """Return what a seat's connection at ``version`` misses; None if nothing."""
        if self._more_than_motion <= version:
            agents = self._agents.since(version)
            return Frame(self.tick, agents) if agents else None
        comings = [
            (handle, self._table.is_visible(handle)) for handle in self._comings.keys_since(version)
        ]
        appeared = {handle for handle, visible in comings if visible}
        objects = self._objects.since(version)
        if appeared:
            indices = {self._table.index[handle] for handle in appeared}
            objects = tuple(o for o in objects if o.index not in indices)
        frame = Frame(
            tick=self.tick,
            agents=self._agents.since(version),
            objects=objects,
            parts=self._parts.since(version),
            holders=self._holders.since(version),
            flags=self._flags.since(version),
            seats=self._seats.since(version, self.tick),
            events=self._events_since(version, seat) if self._events else (),
            appeared=tuple(
                [Appeared(self._table.index[h], self._table.entity(h)) for h in sorted(appeared)]
            ),
            vanished=tuple([self._table.index[h] for h, visible in comings if not visible]),
            templates=self._table.templates_since(version),
        )
        return frame if _says_something(frame) else None

    def _events_since(self, version: int, seat: str | None) -> tuple[WireEvent, ...]:
        return tuple(
            event
            for changed, to, event in self._events
            if changed > version and (to is None or to == seat)
        )

    def snapshot(self) -> Snapshot:
        """Return everything that a player may know now."""
        episode, profile = self._episode, self._episode.profile
        return Snapshot(
            tick=self.tick,
            episode_id=episode.episode_id,
            task_text=episode.task_text,
            phase=self.phase,
            started_tick=self.started_tick,
            time_limit_ticks=self._limit,
            asset_root=episode.asset_root,
            stage_asset=self._house.scene.stage_asset,
            profile=profile.name,
            features=profile.features,
            reach=mm(profile.reach_m),
            seats=tuple(self._seat_info(spec) for spec in self._specs),
            rooms=self._house.rooms,
            templates=self._table.templates(),
            entities=self._table.entities(),
            walkable=self._house.walkable,
            agents=tuple(sorted(self._agents.values(), key=lambda state: state.seat)),
            parts=tuple(state for state in self._parts.values() if state.value != 0),
            holders=tuple(state for state in self._holders.values() if state.seat >= 0),
            flags=tuple(state for state in self._flags.values() if state.value),
            chat=tuple(self._chat),
            finishing=self._finishing,
            clock_tick=self.clock_tick,
        )

    # Changes

    def _fold(self, changes: Iterable[Change]) -> None:
        version = self.version
        moved: list[str] = []
        look_again = False
        for change in changes:
            if isinstance(change, AgentMoved):
                seat = change.seat
                state = agent_state(self._seat_index[seat], change.pose)
                self._agents.put(seat, state, version)
                continue
            self._more_than_motion = version
            match change:
                case ObjectMoved(handle, _):
                    moved.append(handle)
                case PartMoved(furniture, part, value):
                    number = self._table.index[furniture]
                    opened = PartState(number, part, mm(value))
                    self._parts.put((furniture, part), opened, version)
                    look_again = True
                case HolderChanged(handle, _):
                    moved.append(handle)
                    look_again = True
                case SupportChanged():
                    look_again = True
                case StateChanged(handle, name, flag):
                    if self._table.is_visible(handle):
                        self._put_flag(handle, name, flag)
        if look_again:
            self._look_again(self._world.objects)
        for handle in moved:
            if self._table.is_visible(handle):
                self._put_object(handle)

    def _look_again(self, handles: Iterable[str]) -> None:
        for handle in handles:
            hidden = self._is_shut_in(handle)
            if hidden != (not self._table.is_visible(handle)):
                if hidden:
                    self._leave(handle)
                else:
                    self._enter(handle)

    def _is_shut_in(self, handle: str) -> bool:
        world, doors = self._world, self._house.doors_of
        below: str | None = handle
        for _ in range(16):
            if below is None or below in world.holders:
                return False
            below = world.supports.get(below)
            if below is None or below == FLOOR:
                return False
            door = doors.get(below)
            if door is not None:
                return self._house.is_shut(door, world.joints.get(door, 0.0))
            if "|" in below:
                return False
        return False

    def _enter(self, handle: str) -> None:
        self._table.enter(handle, self.version)
        self._comings.touch(handle, True, self.version)
        template = self._house.catalogue.templates[template_name(handle)]
        for name in template.affords:
            if self._world.states.get((handle, name)):
                self._put_flag(handle, name, True)
        if handle in self._world.objects:
            self._put_object(handle)

    def _leave(self, handle: str) -> None:
        self._table.leave(handle)
        self._comings.touch(handle, False, self.version)
        self._objects.drop(handle)
        self._holders.drop(handle)
        for name in self._house.catalogue.templates[template_name(handle)].affords:
            self._flags.drop((handle, name))

    def _put_object(self, handle: str) -> None:
        index = self._table.index[handle]
        holder = self._world.holders.get(handle)
        if holder is not None:
            self._holders.put(handle, HolderState(index, self._seat_index[holder]), self.version)
            self._objects.drop(handle)
            return
        if handle in self._holders:
            self._holders.put(handle, HolderState(index, -1), self.version)
        position, rotation = self._world.objects[handle]
        state = ObjectState(index, mm3(position), rotation_vector(rotation))
        self._objects.put(handle, state, self.version)

    def _put_flag(self, handle: str, name: str, value: bool) -> None:
        self._flags.put(
            (handle, name), FlagState(self._table.index[handle], name, value), self.version
        )

    # Events

    def _tell(self, event: Event) -> None:
        match event:
            case PresenceChanged(seat, presence, left):
                self._seats.put_presence(seat, self.version, presence, left, self.tick)
            case FinishChanged(seat, finished):
                self._seats.put(seat, self.version, finished=finished)
            case DoingChanged(seat, text):
                self._seats.put(seat, self.version, doing=text)
            case OccupantChanged(seat):
                # Who drives a seat is not for players to know. What somebody else was doing there
                # is over.
                self._seats.put(seat, self.version, doing="")
            case Blocked(stage="pushes" | "lets_go") | Begun():
                pass
            case _:
                to, told = tell(event, self.tick, self)
                self._events.append((self.version, to, told))
                if isinstance(told, SaidEvent):
                    line = ChatLine(told.tick, told.seat, told.text)
                    self._chat = [*self._chat[1 - _CHAT_LINES :], line]
                elif isinstance(told, PhaseEvent):
                    self.phase = told.phase
                    if told.phase == "running" and self.started_tick < 0:
                        self.started_tick = told.tick
                        if not self._clock_waits:
                            self.clock_tick = told.tick
                elif isinstance(told, ClockEvent):
                    self.clock_tick = told.tick
                elif isinstance(told, LimitEvent):
                    self._limit, self._finishing = told.time_limit_ticks, told.finishing

    # Encoding

    def _seat_info(self, spec: SeatSpec) -> SeatInfo:
        seat = spec.seat.seat_id
        body = self._world.bodies[seat]
        state = self._seats.at(seat, self.tick)
        return SeatInfo(
            seat_id=seat,
            kind=spec.seat.kind,
            occupied=spec.occupied,
            presence=state.presence,
            finished=state.finished,
            speed=mm(self._episode.profile.speed[spec.seat.kind]),
            radius=mm(body.radius),
            height=mm(body.height),
            eye=mm3(body.eye),
            carry=mm3(body.carry),
            seconds_left=state.seconds_left,
            doing=state.doing,
            program=seat in self._episode.programs,
        )


def _says_something(frame: Frame) -> bool:
    return any(msgspec.structs.astuple(frame)[1:])
