"""Switchboard: the remote policies that are connected, and the questions that they are asked."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

import msgspec

from server.robots.models.request import DeadlineError, GarbageError, ModelError, UnavailableError
from server.robots.remote.messages import (
    VERSION,
    Decide,
    Decided,
    Dropped,
    Over,
    Refused,
    ToPolicy,
    Welcome,
    decision_of,
)

Tell = Callable[[ToPolicy], None]
"""Sender of a message to a policy; it never waits."""
FROZEN_S = 4.0
"""Seconds without an answer to a ping after which a policy is given nothing new to play."""
LATE_FOR_S = 60.0
"""Seconds for which it is given nothing new after an answer that did not come, unless one comes."""


class PolicyAwayError(UnavailableError):
    """A remote policy that is not connected."""


class PolicyLine:
    """A connected policy: what it is asked, and what it has not answered yet."""

    def __init__(
        self,
        name: str,
        tell: Tell,
        displace: Callable[[], None],
        unanswered_s: Callable[[], float],
        wait_s: float,
    ) -> None:
        self.name, self.tell, self.displace = name, tell, displace
        self._unanswered_s, self._wait_s = unanswered_s, wait_s
        self._late_until = 0.0
        """The time of the event loop until which it counts as late, unless it answers."""
        self._numbers = itertools.count(1)
        self._open: dict[str, asyncio.Future[Decided]] = {}
        self._games: set[tuple[str, str]] = set()
        """Games and seats that it was asked about and was not told the end of."""

    def answers(self) -> bool:
        """Tell whether it has answered the last ping, and the last question in time."""
        is_late = asyncio.get_running_loop().time() < self._late_until
        return not is_late and self._unanswered_s() < FROZEN_S

    async def ask(self, game: str, seat: str, seed: int, view: bytes) -> Decided:
        """Ask what a seat does next.

        Raises DeadlineError, GarbageError for an answer that is no decision, and PolicyAwayError
        if it is gone before it answers.
        """
        number = str(next(self._numbers))
        answer: asyncio.Future[Decided] = asyncio.get_running_loop().create_future()
        self._open[number] = answer
        self._games.add((game, seat))
        self.tell(Decide(number, game, seat, seed, msgspec.Raw(view)))
        reason = "nobody waits for it any more"
        try:
            async with asyncio.timeout(self._wait_s):
                return await answer
        except TimeoutError as error:
            reason = f"no decision within {self._wait_s:g} s"
            self._late_until = asyncio.get_running_loop().time() + LATE_FOR_S
            raise DeadlineError(f"remote policy {self.name}: {reason}") from error
        finally:
            if self._open.pop(number, None) is not None and not _is_settled(answer):
                self.tell(Dropped(number, reason))

    def take(self, answer: Decided) -> None:
        """Take in an answer; one that nobody waits for any more is a sign of life."""
        self._late_until = 0.0
        waiting = self._open.get(answer.id)
        if waiting is None or waiting.done():
            return
        try:
            decision_of(answer)
        except GarbageError as error:
            self.tell(Refused(answer.id, str(error)))
            waiting.set_exception(error)
            return
        waiting.set_result(answer)

    def over(self, game: str, seat: str) -> None:
        if (game, seat) in self._games:
            self._games.discard((game, seat))
            self.tell(Over(game, seat))

    def leave(self, error: ModelError) -> None:
        """End all that is asked: the policy is gone."""
        for waiting in self._open.values():
            if not waiting.done():
                waiting.set_exception(error)


def _is_settled(answer: asyncio.Future[Decided]) -> bool:
    return answer.done() and not answer.cancelled()


class Switchboard:
    """The connected policies by name. All in one event loop."""

    def __init__(self, wait_s: float) -> None:
        """Make one whose policies have ``wait_s`` seconds for a decision."""
        self._wait_s = wait_s
        self._lines: dict[str, PolicyLine] = {}

    def join(
        self,
        name: str,
        tell: Tell,
        displace: Callable[[], None],
        unanswered_s: Callable[[], float],
    ) -> PolicyLine:
        """Connect a policy and welcome it; ``unanswered_s`` is that of its `Line`.

        A policy of the same name that is connected is gone from then on: its ``displace`` is
        called. Most likely its connection is dead and nobody has noticed.
        """
        before = self._lines.get(name)
        if before is not None:
            before.leave(PolicyAwayError(f"remote policy {name} has connected again"))
            before.displace()
        line = self._lines[name] = PolicyLine(name, tell, displace, unanswered_s, self._wait_s)
        tell(Welcome(VERSION, name, self._wait_s))
        return line

    def leave(self, line: PolicyLine) -> None:
        """Note that a policy is gone."""
        line.leave(PolicyAwayError(f"remote policy {line.name} has hung up"))
        if self._lines.get(line.name) is line:
            del self._lines[line.name]

    def is_connected(self, name: str) -> bool:
        return name in self._lines

    def answers(self, name: str) -> bool:
        """Tell whether a policy is connected and answers: whether it may be given new games."""
        line = self._lines.get(name)
        return line is not None and line.answers()

    async def ask(self, name: str, game: str, seat: str, seed: int, view: bytes) -> Decided:
        """Ask a policy what a seat does next. Raises ModelError, as `PolicyLine.ask` does."""
        line = self._lines.get(name)
        if line is None:
            raise PolicyAwayError(f"no remote policy {name} is connected")
        return await line.ask(game, seat, seed, view)

    def over(self, name: str, game: str, seat: str) -> None:
        """Tell a policy that an episode is over for a seat."""
        line = self._lines.get(name)
        if line is not None:
            line.over(game, seat)
