"""Plays a seat for a policy: shows it what the seat knows, runs what it decides.

Nothing here waits: a decision is started, and until it is there the body stands still. What a
policy does wrong (an exception, a call that cannot be read) is told to it as the result of its
call, as PARTNR's planners are told.
"""

from __future__ import annotations

import math

import msgspec

from episodes.worldgraph import Place
from server.robots.knowing import LOOK_TICKS, Knowledge, Observability, Watching
from server.robots.policy import (
    Decision,
    Do,
    Finished,
    PastCall,
    Pause,
    Policy,
    PolicyView,
    SayLine,
)
from server.robots.thinking import Thinker, Thought
from server.robots.wording import in_words
from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Finish, Intent, Ready, Say
from server.sessions.model_calls import CallRecord, SkillRecord
from server.sessions.spec import TICK_RATE
from server.sessions.state import STILL
from server.skills import Body, CallError, Skill, SkillRun, learn, parse, skills_of
from server.skills.feedback import failure

RETRY_TICKS = 2 * TICK_RATE
"""After a failed decision a policy is asked again this much later, and twice as late each time."""
MOST_WAIT_TICKS = 30 * TICK_RATE


class Seating(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a policy sits in its seat, whatever policy it is."""

    observability: Observability = "partial"
    shares_views: bool = True
    partner: Watching = "all"
    max_decisions: int | None = None
    """After so many it has finished (PARTNR's ``replanning_threshold``)."""
    think_s: float = 0.0
    """So long a body pauses before each decision is asked for."""
    revalidate: bool = False
    """Ask again, once, when the world has overtaken an answer."""
    tools: tuple[str, ...] = ()
    """The skills it may use; empty: all of its body's."""


class PolicyPlayer:
    """One seat for one episode. Each tick: `intents`, to be submitted; the core's step; `see`."""

    def __init__(
        self, seat: str, policy: Policy, thinker: Thinker, seating: Seating | None = None
    ) -> None:
        self.seat = seat
        self.policy = policy
        self.seating = seating or Seating()
        self.finished = False
        self.status = ""
        """What the body is doing, in words for its partner."""
        self.decisions = 0
        self._thinker = thinker
        self._thought: Thought | None = None
        self._asked: PolicyView | None = None
        self._again = False
        """The decision under way is a second one, after the first was overtaken."""
        self._run: SkillRun | None = None
        self._began = 0
        self._history: list[PastCall] = []
        self._body: Body | None = None
        self._knows: Knowledge | None = None
        self._wait_until = 0
        self._failures = 0
        self._calls: list[CallRecord] = []
        self._logged = 0
        """How much of the history the log has."""

    # What the runner asks

    def intents(self, core: SessionCore) -> list[Intent]:
        """What to submit before the next step."""
        if self._knows is None or self._body is None:
            self._body = Body(self.seat, core)
            self._knows = Knowledge(
                core,
                self.seat,
                observability=self.seating.observability,
                shares_views=self.seating.shares_views,
                partner=self.seating.partner,
            )
            if core.phase == "gathering":
                return [Ready()]
        if core.phase != "running" or self.finished:
            return []
        if core.tick % LOOK_TICKS == 0:
            self._knows.look()
        if self._run is not None:
            return self._go_on(self._run)
        return self._decide(core)

    def see(self, tick: Tick) -> None:
        """Take note of what a step came to."""
        if self._body is not None and self._knows is not None:
            self._body.see(tick)
            before = len(self._knows.acts) + len(self._knows.chat)
            self._knows.see(tick)
            if len(self._knows.acts) + len(self._knows.chat) > before:
                # Something happened: whoever waits for that waits no longer.
                self._wait_until = min(self._wait_until, tick.tick)

    def take_calls(self) -> list[CallRecord]:
        """The model calls since the last time, with the ticks at which they counted."""
        taken, self._calls = self._calls, []
        return taken

    def take_skills(self) -> list[SkillRecord]:
        """The skill calls that ended since the last time."""
        new, self._logged = self._history[self._logged :], len(self._history)
        return [
            SkillRecord(
                seat=self.seat, call=p.text, response=p.response, began=p.began, ended=p.ended
            )
            for p in new
        ]

    def close(self) -> None:
        """Drop what is being thought. Idempotent."""
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None

    # A skill that runs

    def _go_on(self, run: SkillRun) -> list[Intent]:
        assert self._knows is not None
        wanted = run.intents()
        if not run.response:
            return wanted
        self._run = None
        self._knows.look()
        past = PastCall(str(run.call), run.response, self._began, run.body.core.tick)
        self._history.append(past)
        if past.succeeded:
            learn(self._knows.graph, self.seat, run.call)
        self._wait(run.body.core, self.seating.think_s)
        return wanted

    def _told(self, core: SessionCore, text: str, response: str) -> None:
        """A call that never ran."""
        self._history.append(PastCall(text, response, core.tick, core.tick))

    # Deciding

    def _wait(self, core: SessionCore, seconds: float) -> None:
        self._wait_until = core.tick + math.ceil(seconds * TICK_RATE)

    def _decide(self, core: SessionCore) -> list[Intent]:
        if self._thought is None:
            if core.tick < self._wait_until:
                return []
            cap = self.seating.max_decisions
            if cap is not None and self.decisions >= cap:
                return self._finish()
            self._ask(core)
        thought = self._thought
        assert thought is not None
        self.status = "thinking"
        if not thought.ready(core.tick):
            return []
        self._thought = None
        try:
            decision = thought.result()
        except Exception as error:
            self._note_calls(core, overtaken=False, error=repr(error))
            self._failures += 1
            late = RETRY_TICKS * 2 ** (self._failures - 1)
            self._wait_until = core.tick + min(late, MOST_WAIT_TICKS)
            return [STILL]
        self._failures = 0
        overtaken = self._is_overtaken(core, decision)
        self._note_calls(core, overtaken)
        if overtaken and self.seating.revalidate and not self._again:
            self._again = True
            return [STILL]
        self._again = False
        return self._obey(core, decision)

    def _ask(self, core: SessionCore) -> None:
        self.decisions += 1
        self._asked = self._view(core)
        self._thought = self._thinker.start(self.policy.decide(self._asked), core.tick)

    def _obey(self, core: SessionCore, decision: Decision) -> list[Intent]:
        assert self._body is not None
        assert self._knows is not None
        match decision:
            case Do(text):
                try:
                    call = parse(text, core.world.bodies[self.seat].kind)
                    if call.skill not in self._tools(core):
                        raise CallError(f'Tool "{call.skill.name}" not found')
                except CallError as error:
                    self._told(core, text, failure(str(error)))
                    return [STILL]
                self._began = core.tick
                self._run = SkillRun(self._body, call, self._knows.graph)
                self.status = in_words(call, core.names, self._knows.graph)
                return self._go_on(self._run)
            case SayLine(text):
                return [STILL, Say(text)]
            case Pause(ticks):
                self.status = "waiting"
                self._wait_until = core.tick + max(ticks, 1)
                return [STILL]
            case Finished():
                return self._finish()

    def _finish(self) -> list[Intent]:
        self.finished = True
        self.status = "finished"
        return [STILL, Finish()]

    # What the policy is shown

    def _tools(self, core: SessionCore) -> tuple[Skill, ...]:
        among = skills_of(core.world.bodies[self.seat].kind)
        wanted = self.seating.tools
        return tuple(s for s in among if not wanted or s.name in wanted)

    def _view(self, core: SessionCore) -> PolicyView:
        knows = self._knows
        assert knows is not None
        position = core.world.agents[self.seat].position
        return PolicyView(
            seat=self.seat,
            kind=core.world.bodies[self.seat].kind,
            tick=core.tick,
            instruction=core.task_text,
            graph=knows.graph.copy(),
            tools=self._tools(core),
            history=tuple(self._history),
            partner_acts=tuple(knows.acts),
            chat=tuple(knows.chat),
            position=position,
            room=core.names.graph.get(knows.graph.room_at(position), ""),
        )

    # What the log is told

    def _is_overtaken(self, core: SessionCore, decision: Decision) -> bool:
        """Whether what a call is about has been moved by somebody else since the view."""
        if not isinstance(decision, Do) or self._asked is None or self._knows is None:
            return False
        then, now = self._asked.graph, self._knows.graph
        inner = decision.text.partition("[")[2].rstrip("] ")
        for name in inner.split(","):
            key = then.find(name.strip())
            before = then.objects.get(key) if key is not None else None
            after = now.objects.get(key) if key is not None else None
            if before is None or after is None or before.place == after.place:
                continue
            if after.place != Place("agent", self.seat):
                return True
        return False

    def _note_calls(self, core: SessionCore, overtaken: bool, error: str = "") -> None:
        asked = self._asked
        knows = self._knows
        assert asked is not None
        assert knows is not None
        for call in self.policy.take_calls():
            self._calls.append(
                msgspec.structs.replace(
                    call,
                    seat=self.seat,
                    asked_tick=asked.tick,
                    applied_tick=core.tick,
                    observed_tick=min(knows.observed_tick, asked.tick),
                    overtaken=overtaken,
                    error=call.error or error,
                )
            )
