"""The policy: understands once, then plans; asks the model again only on surprise or new talk."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from server.robots.models.client import Completes
from server.robots.models.recording import record
from server.robots.models.request import Constraint, Message, ModelError, ModelRequest
from server.robots.policies.cohab.meaning import Meaning, MeaningError, read, schema
from server.robots.policies.cohab.planner import Memory, Move, Planner
from server.robots.policies.cohab.prompts import SYSTEM, again, question
from server.robots.policy import Decision, Do, Finished, PastCall, Pause, PolicyView, SayLine
from server.sessions.model_calls import CallRecord

WAIT_TICKS = 90
ADDRESS = "Could you {0}, please?"


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parts that can be switched off, to see what each is worth."""

    questions: int = 2
    """So often it may ask the partner what is meant."""
    requests: int = 6
    """So often it may ask the partner to do something."""
    listens: bool = True
    """New talk makes it read the instruction again."""
    readings: int = 8
    """So often it may ask the model at all."""
    waits: int = 40
    """After so many waits in a row without news it has finished."""
    max_tokens: int = 700
    """Of one reading."""


class Cohab:
    name = "cohab"

    def __init__(self, model: Completes, options: Options | None = None) -> None:
        self._model = model
        self._calls: list[CallRecord] = []
        self._options = options or Options()
        self._meaning: Meaning | None = None
        self._memory = Memory()
        self._planner: Planner | None = None
        self._heard = 0
        """Lines of chat that were read."""
        self._readings = 0
        self._questions = 0
        self._requests = 0
        self._waits = 0
        self._moved: Move | None = None
        """What the call that ran last was for."""
        self._taken = 0
        """Calls of the history that were learned from."""

    def take_calls(self) -> Sequence[CallRecord]:
        taken, self._calls = self._calls, []
        return taken

    async def decide(self, view: PolicyView) -> Decision:
        self._learn(view)
        if self._must_read(view):
            await self._read(view)
            if (asking := self._question()) is not None:
                return SayLine(asking)
        assert self._planner is not None
        move = self._planner.next_move(view)
        if move is not None and move.ask:
            self._memory.asked.add((move.goal, move.thing))
            if self._requests >= self._options.requests:
                return self._wait(view)
            self._requests += 1
            return SayLine(ADDRESS.format(move.ask))
        if move is None:
            return self._wait(view)
        self._waits = 0
        self._moved = move
        return Do(move.call)

    # Understanding

    def _must_read(self, view: PolicyView) -> bool:
        if self._planner is None:
            return True
        if self._readings >= self._options.readings or not self._options.listens:
            return False
        return any(line.seat != view.seat for line in view.chat[self._heard :])

    async def _read(self, view: PolicyView) -> None:
        """Raises MeaningError when the model's second answer cannot be read either."""
        messages = [Message("system", SYSTEM), Message("user", question(view))]
        try:
            meaning = await self._ask(view, messages)
        except MeaningError as error:
            messages.append(Message("user", again(str(error))))
            meaning = await self._ask(view, messages)
        self._heard = len(view.chat)
        if self._meaning is None or meaning.goals != self._meaning.goals:
            # What was tried for other goals says nothing about these.
            self._memory.failed.clear()
            self._memory.beside.clear()
            self._planner = Planner(meaning.goals, self._memory)
        self._meaning = meaning

    async def _ask(self, view: PolicyView, messages: list[Message]) -> Meaning:
        self._readings += 1
        request = ModelRequest(
            purpose="meaning",
            prompt=tuple(messages),
            max_tokens=self._options.max_tokens,
            constraint=Constraint.json(schema(view.graph)),
        )
        try:
            answer = await self._model.complete(request)
        except ModelError as error:
            self._calls.append(record(request, error))
            raise
        try:
            meaning = read(answer.text)
        except MeaningError as error:
            self._calls.append(record(request, answer, parsed=str(error)))
            messages.append(Message("assistant", answer.text))
            raise
        self._calls.append(record(request, answer, parsed=f"{len(meaning.goals)} goals"))
        return meaning

    def _question(self) -> str | None:
        assert self._meaning is not None
        asked = self._meaning.question.strip()
        if not asked or self._questions >= self._options.questions:
            return None
        self._questions += 1
        return asked

    # Doing

    def _wait(self, view: PolicyView) -> Decision:
        assert self._planner is not None
        self._waits += 1
        if self._planner.is_done(view.graph) or self._waits > self._options.waits:
            return Finished()
        return Pause(WAIT_TICKS)

    def _learn(self, view: PolicyView) -> None:
        """What became of the last move."""
        for past in view.history[self._taken :]:
            if self._moved is not None and past.text == self._moved.call:
                self._note(view, self._moved, past)
        self._taken = len(view.history)
        if view.partner_acts and view.partner_acts[-1].tick >= view.tick - WAIT_TICKS:
            self._waits = 0

    def _note(self, view: PolicyView, move: Move, past: PastCall) -> None:
        memory, planner = self._memory, self._planner
        if move.call.startswith("Explore"):
            memory.explored.append(move.thing)
            return
        if move.goal < 0 and move.call.startswith(("Open", "Navigate")):
            if not past.succeeded:
                memory.opened.add(move.thing)
            return
        if not past.succeeded:
            key = (move.goal, move.thing)
            memory.failed[key] = memory.failed.get(key, 0) + 1
            return
        if planner is not None and ", next_to, " in move.call:
            reference = move.call.rpartition(", ")[2].rstrip("]")
            planner.put_beside(view.graph, move.thing, view.graph.find(reference))
