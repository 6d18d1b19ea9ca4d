"""State that a session remembers of an episode, as the fold of what its log holds.

The core changes this state only through the three functions that also replay a log: `change`,
`happen` and `heed`. What is not reached by them does not survive a crash.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from episodes.bodies import BODIES, Body
from episodes.rules import Refusal
from episodes.world import Change, WorldState
from server.sessions.aim import Aim
from server.sessions.blocking import GAP_TICKS
from server.sessions.events import (
    AimChanged,
    Begun,
    Blocked,
    BlockedStage,
    ClockStarted,
    DoingChanged,
    EndReason,
    Event,
    FinishChanged,
    LimitChanged,
    OccupantChanged,
    Phase,
    PhaseChanged,
    Presence,
    PresenceChanged,
    Said,
)
from server.sessions.intents import Drive, Intent, Look, Select
from server.sessions.spec import SessionSpec
from server.sessions.task_clock import OldClock, TaskClock

STILL = Drive(0.0, 0.0)
AWAY: frozenset[Presence] = frozenset({"empty", "loading", "reconnecting", "gone"})
"""Presences in which nobody drives the body."""


class ChatEntry(NamedTuple):
    tick: int
    seat: str
    text: str


class Heard(NamedTuple):
    """An intent and what became of it: accepted, or refused for a reason."""

    seat: str
    intent: Intent
    refusal: Refusal | None = None


class Push(msgspec.Struct, frozen=True):
    """A seat's push against a body in its way."""

    by: str
    """Seat of the body that was met."""
    since: int
    """The tick at which it began, later by every gap since."""
    until: int | None = None
    """The tick at which the seat let go; None: it pushes."""
    passes: bool = False
    """Whether it has pushed for so long that it passes through."""


class Seated(msgspec.Struct):
    """State of a seat's occupant."""

    occupied: bool
    presence: Presence
    seconds_left: float | None = None
    finished: bool = False
    drive: Drive = STILL
    look: Look | None = None
    selection: Select | None = None
    policy: str = ""
    """Name of the policy that drives the seat; empty: its participant."""
    stands_in: bool = False
    """Whether the policy sits here in place of a participant."""
    doing: str = ""
    """The policy's doing, in its own words."""
    aim: Aim | UnsetType = UNSET
    """The act that its policy is about to do, where players are told."""
    finished_tick: int | UnsetType = UNSET
    """The tick of its finish, later by every pause since; kept where `Ending` says what ends."""
    left_tick: int | UnsetType = UNSET
    """The tick at which a person left without having finished, moved by pauses like the above."""
    push: Push | UnsetType = UNSET
    """The push against a body, where bodies block."""
    stand_in_tick: int | UnsetType = UNSET
    """The latest tick of the episode at which a policy took the seat in place of its participant.
    """
    begun: bool | UnsetType = UNSET
    """Whether its person has begun to play, where the task's clock waits for that."""
    stands_for_person: bool | UnsetType = UNSET
    """Whether its policy is a scripted person, as the seat's spec says."""

    @property
    def counts_as_person(self) -> bool:
        """Whether robots are waited for only so long after its finish."""
        return not self.policy or self.stands_for_person is True

    @property
    def passes_through(self) -> bool:
        """Whether it has pushed its way, and is no obstacle until clear of all, or for 3 s."""
        return self.push is not UNSET and self.push.passes

    @property
    def deserted(self) -> bool:
        """Whether a participant was to play here and is not there (any more)."""
        return self.occupied and (self.presence == "gone" or self.stands_in)


class EpisodeState:
    """The state of an episode: world, phase and seats."""

    def __init__(self, spec: SessionSpec) -> None:
        self.bodies: dict[str, Body] = {s.seat.seat_id: BODIES[s.seat.kind] for s in spec.seats}
        self.world = WorldState(self.bodies)
        self.seats: dict[str, Seated] = {
            s.seat.seat_id: Seated(
                s.occupied,
                "loading" if s.occupied else "empty",
                policy=s.policy,
                stands_for_person=s.stands_for_person,
            )
            for s in spec.seats
        }
        self.ending = spec.ending
        self.tick = 0
        self.phase: Phase = "gathering"
        self.end_reason: EndReason | None = None
        self.started_tick: int | None = None
        self.ended_tick: int | None = None
        self.limit: int | None = None
        """The ticks after its start at which the episode ends."""
        self.full_limit: int | None = None
        """The same if nobody had finished yet."""
        self.limit_of_programs = False
        """Whether the limit was set when all people had finished, for the policies that had not."""
        self.paused_tick: int | None = None
        self.clock: OldClock = UNSET if spec.clock_wait_s is UNSET else TaskClock()
        self.lost_ticks = 0
        """Ticks of the episode that were played and then lost."""
        self.chat: list[ChatEntry] = []
        self.chat_shown_after = -1
        """The tick up to which what was said is shown no more: in an earlier try at the task."""

    def next_episode(self, spec: SessionSpec, *, again: bool = False) -> EpisodeState:
        """Return the state in which another episode of the session begins.

        Everybody who is there loads again; ticks and chat continue, and where it is the same task
        ``again``, what was said before is shown no more. A policy that had given up its own seat
        begins anew.
        """
        state = EpisodeState(spec)
        state.tick, state.chat = self.tick, self.chat
        state.chat_shown_after = self.tick if again else self.chat_shown_after
        for seat, before in self.seats.items():
            after = state.seats[seat]
            if after.policy:
                continue
            after.presence, after.seconds_left = before.presence, before.seconds_left
            after.policy, after.stands_in = before.policy, before.stands_in
            if after.stands_in:
                after.stand_in_tick = state.tick
            if before.presence in ("connected", "ready", "away"):
                after.presence = "loading"
        return state

    @property
    def clock_waits(self) -> bool:
        """Whether the episode runs, but its task's clock does not yet."""
        return self.clock is not UNSET and self.clock.tick is None

    @property
    def clock_tick(self) -> int | None:
        """The tick at which the task's clock started; None before."""
        return self.started_tick if self.clock is UNSET else self.clock.tick

    def change(self, change: Change) -> None:
        """Fold a change of the world."""
        self.world.apply(change)

    def lose(self, ticks: int) -> None:
        """Note that the session goes on from here after it was played further.

        What follows an ended episode is not part of it.
        """
        if self.phase != "ended":
            self.lost_ticks += ticks

    def happen(self, event: Event) -> None:
        """Fold an event of the current tick."""
        match event:
            case PhaseChanged(phase, reason):
                self.phase = phase
                if phase == "running" and self.paused_tick is not None:
                    self._shift_finishes(self.tick - self.paused_tick)
                self.paused_tick = self.tick if phase == "paused" else None
                if phase == "paused":
                    self._stop_pushes()
                if phase == "running" and self.started_tick is None:
                    self.started_tick = self.tick
                elif phase == "ended":
                    self.ended_tick = self.tick
                    self.end_reason = reason
            case PresenceChanged(seat, presence, seconds_left):
                seated = self.seats[seat]
                if self.ending is not UNSET and not seated.policy and not seated.finished:
                    seated.left_tick = self.tick if presence == "gone" else UNSET
                seated.presence = presence
                seated.seconds_left = seconds_left
                if presence in AWAY:
                    seated.drive = STILL
            case FinishChanged(seat, finished):
                self.seats[seat].finished = finished
                if self.ending is not UNSET:
                    self.seats[seat].finished_tick = self.tick if finished else UNSET
            case OccupantChanged(seat, policy, stands_in):
                self.seats[seat].policy = policy
                self.seats[seat].stands_in = stands_in
                self.seats[seat].stands_for_person = UNSET
                if stands_in and self.phase != "ended":
                    self.seats[seat].stand_in_tick = self.tick
                self.seats[seat].drive = STILL
                self.seats[seat].doing = ""
                self.seats[seat].aim = UNSET
            case Blocked(seat, by, stage):
                self.seats[seat].push = pushed(self.seats[seat].push, by, stage, self.tick)
            case Begun(seat):
                self.seats[seat].begun = True
                if self.clock is not UNSET and self.clock.first_tick is None:
                    self.clock = msgspec.structs.replace(self.clock, first_tick=self.tick)
            case ClockStarted(rule):
                assert self.clock is not UNSET
                self.clock = msgspec.structs.replace(self.clock, tick=self.tick, rule=rule)
            case DoingChanged(seat, text):
                self.seats[seat].doing = text
            case AimChanged(seat, aim):
                self.seats[seat].aim = UNSET if aim is None else aim
            case LimitChanged(ticks, full):
                self.set_limits(ticks, full)
            case Said(seat, text):
                self.chat.append(ChatEntry(self.tick, seat, text))

    @property
    def people_have_finished(self) -> bool:
        """Whether no person who is still there has yet to finish."""
        for s in self.seats.values():
            is_waited_for = s.finished_tick is UNSET and s.occupied and s.presence != "gone"
            if is_waited_for and s.counts_as_person:
                return False
        return True

    def set_limits(self, limit: int | None, full: int | None) -> None:
        """Set the limit of the episode, and what it would be if nobody had finished yet."""
        self.limit, self.full_limit = limit, full
        self.limit_of_programs = limit != full and self.people_have_finished

    def _shift_finishes(self, ticks: int) -> None:
        """Let no time have passed, since somebody finished or left, in a pause of so many ticks."""
        for seated in self.seats.values():
            if seated.finished_tick is not UNSET:
                seated.finished_tick += ticks
            if seated.left_tick is not UNSET:
                seated.left_tick += ticks

    def _stop_pushes(self) -> None:
        for seated in self.seats.values():
            if not seated.passes_through:
                seated.push = UNSET

    def heed(self, heard: Heard) -> None:
        """Fold an intent that stays in force: where to walk and look, what is selected."""
        if heard.refusal is not None:
            return
        seated = self.seats[heard.seat]
        match heard.intent:
            case Drive():
                seated.drive = heard.intent
            case Look():
                seated.look = heard.intent
            case Select():
                seated.selection = heard.intent

    def occupied(self) -> list[str]:
        """Return the seats that somebody is to occupy, in the order of the session."""
        return [seat for seat, seated in self.seats.items() if seated.occupied]


def pushed(push: Push | UnsetType, by: str, stage: BlockedStage, tick: int) -> Push | UnsetType:
    """Return what a seat's push becomes at a tick."""
    if stage == "passed":
        return UNSET
    if push is UNSET or stage == "pushes":
        since = tick
        if push is not UNSET and push.until is not None and tick - push.until <= GAP_TICKS:
            since = push.since + tick - push.until
        return Push(by, since, passes=stage == "passes")
    if stage == "lets_go":
        return msgspec.structs.replace(push, until=tick)
    return msgspec.structs.replace(push, by=by, until=None, passes=True)
