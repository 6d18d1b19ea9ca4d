"""The specification that a session is made from.

All that decides how it runs is here and in its log header.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from episodes.names import Naming
from episodes.seats import Seat
from episodes.teams import NOBODY, PERSON, Member, Occupant, Team, TeamError

TICK_RATE = 30
"""Simulation steps per second."""
TICK_S = 1.0 / TICK_RATE


WhenGone = Literal["go_on", "policy", "end"]
"""Fate of the seat of somebody who was waited for in vain.

The others go on without, a policy takes it (until its participant comes back), or the episode ends.
"""


class Ending(msgspec.Struct, frozen=True):
    """The end of an episode, within its time limit: everybody who is still there has finished."""

    on_success: bool = False
    """Whether it also ends once its goals hold and nothing that they name is in a hand."""
    robot_wait_s: float | None = 20.0
    """Seconds after the last person has finished in which the policies may still finish.

    None: as long as they want, within the limits.
    """

    def __post_init__(self) -> None:
        wait = self.robot_wait_s
        if wait is not None and not 0 <= wait < math.inf:
            raise ValueError(f"expected a robot_wait_s of 0 or more seconds, or none, got {wait}")


class SeatSpec(msgspec.Struct, frozen=True):
    """A seat and whether somebody is to occupy it. An unoccupied body stands hidden.

    ``policy`` drives it from the start; empty: a participant does.
    """

    seat: Seat
    occupied: bool
    policy: str = ""
    stands_for_person: bool | UnsetType = UNSET
    """Whether the policy's finish and first step count as a person's.

    It is a scripted person of a trial, or plays in a study that does not tell people of it. Unset
    in all other sessions, and in recordings that are older than this.
    """


class EpisodeSpec(msgspec.Struct, frozen=True):
    """An episode: which task, which attempt, and its own id (``epi_…``)."""

    episode_id: str
    dataset: str
    """Path of the data set, relative to the data directory."""
    task_id: str
    try_index: int = 0
    time_limit_s: float | None = None
    seed: int | UnsetType = UNSET
    """Seed of the episode, the same for the groups that a study compares; unset: the session's."""
    without: tuple[str, ...] | UnsetType = UNSET
    """Parts of the interface that people do without, though the rule profile has them."""
    delay_ms: float | UnsetType = UNSET
    """Round trip that is added to each connection of a player."""

    def is_same_task(self, other: EpisodeSpec) -> bool:
        """Tell whether this is another try at the task of ``other``."""
        return (self.dataset, self.task_id) == (other.dataset, other.task_id)

    @property
    def left_out(self) -> frozenset[str]:
        """Parts of the interface that people do without."""
        return frozenset() if self.without is UNSET else frozenset(self.without)


class ChatRules(msgspec.Struct, frozen=True):
    """Rules for the chat of a session, whatever the rule profile allows."""

    is_on: bool = True
    hidden_words: tuple[str, ...] = ()
    """Words of which people are shown stars."""


class SessionSpec(msgspec.Struct, frozen=True):
    """A session, opened with its first episode; later ones follow with `NextEpisode`."""

    session_id: str
    seats: tuple[SeatSpec, ...]
    seed: int
    simulator: str = "household"
    profile: str = "cohabit"
    semantics: str = "documented"
    end_on_success: bool = False
    """Whether success ends it, even with a goal's thing in a hand; for sessions without `ending`.

    Those are older. In them policies have no time of their own, and their finish leaves the others
    as long as a person's does.
    """
    reconnect_window_s: float = 30.0
    """Seconds in which a lost connection may come back before the seat is given up."""
    when_gone: WhenGone = "go_on"
    stand_in: str = ""
    """The policy that takes a seat if ``when_gone`` says so."""
    tells_doing: bool = True
    """Whether players are told what a policy says it is doing (and so that it is one).

    Never of one that stands in for a participant.
    """
    pause_while_away: bool = False
    """Whether nothing moves, and no time passes, while somebody is waited for."""
    idle_s: float = 90.0
    """Seconds without a touch after which somebody is away; 0: never."""
    away_limit_s: float = 90.0
    """Seconds after which somebody away counts as gone, until the first sign of life."""
    finish_wait_s: float = 120.0
    """Seconds the others have to finish once a person has; 0: no limit."""
    ending: Ending | UnsetType = UNSET
    """The end of its episodes; unset in recordings that are older than this."""
    tells_aims: bool | UnsetType = UNSET
    """Whether players are shown what a robot is about to do, where and why, if they are told its
    doing; unset, as in trials and older recordings: they are not."""
    naming: Naming | UnsetType = UNSET
    """The labels of things; unset, as in trials and older recordings: ``numbers``."""
    clock_wait_s: float | UnsetType = UNSET
    """Seconds for which a task's clock waits for the others after the first person has begun.

    Unset: it starts with the episode, as in trials, under ``partnr`` and in older recordings.
    """

    told_programs: tuple[str, ...] | UnsetType = UNSET
    """Seats of which players are told that programs drive them, whatever does; unset: the truth, or
    nothing, as `tells_doing` says."""
    purpose: Literal["tutorial"] | UnsetType = UNSET
    """Kind of the session; unset: one like all others."""
    is_substituted: bool | UnsetType = UNSET
    """Whether a policy has a place from the start that the condition has for a person; unset: none
    has."""
    permits: tuple[str, ...] | UnsetType = UNSET
    """Uses of the recording that all its people have agreed to (`Permission`); unset: they were not
    asked, as in open play."""
    chat: ChatRules | UnsetType = UNSET
    """Rules for its chat, of its study; unset: the rule profile's alone."""

    @property
    def hidden_words(self) -> tuple[str, ...]:
        """Words of a line of chat that people are shown stars of."""
        return () if self.chat is UNSET else self.chat.hidden_words

    def left_out_of(self, episode: EpisodeSpec) -> frozenset[str]:
        """Return the parts of the interface that people do without in an episode."""
        has_chat = self.chat is UNSET or self.chat.is_on
        return episode.left_out | (frozenset() if has_chat else {"chat"})

    @classmethod
    def of(cls, session_id: str, team: Team, seed: int, **settings: Any) -> SessionSpec:
        """Return the session of a team; ``settings`` are the other fields.

        Raises TeamError where it is still open which policy plays a body.
        """
        if not team.is_complete:
            places = [seat_id for seat_id, policy in team.policies.items() if not policy]
            raise TeamError(f"{team} does not say which policy plays {', '.join(places)}")
        seats = tuple(
            SeatSpec(m.seat, m.occupant.kind != "nobody", m.occupant.policy) for m in team.members
        )
        return cls(session_id, seats, seed, **settings)

    @classmethod
    def solo(cls, session_id: str, seed: int) -> SessionSpec:
        """Return a session of one person in the human seat; the robot seat stays empty."""
        return cls.of(session_id, Team.parse("solo"), seed)

    @classmethod
    def pair(cls, session_id: str, seed: int) -> SessionSpec:
        """Return a session of two occupants, one seat of each kind."""
        return cls.of(session_id, Team.parse("pair"), seed)

    @property
    def labels(self) -> Naming:
        """The rule by which things are labelled."""
        return "numbers" if self.naming is UNSET else self.naming

    @property
    def team(self) -> Team:
        """The team that plays, as it was from the start."""
        return Team(tuple(Member(seat.seat, _occupant(seat)) for seat in self.seats))


def _occupant(seat: SeatSpec) -> Occupant:
    if not seat.occupied:
        return NOBODY
    return Occupant("policy", seat.policy) if seat.policy else PERSON
