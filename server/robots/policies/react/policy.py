"""The ``react`` policy: PARTNR's zero-shot ReAct planner for one seat: think, call, look.

The conversation only grows, so that a server finds the start of each prompt in its cache.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Literal, NamedTuple

from episodes.worldgraph import describe
from server.robots.grammar import Vocabulary, after_thought, calls_of, vocabulary_of
from server.robots.grammar.answers import STOP
from server.robots.grammar.calls import DONE, Query
from server.robots.grammar.validity import problem_with
from server.robots.models import Completes, Message
from server.robots.policies.react import lookup_prompts, prompts
from server.robots.policies.react.conversation import ObjectLines, last_line, shortened
from server.robots.policies.react.settings import ReactSettings
from server.robots.policies.shared.discovery_skills import DISCOVERY_SKILLS
from server.robots.policies.shared.generation import ModelQueries
from server.robots.policies.shared.quotations import partner_lines
from server.robots.policies.shared.retrieval import Example
from server.robots.policies.shared.team_prose import holders_of
from server.robots.policies.shared.tool_prompts import describe_tools
from server.robots.policy import Decision, Do, Finished, Pause, Policy, PolicyView, SayLine
from server.sessions.policy_records import CallRecord
from server.sessions.spec import TICK_RATE
from server.skills.call import WAIT, Call, WrittenCall, read
from server.skills.feedback import SUCCESS
from server.skills.registry import WAIT_TICKS

LOOKUPS = ("FindObjectTool", "FindReceptacleTool", "FindRoomTool")
PARTNER_TOOL = "FindAgentActionTool"
PARTNER_TICKS = 10
"""Ticks that PARTNR lets pass before it tells what the partner does."""
QUERY_CHARS = 60
LINE_CHARS = 120
UNREADABLE_PAUSE_TICKS = 5 * TICK_RATE
"""Pause after two answers that are no calls (ticks); any event ends it sooner."""


class _ToolQuery(NamedTuple):
    """Call of a tool that is not a skill, with its argument."""

    tool: str
    asked: str


_Answer = WrittenCall | _ToolQuery | Literal["Done[]"]


class React(Policy):
    """Policy for one seat of one episode."""

    def __init__(
        self,
        model: Completes,
        settings: ReactSettings | None = None,
        example: Example | None = None,
    ) -> None:
        self.settings = settings or ReactSettings()
        self._model_queries = ModelQueries(model, self.settings.generation)
        self._example = example
        self._messages: tuple[Message, ...] = ()
        self._objects = ObjectLines(self.settings.states, self.settings.objects)
        self._note = ""
        """Result of the last call that was not a skill."""
        self._read = self._heard = 0
        """Number of past calls (`_read`) and chat lines (`_heard`) that the model has been told."""
        self._said = 0
        self._is_confirmed = False
        self._last: _Answer | None = None
        self._times = 0

    def take_calls(self) -> Sequence[CallRecord]:
        return self._model_queries.take_calls()

    def ahead(self, doing: Call) -> React | None:
        """Return a copy that decides while ``doing`` runs; None where that may find things."""
        if doing.name in DISCOVERY_SKILLS:
            return None
        # All that it remembers is replaced, never changed: a shallow copy is one of its own.
        other = copy.copy(self)
        other._model_queries = self._model_queries.fork()
        return other

    async def decide(self, view: PolicyView) -> Decision:
        messages, objects = self._conversation(view)
        known = vocabulary_of(view.graph)
        answer, messages = await self._answer(view, messages, known)
        # Only now: a call that fails leaves everything as it was, to be asked again.
        self._messages = messages
        self._objects = objects
        self._read, self._heard = len(view.history), len(view.chat)
        self._note = ""
        return await self._obey(view, answer)

    # Telling

    def _conversation(self, view: PolicyView) -> tuple[tuple[Message, ...], ObjectLines]:
        """Return the conversation with what is new."""
        heard = self._new_chat(view)
        objects, listed = self._objects.after_turn(view.graph, view.seat)
        if self.settings.information == "tools":
            listed = ""
        if not self._messages:
            return self._opening(view, heard), objects
        text = prompts.turn(self._result(view), listed, heard)
        messages = (*self._messages, Message("user", text))
        return shortened(messages, self.settings.context_chars), objects

    def _opening(self, view: PolicyView, heard: str) -> tuple[Message, ...]:
        example = "" if self._example is None else self._example.text
        system = prompts.system(view, hears=self.settings.hears, example=example)
        world = ""
        if self.settings.information == "summary":
            holders = holders_of(view.graph.seats)
            world = describe(view.graph, view.seat, states=self.settings.states, holders=holders)
        tools = describe_tools(view.tools, [query.name for query in self._queries(view)])
        opening = prompts.opening(view.instruction, world, tools, heard)
        return (Message("system", system), Message("user", opening))

    def _result(self, view: PolicyView) -> str:
        results = [past.response for past in view.history[self._read :]]
        if view.overtaken:
            results.append(view.overtaken)
        if self._note:
            results.append(self._note)
        most = self.settings.repeats
        if results and most is not None and self._times > most and self._last != WAIT:
            results.append(prompts.REPEATED.format(times=self._times))
        return "\n".join(results)

    def _new_chat(self, view: PolicyView) -> str:
        if not self.settings.hears:
            return ""
        return partner_lines(view, (h for h in view.chat[self._heard :] if h.seat != view.seat))

    def _queries(self, view: PolicyView) -> list[Query]:
        """Return the tools that are not skills."""
        found = []
        if self.settings.information == "tools":
            found = [Query(name, QUERY_CHARS) for name in LOOKUPS] + [Query(PARTNER_TOOL)]
        if self.settings.most_lines:
            found.append(Query("Say", LINE_CHARS))
        return found

    # Asking

    async def _answer(
        self, view: PolicyView, messages: tuple[Message, ...], known: Vocabulary
    ) -> tuple[_Answer | None, tuple[Message, ...]]:
        """Return the call of the answer, None where none is valid, and the conversation with it."""
        calls = calls_of(view.tools, known, self._queries(view))
        grammar = after_thought(calls, self.settings.generation.thought_chars)
        example = self._example
        more = {} if example is None else {"example": example.name, "library": example.library}
        for last in (self.settings.bad_answer == "result", True):
            answer = await self._model_queries.ask(
                "act", messages, stop=STOP, grammar=grammar, more=more
            )
            messages = (*messages, Message("assistant", f"{answer.rstrip()}\n{STOP}"))
            text = DONE if DONE in answer else last_line(answer)
            said = self._parsed(view, text)
            problem = self._problem(view, said, known)
            self._model_queries.parsed(problem or text)
            if not problem or self.settings.bad_answer == "result":
                return said, messages
            if not last:
                messages = (*messages, Message("user", prompts.corrected(problem)))
        return None, messages

    def _parsed(self, view: PolicyView, text: str) -> _Answer:
        if text == DONE:
            return DONE
        name, bracket, rest = text.partition("[")
        is_query = name in [query.name for query in self._queries(view)]
        if is_query and bracket and rest.endswith("]"):
            return _ToolQuery(name, rest[:-1].strip())
        return read(text, view.kind)

    def _problem(self, view: PolicyView, said: _Answer, known: Vocabulary) -> str:
        if isinstance(said, str | _ToolQuery):
            return ""
        return problem_with(said, view.tools, known)

    # Obeying

    async def _obey(self, view: PolicyView, said: _Answer | None) -> Decision:
        self._times = self._times + 1 if said == self._last else 1
        self._last = said
        if said is None:
            self._note = prompts.NOTHING_DONE
            return Pause(UNREADABLE_PAUSE_TICKS)
        if isinstance(said, str):
            if self.settings.confirms_done and not self._is_confirmed:
                self._is_confirmed = True
                self._note = prompts.sure(view.instruction)
                return Pause(1)
            return Finished()
        self._is_confirmed = False
        if said == WAIT and self.settings.hears:
            self._note = SUCCESS
            return Pause(WAIT_TICKS)
        return await self._use(view, *said) if isinstance(said, _ToolQuery) else Do(said)

    async def _use(self, view: PolicyView, tool: str, asked: str) -> Decision:
        if tool == "Say":
            if self._said >= self.settings.most_lines or not asked:
                self._note = prompts.SAID_ENOUGH
                return Pause(1)
            self._said += 1
            self._note = prompts.SAID
            return SayLine(asked[:LINE_CHARS])
        if tool == PARTNER_TOOL:
            self._note = lookup_prompts.partner(view)
            return Pause(PARTNER_TICKS)
        listed = lookup_prompts.listed(tool, view.graph, view.seat, view.position)
        if not listed:
            self._note = lookup_prompts.NO_OBJECTS
            return Pause(1)
        prompt = (Message("user", lookup_prompts.prompt(tool, listed, asked)),)
        answer = await self._model_queries.ask("look up", prompt, stop=lookup_prompts.STOP)
        self._note = answer.strip()
        return Pause(1)
