"""Players that walk and act all the time, and the figures that only players can see.

Each team shares a session. All step to and fro and turn; one picks a thing up and puts it back,
each of the others opens a door and shuts it. A turn carries a mark: the others' clients know by it
how old the input is of which they now see the effect.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence

from episodes.rules import TargetVerb
from server.wire.messages import (
    ActInput,
    ClientMessage,
    DidEvent,
    DriveInput,
    Frame,
    PhaseEvent,
    Ping,
    PlaceInput,
    ReadyInput,
    RefusedEvent,
    ServerMessage,
    Snapshot,
    Welcome,
)
from tests.load.client_model import ClientModel
from tests.load.lean_client import LeanClient
from tests.load.near_task import PICKER, Reach

STEP_S = 0.1
"""Ten inputs a second, as a browser sends while keys are held."""
STEPS_PER_WAY = 4
SPEED_MM_S = 500
ACT_EVERY = 15
"""In steps."""
PING_EVERY = 20
MARKS = 400
"""Turns in thousandths of a radian: enough that a mark comes again long after it was seen."""

Motion = tuple[int, dict[int, tuple[int, int, int, int]]]
"""A tick, and x, z, yaw (mm, mrad) and y of each body by seat."""


class Tally:
    """Counts of what all players together have seen since it was made."""

    def __init__(self) -> None:
        self.travel_s: list[float] = []
        self.frames = 0
        self.done = 0
        self.refused = 0
        self.rules: dict[str, int] = {}


class SharedSession:
    """The knowledge that the players of one session share: marks under way, where things are."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self.marks: dict[int, dict[tuple[int, int], float]] = {}
        """Times of marks that a seat has yet to see, by that seat, then by sender and mark."""
        self.thing = -1
        self.doors: dict[int, int] = {}
        """The furniture that a seat opens."""
        self.yaw: dict[int, int] = {}


class Player:
    """A player, one of those of a session."""

    def __init__(
        self,
        shared: SharedSession,
        tally: Tally,
        rng: random.Random,
        *,
        frame_at: list[float] | None = None,
    ) -> None:
        self._shared, self.tally = shared, tally
        self._picks = False
        """Whether this is the seat that the thing is within reach of."""
        self._client: LeanClient | None = None
        self._address = ("", "", "")
        self._seat = -1
        self._is_playing = False
        self._step = rng.randrange(STEPS_PER_WAY)
        self._acts = rng.randrange(ACT_EVERY)
        self._number = 0
        self._wants_next = True
        self._mark = rng.randrange(MARKS)
        self.motion: list[Motion] | None = None
        """Set to a list to keep how bodies move."""
        self.frame_at = frame_at
        """Times at which frames came, by the monotonic clock; None: they are not kept."""

    async def join(self, url: str, origin: str, token: str) -> None:
        self._address = (url, origin, token)
        self._client = await LeanClient.connect(url, origin, token, self._hear)

    async def return_again(self) -> None:
        """Return as after a loss: a new socket, the same seat."""
        self.leave()
        self._is_playing = False
        await self.join(*self._address)

    @property
    def is_playing(self) -> bool:
        return self._is_playing

    @property
    def is_connected(self) -> bool:
        return self._client is not None and not self._client.closed.done()

    @property
    def bytes_in(self) -> int:
        return 0 if self._client is None else self._client.bytes_in

    def leave(self) -> None:
        if self._client is not None:
            self._client.close()

    def _send(self, message: ClientMessage) -> None:
        assert self._client is not None
        self._client.send(message)

    # Hearing

    def _hear(self, message: ServerMessage, _framed_bytes: int) -> None:
        match message:
            case Frame():
                self._frame(message)
            case Welcome(_, me):
                self._seat = me
                self._shared.marks[me] = {}
            case Snapshot():
                self._is_playing = message.phase == "running"
                self._picks = message.seats[self._seat].seat_id == PICKER
                for agent in message.agents:
                    self._shared.yaw.setdefault(agent.seat, agent.yaw)
                if self._shared.thing < 0:
                    model = ClientModel()
                    model.apply(message)
                    self._shared.thing = model.index(self._shared.reach.handle)
                    doors = self._shared.reach.doors
                    self._shared.doors = {
                        seat: model.index(doors[info.seat_id])
                        for seat, info in enumerate(message.seats)
                        if info.seat_id in doors
                    }
                self._send(ReadyInput())

    def _frame(self, frame: Frame) -> None:
        tally = self.tally
        tally.frames += 1
        if self.frame_at is not None:
            self.frame_at.append(time.monotonic())
        to_see = self._shared.marks[self._seat]
        for agent in frame.agents:
            sent = to_see.pop((agent.seat, agent.yaw), None)
            if sent is not None:
                tally.travel_s.append(time.monotonic() - sent)
        if self.motion is not None:
            bodies = {a.seat: (a.x, a.z, a.yaw, a.y) for a in frame.agents}
            self.motion.append((frame.tick, bodies))
        for event in frame.events:
            match event:
                case DidEvent() if event.seat == self._seat and event.intent_id >= 0:
                    tally.done += 1
                    self._wants_next = not self._wants_next
                case RefusedEvent():
                    tally.refused += 1
                    tally.rules[event.rule] = tally.rules.get(event.rule, 0) + 1
                case PhaseEvent(_, phase):
                    self._is_playing = phase == "running"

    # Doing

    def step(self, now: float) -> None:
        """Send what it sends ten times a second."""
        self._step += 1
        if self._step % PING_EVERY == 0:
            self._send(Ping(int(now * 1000) % 2**31))
        if not self._is_playing:
            return
        self._mark = (self._mark + 1) % MARKS
        yaw = self._shared.yaw[self._seat] + self._mark - MARKS // 2
        yaw = (yaw + 3141) % 6283 - 3141
        for seat, to_see in self._shared.marks.items():
            if seat != self._seat:
                to_see[self._seat, yaw] = now
        way = 1 if self._step // STEPS_PER_WAY % 2 else -1
        self._send(DriveInput(int(now * 1000) % 2**31, 0, SPEED_MM_S * way, yaw, -100))
        self._acts += 1
        if self._acts % ACT_EVERY == 0:
            self._number += 1
            self._send(self._act(int(now * 1000) % 2**31))

    def _act(self, client_ms: int) -> ClientMessage:
        shared, number = self._shared, self._number
        if self._picks:
            if self._wants_next:
                return ActInput(client_ms, number, "pick", shared.thing)
            return PlaceInput(client_ms, number, shared.reach.place_at, 0, -1)
        verb: TargetVerb = "open" if self._wants_next else "close"
        return ActInput(client_ms, number, verb, shared.doors[self._seat])


async def play(players: Sequence[Player]) -> None:
    """Have all players send for ever, spread evenly over the time of a step.

    Players may come and go in the list.
    """
    begun = time.monotonic()
    round_number = 0
    slices = 20
    while True:
        for part in range(slices):
            due = begun + (round_number + part / slices) * STEP_S
            await asyncio.sleep(max(due - time.monotonic(), 0))
            now = time.monotonic()
            for player in players[part::slices]:
                player.step(now)
        round_number += 1
