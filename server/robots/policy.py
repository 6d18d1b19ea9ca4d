"""The base class of policies, the view that they are shown, and the decisions that they make.

A view holds only what its seat has seen and heard. Nothing here, and nothing that a policy
imports, leads to the session or the evaluator; the linter's contracts hold that, and a test looks
at what can be reached from a view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from episodes.bodies import SeatKind
from episodes.poses import Vec3
from episodes.worldgraph import WorldGraph
from server.sessions.policy_records import CallRecord
from server.skills.call import Call, WrittenCall
from server.skills.registry import Skill

LET_GO = "Stopped: something has changed"
"""The end of the response of a call that its own policy has stopped."""


class PastCall(NamedTuple):
    """A skill call of one's own that is over, or what was no call; ticks are the session's."""

    call: WrittenCall
    response: str
    began: int
    ended: int

    @property
    def text(self) -> str:
        """The call as a planner writes it."""
        return str(self.call)

    @property
    def succeeded(self) -> bool:
        return self.response.startswith("Success")

    @property
    def was_let_go(self) -> bool:
        return self.response.endswith(LET_GO)


class SeenAct(NamedTuple):
    """An act of another body that was seen, as the call that does it: ``Pick[cup_3]``."""

    tick: int
    seat: str
    call: Call

    @property
    def text(self) -> str:
        """The call as a planner writes it."""
        return str(self.call)


class Partner(NamedTuple):
    """A body beside the policy's own that somebody plays, as far as the seat is told of it."""

    seat: str
    name: str
    """The name among players, of its body alone: ``robot``, or ``robot 2`` where there are more."""
    kind: SeatKind
    position: Vec3 | None = None
    """The place where it is now; None where the seat does not learn of what it does."""
    finished: bool = False
    left: bool = False
    """Whether whoever played it has gone for good."""

    @property
    def is_at_work(self) -> bool:
        """Whether it may still do something, as far as is known."""
        return not (self.finished or self.left)


class Heard(NamedTuple):
    """A line of chat."""

    tick: int
    seat: str
    text: str


@dataclass(frozen=True)
class PolicyView:
    """The knowledge of one seat when its policy is asked to decide."""

    seat: str
    kind: SeatKind
    tick: int
    instruction: str
    graph: WorldGraph
    """The seat's own copy of its graph, as it was at ``tick``."""
    tools: tuple[Skill, ...]
    """The skills that its body can be asked for."""
    history: tuple[PastCall, ...]
    partner_acts: tuple[SeenAct, ...]
    chat: tuple[Heard, ...]
    position: Vec3
    room: str
    """The name of the room around the body, or empty."""
    doing: Call | None = None
    """The call that is still running; None: there is none.

    Where the next decision is asked for early, graph and history are those that there will be if it
    succeeds.
    """
    partners: tuple[Partner, ...] = ()
    """All other bodies that are played, in the order of the seats."""
    observed_tick: int = 0
    """The tick at which the things around were last looked at; ``graph`` is that old."""
    overtaken: str = ""
    """Reason why the last decision was not carried out, in the words of a failed call.

    The world had changed meanwhile in what it was about. Nothing of it is in the history.
    """

    @property
    def finished(self) -> tuple[str, ...]:
        """The other seats whose occupants have finished, as far as the seat is told."""
        return tuple(partner.seat for partner in self.partners if partner.finished)

    def name_of(self, seat: str) -> str:
        """Return the name of a partner; ``partner`` for the only one, or one that is not told of.

        So a team of two is spoken of as ever.
        """
        names = {p.seat: p.name for p in self.partners} if len(self.partners) > 1 else {}
        return names.get(seat, "partner")


class Do(NamedTuple):
    """The decision to run a skill.

    A call as text, such as ``Pick[cup_0]``, is read when the decision is obeyed.
    """

    call: WrittenCall | str

    @property
    def text(self) -> str:
        """The call as a planner writes it."""
        return str(self.call)


class SayLine(NamedTuple):
    """The decision to say something to the partners; then it is asked again."""

    text: str
    to: str = ""
    """The seat of the partner that is addressed; empty: all. With one partner it changes nothing.
    """


class Pause(NamedTuple):
    """The decision to do nothing for so many ticks, or until something happens."""

    ticks: int


class Finished(NamedTuple):
    """The decision to stop: the task is done, as far as this policy can tell."""


Decision = Do | SayLine | Pause | Finished


class Policy:
    """A brain for one seat of one episode: `decide` is its own, the rest are hooks.

    A hook that is not overridden does nothing.
    """

    in_vain: bool = False
    """Whether a copy made by `ahead` decides as if a search found nothing.

    Its decision is stale once something was found.
    """
    pace_s: float = 0.0
    """Least seconds of session time from one question to the next."""

    why: str = ""
    """The reason of its last decision as a clause, for those who see what it is about to do."""

    async def decide(self, view: PolicyView) -> Decision:
        """Decide what to do next.

        Called again after each decision was carried out. May take long: nothing waits for it but
        its own body. An exception counts as a failed decision, and it is asked again later.
        """
        raise NotImplementedError

    def take_calls(self) -> Sequence[CallRecord]:
        """Return the model calls since the last time, for the log."""
        return ()

    def ahead(self, doing: Call) -> Self | None:
        """Return a copy that decides on its own what comes after the call ``doing`` that runs.

        The copy takes the call to succeed; None where too much depends on what the call brings to
        light, or where a policy never decides early. Either the copy goes on in its place or is
        dropped: neither may change what the other knows.
        """
        return None

    @property
    def reconsiders(self) -> bool:
        """Whether `lets_go` is its own: for other policies nobody looks while a call runs."""
        return type(self).lets_go is not Policy.lets_go

    def lets_go(self, view: PolicyView) -> bool:
        """Tell whether to stop ``view.doing``, the call that runs. What is stopped has failed.

        Asked at once, and without a model, when the partner has done or said something or things
        have come to light.
        """
        return False

    def over(self) -> None:
        """Take note that the seat is played no more: the episode is over, or somebody else has it.

        Called once, from outside of any event loop's task; it must not wait.
        """
