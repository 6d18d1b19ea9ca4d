"""A browser's knowledge of a session: the fold of a snapshot and the frames after it.

Written from docs/protocol.md alone, as a stranger would, so that it can be held against the server.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from server.wire.messages import (
    AgentState,
    ChatLine,
    EntityInfo,
    Frame,
    LimitEvent,
    PhaseEvent,
    SaidEvent,
    Snapshot,
    TemplateInfo,
    WireEvent,
)

Triple = tuple[int, int, int]


@dataclass
class Thing:
    """An entity in view."""

    info: EntityInfo
    position: Triple
    rotation: Triple
    holder: int = -1
    flags: dict[str, bool] = field(default_factory=dict)


class ClientModel:
    """Apply a snapshot first, then frames in their order."""

    def __init__(self) -> None:
        self.tick = -1
        self.episode_id = self.task_text = ""
        self.phase = ""
        self.started_tick = -1
        self.limit = (0, False)
        """In ticks from the start, and whether somebody has finished."""
        self.templates: list[TemplateInfo] = []
        self.things: dict[int, Thing] = {}
        self.agents: dict[int, AgentState] = {}
        self.parts: dict[tuple[int, int], int] = {}
        self.seats: dict[int, tuple[str, bool, int]] = {}
        self.chat: list[ChatLine] = []
        self.events: list[WireEvent] = []
        """All events of frames, for whoever waits for one."""

    def apply(self, message: Snapshot | Frame) -> None:
        if isinstance(message, Snapshot):
            self._snapshot(message)
        else:
            self._frame(message)

    def _snapshot(self, snapshot: Snapshot) -> None:
        self.tick, self.episode_id = snapshot.tick, snapshot.episode_id
        self.task_text = snapshot.task_text
        self.phase, self.started_tick = snapshot.phase, snapshot.started_tick
        self.limit = (snapshot.time_limit_ticks, snapshot.finishing)
        self.templates = list(snapshot.templates)
        self.things = {}
        for index, info in enumerate(snapshot.entities):
            if info.template >= 0:
                self._enter(index, info)
        self.agents = {agent.seat: agent for agent in snapshot.agents}
        self.parts = {(p.furniture, p.part): p.value for p in snapshot.parts}
        for held in snapshot.holders:
            self.things[held.index].holder = held.seat
        for flag in snapshot.flags:
            self.things[flag.index].flags[flag.state] = flag.value
        self.seats = {
            n: (s.presence, s.finished, s.seconds_left) for n, s in enumerate(snapshot.seats)
        }
        self.chat = list(snapshot.chat)

    def _frame(self, frame: Frame) -> None:
        self.tick = frame.tick
        self.templates += frame.templates
        for index in frame.vanished:
            self.things.pop(index, None)
        for appeared in frame.appeared:
            self._enter(appeared.index, appeared.entity)
        for moved in frame.objects:
            thing = self.things[moved.index]
            thing.position, thing.rotation = moved.position, moved.rotation
        for part in frame.parts:
            self.parts[part.furniture, part.part] = part.value
        for held in frame.holders:
            thing = self.things[held.index]
            thing.holder = held.seat
            if held.seat >= 0:
                thing.position = thing.rotation = (0, 0, 0)
        for flag in frame.flags:
            self.things[flag.index].flags[flag.state] = flag.value
        for agent in frame.agents:
            self.agents[agent.seat] = agent
        for seat in frame.seats:
            self.seats[seat.seat] = (seat.presence, seat.finished, seat.seconds_left)
        for event in frame.events:
            self._event(event)

    def _enter(self, index: int, info: EntityInfo) -> None:
        self.things[index] = Thing(info, info.position, info.rotation)

    def _event(self, event: WireEvent) -> None:
        self.events.append(event)
        match event:
            case PhaseEvent(tick, phase):
                self.phase = phase
                if phase == "running" and self.started_tick < 0:
                    self.started_tick = tick
            case LimitEvent(_, limit, finishing):
                self.limit = (limit, finishing)
            case SaidEvent(tick, seat, text):
                self.chat.append(ChatLine(tick, seat, text))

    # What a test asks

    def known(self) -> dict[str, object]:
        """Return everything known, in a form in which equal knowledge is equal."""
        return {
            "phase": (self.episode_id, self.phase, self.started_tick, self.limit),
            "things": {
                index: (
                    self.name(index),
                    thing.info.number,
                    thing.info.label,
                    thing.info.room,
                    thing.position,
                    thing.rotation,
                    thing.holder,
                    {name for name, value in thing.flags.items() if value},
                )
                for index, thing in self.things.items()
            },
            "agents": self.agents,
            "parts": {key: value for key, value in self.parts.items() if value != 0},
            "seats": self.seats,
            "chat": self.chat[-200:],
        }

    def name(self, index: int) -> str:
        """Return the PARTNR handle of an entity."""
        info = self.things[index].info
        return f"{self.templates[info.template].name}_:{info.instance:04d}"

    def index(self, handle: str) -> int:
        """Return the index of a handle in view.

        Raises KeyError.
        """
        for index in self.things:
            if self.name(index) == handle:
                return index
        raise KeyError(handle)
