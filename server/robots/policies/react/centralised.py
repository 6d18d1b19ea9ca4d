"""PARTNR's centralised ReAct: one model that plays all seats, each through a policy of its own.

The seat that is free first asks the model, and the other seats' parts of the answer are kept for
them. An agent that is still busy keeps to its action, whatever the answer says, and the model is
told so. Agents have the numbers that their seats have in the session; PARTNR has two of them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from episodes.seats import Seat
from episodes.worldgraph import describe
from server.robots.grammar import Grammar, calls_of, for_all, vocabulary_of
from server.robots.grammar.answers import STOP, agent_prefix
from server.robots.grammar.calls import DONE
from server.robots.models import Completes, Message
from server.robots.policies.react import prompts
from server.robots.policies.react.conversation import ObjectLines, shortened
from server.robots.policies.react.settings import ReactSettings
from server.robots.policies.shared.generation import ModelQueries
from server.robots.policies.shared.team_prose import is_pair, members_of
from server.robots.policies.shared.tool_prompts import describe_tools
from server.robots.policy import Decision, Do, Finished, Policy, PolicyView
from server.sessions.policy_records import CallRecord
from server.skills.call import WAIT, WrittenCall, read
from server.skills.registry import Skill, skills_of

_LINE = re.compile(r"^Agent_(\d)_Action:\s*(.*)$", re.M)


class CentralPlanner:
    """Planner for all seats of one episode."""

    def __init__(
        self, model: Completes, settings: ReactSettings, tools: Sequence[str] = ()
    ) -> None:
        """Make a planner; ``tools`` names the skills that may be used, none: all of each body's."""
        self.settings = settings
        self._model = model
        self._agents: dict[int, Seat] = {}
        """Seats that it plays, by their numbers in the session; known once it is asked."""
        self._gone: set[str] = set()
        """Seats that are played no more."""
        self._allowed = tools
        self._lock = asyncio.Lock()
        self._messages: tuple[Message, ...] = ()
        self._objects = ObjectLines(settings.states, settings.objects)
        self._given: dict[str, WrittenCall] = {}
        """Call that each seat is doing, or has been given and not taken yet."""
        self._waiting: set[str] = set()
        """Seats whose call has not been taken yet."""
        self._read: dict[str, int] = {}
        self._calls = 0
        self._is_over = False

    def seat(self, seat: str) -> CentralSeat:
        """Return the policy for one seat."""
        return CentralSeat(self, seat, ModelQueries(self._model, self.settings.generation))

    def dismiss(self, seat: str) -> None:
        """Decide no more for a seat: it has left or finished."""
        self._gone.add(seat)

    async def decide(self, view: PolicyView, queries: ModelQueries) -> Decision:
        # Seats that are free at once must not ask twice.
        async with self._lock:
            if view.seat in self._waiting:
                self._waiting.discard(view.seat)
                return Do(self._given[view.seat])
            if not self._is_over:
                await self._ask(view, queries)
            if self._is_over:
                return Finished()
            self._waiting.discard(view.seat)
            return Do(self._given[view.seat])

    async def _ask(self, view: PolicyView, queries: ModelQueries) -> None:
        most = self.settings.most_calls
        if most is not None and self._calls >= most:
            self._is_over = True
            return
        self._calls += 1
        self._agents = self._agents or _played(view)
        objects, listed = self._objects.after_turn(view.graph, None)
        messages = self._conversation(view, listed)
        answer = await queries.ask("act", messages, stop=STOP, grammar=self._grammar(view))
        self._messages = (*messages, Message("assistant", f"{answer.rstrip()}\n{STOP}"))
        self._objects = objects
        self._read[view.seat] = len(view.history)
        if DONE in answer:
            self._is_over = True
            queries.parsed(DONE)
            return
        lines = {int(number): call.strip() for number, call in _LINE.findall(answer)}
        queries.parsed(", ".join(f"{n}: {call}" for n, call in sorted(lines.items())))
        for number, seat in self._agents.items():
            if seat.seat_id == view.seat or seat.seat_id not in self._given:
                # What is no call at all comes back as a failed action, as in PARTNR.
                self._given[seat.seat_id] = read(lines.get(number, ""), seat.kind)
                self._waiting.add(seat.seat_id)

    def _conversation(self, view: PolicyView, listed: str) -> tuple[Message, ...]:
        if not self._messages:
            world = describe(view.graph, None, states=self.settings.states)
            tools = {n: describe_tools(self._tools(seat)) for n, seat in self._agents.items()}
            opening = prompts.opening_all(view.instruction, world, tools)
            system = prompts.system_all(view.graph.seats, list(self._agents))
            return (Message("system", system), Message("user", opening))
        seen = {n: self._observation(view, seat.seat_id) for n, seat in self._agents.items()}
        messages = (*self._messages, Message("user", prompts.turn_all(seen, listed)))
        return shortened(messages, self.settings.context_chars)

    def _observation(self, view: PolicyView, seat: str) -> str:
        if seat in self._gone:
            return prompts.GONE
        return self._result(view) if seat == view.seat else prompts.in_progress(self._given[seat])

    def _result(self, view: PolicyView) -> str:
        new = [past.response for past in view.history[self._read.get(view.seat, 0) :]]
        return "\n".join([*new, view.overtaken]).strip() or "Nothing yet."

    def _grammar(self, view: PolicyView) -> Grammar:
        known = vocabulary_of(view.graph)
        calls = {
            number: calls_of(self._tools(seat), known, prefix=agent_prefix(number), done=False)
            for number, seat in self._agents.items()
        }
        return for_all(calls, self.settings.generation.thought_chars)

    def _tools(self, seat: Seat) -> tuple[Skill, ...]:
        """Return the skills that an agent may use: one that is gone can only wait."""
        names = (WAIT.name,) if seat.seat_id in self._gone else self._allowed
        return tuple(s for s in skills_of(seat.kind) if not names or s.name in names)


def _played(view: PolicyView) -> dict[int, Seat]:
    """Return the seats that are played, by their numbers; a pair's both, as PARTNR's are."""
    every = view.graph.seats
    played = every if is_pair(every) else members_of(view)
    return {number: seat for number, seat in enumerate(every) if seat in played}


class CentralSeat(Policy):
    """Policy for one seat of a central planner."""

    def __init__(self, centre: CentralPlanner, seat: str, queries: ModelQueries) -> None:
        self._centre = centre
        self._seat = seat
        self._model_queries = queries

    async def decide(self, view: PolicyView) -> Decision:
        return await self._centre.decide(view, self._model_queries)

    def take_calls(self) -> Sequence[CallRecord]:
        return self._model_queries.take_calls()

    def over(self) -> None:
        self._centre.dismiss(self._seat)
