"""A player that follows a list of steps, and the steps.

It acts through the same intents as everybody else, but looks at the whole world: a tool for tests,
load and demonstrations, not a partner.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from episodes.dataset.vocabulary import DEFAULT_L2_THRESHOLD_M
from episodes.rules import TargetVerb
from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Finish, Intent, Ready, Say
from server.sessions.player import Player
from server.sessions.state import STILL
from server.skills.body import Body, Script, SkillError
from server.skills.errands import Relation, change, put, put_anywhere, take, touch
from server.skills.making_way import Courtesy
from server.skills.navigate import go_to


class Go(NamedTuple):
    """The step of walking to where the target can be reached and seen."""

    target: str


class Take(NamedTuple):
    """The step of picking an object up; a closed container is opened first."""

    target: str


class Turn(NamedTuple):
    """The step of opening or closing a part (None: the first that the verb changes)."""

    target: str
    opening: bool
    part: int | None = None


class Put(NamedTuple):
    """The step of putting what the hand holds on or in furniture, or on the floor of a room."""

    target: str
    relation: Relation = "on"
    next_to: str | None = None
    near_m: float = DEFAULT_L2_THRESHOLD_M
    """Distance within which a thing is ``next_to`` another (m)."""


class PutAnywhere(NamedTuple):
    """The step of putting down what the hand holds on the nearest surface."""


class Change(NamedTuple):
    """The step of cleaning, filling or switching; things that need water are carried to a tap."""

    verb: TargetVerb
    target: str


class Speak(NamedTuple):
    text: str


class Rest(NamedTuple):
    ticks: int


class Done(NamedTuple):
    """The step of saying that the task is finished."""


Step = Go | Take | Turn | Put | PutAnywhere | Change | Speak | Rest | Done


def do(body: Body, step: Step) -> Script:
    """Do one step. Raises SkillError when it cannot be done."""
    match step:
        case Go(target):
            yield from go_to(body, target)
        case Take(target):
            yield from take(body, target)
        case Turn(target, opening, part):
            yield from touch(body, "open" if opening else "close", target, part)
        case Put(target, relation, next_to, near_m):
            yield from put(body, target, relation, next_to, near_m)
        case PutAnywhere():
            yield from put_anywhere(body)
        case Change(verb, target):
            yield from change(body, verb, target)
        case Speak(text):
            yield [Say(text)]
        case Rest(ticks):
            for _ in range(ticks):
                yield []
        case Done():
            yield [Finish()]


def begin(core: SessionCore) -> Script:
    """Say that one is ready, and wait for the start."""
    yield [Ready()]
    while core.phase == "gathering":
        yield []


class BodyPlayer(Player):
    """A player whose script moves a body."""

    def __init__(self, seat: str, seed: int = 0) -> None:
        self.seat = seat
        self.failure: SkillError | None = None
        """Reason why the script ended early."""
        self.finished = False
        self._seed = seed
        self._body: Body | None = None
        self._courtesy: Courtesy | None = None
        self._script: Script | None = None

    def script(self, body: Body) -> Script:
        """Do what there is to do, from before the start on."""
        raise NotImplementedError

    def intents(self, core: SessionCore) -> list[Intent]:
        """Return what the script wants before the next step.

        Once it has ended the body only makes way. While the episode is paused the script is, too.
        """
        if core.phase == "paused":
            return []
        if self.finished:
            return [] if self._courtesy is None else self._courtesy.intents()
        if self._script is None:
            self._body = Body(self.seat, core, self._seed)
            self._courtesy = Courtesy(self._body)
            self._script = self.script(self._body)
        try:
            return next(self._script)
        except StopIteration:
            self.finished = True
        except SkillError as failure:
            self.failure = failure
            self.finished = True
        return [STILL]

    def rest(self, ticks: int) -> Script:
        """Stand for some ticks with nothing to do, and make way for whoever pushes meanwhile."""
        courtesy = self._courtesy
        assert courtesy is not None
        for _ in range(ticks):
            yield courtesy.intents()
        while courtesy.is_moving:
            yield courtesy.intents()

    def see(self, tick: Tick) -> None:
        """Take note of what became of the intents."""
        if self._body is not None:
            self._body.see(tick)


class ScriptedPlayer(BodyPlayer):
    """A player that follows steps to their end; one that fails ends it, with ``failure`` set."""

    def __init__(self, seat: str, steps: Iterable[Step], seed: int = 0) -> None:
        super().__init__(seat, seed)
        self._steps = list(steps)

    def script(self, body: Body) -> Script:
        yield from begin(body.core)
        for step in self._steps:
            yield from do(body, step)
