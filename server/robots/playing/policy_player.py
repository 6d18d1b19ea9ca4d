"""The player of a policy: it shows the policy what the seat knows, and runs what it decides.

Nothing here waits: a decision is started, and until it is there the body stands still. What a
policy does wrong (an exception, a call that cannot be read) is told to it as the result of its
call, as PARTNR's planners are told.
"""

from __future__ import annotations

import math

from server.robots.playing.activity_text import in_words
from server.robots.playing.call_aims import call_aim
from server.robots.playing.call_notes import CallNotes
from server.robots.playing.closing import LOOKING, Closing
from server.robots.playing.decision_reader import with_call_read
from server.robots.playing.failures import NO_ANSWER, FailureStreak, failed_again
from server.robots.playing.knowledge import LOOK_TICKS, Knowledge
from server.robots.playing.prefetch import Prefetch, foreseen
from server.robots.playing.revalidation import OVERTAKEN, TOLD, has_news, moved_since, overtaken_by
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.shown_views import spoken, tools_of, view_of
from server.robots.playing.thinkers import Thinker, Thought
from server.robots.policy import (
    LET_GO,
    Decision,
    Do,
    Finished,
    PastCall,
    Pause,
    Policy,
    PolicyView,
    SayLine,
)
from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Finish, Intent, Ready, Say
from server.sessions.player import FailedDecisions, Player
from server.sessions.policy_records import CallRecord, SkillRecord
from server.sessions.spec import TICK_RATE
from server.sessions.state import STILL
from server.skills import (
    SUCCESS,
    Body,
    Call,
    Skill,
    SkillRun,
    Unparsed,
    learn,
)
from server.skills.feedback import failure
from server.skills.making_way import Courtesy

OVER = "the episode is over"


class PolicyPlayer(Player):
    """A policy in its seat, for one episode."""

    def __init__(
        self, seat: str, policy: Policy, thinker: Thinker, seating: SeatOptions | None = None
    ) -> None:
        self.seat = seat
        self.policy = policy
        self.seating = seating or SeatOptions()
        self.finished = False
        self.status = ""
        """The body's doing, in words for its partner."""
        self.decisions = 0
        self.trouble: FailureStreak | None = None
        """The streak of failures that its last decisions are; None: the last one did not fail."""
        self.failed = 0
        """Number of decisions that failed, in all."""
        self.made = 0
        """Number of decisions that did not fail."""
        self.last_failure: Exception | None = None
        self._thinker = thinker
        self._thought: Thought | None = None
        self._asked: PolicyView | None = None
        self._overtaken = ""
        """Reason why the last decision was not carried out; the one under way is the second try."""
        self._run: SkillRun | None = None
        self._ahead: Prefetch | None = None
        self._dropped: list[tuple[Prefetch, str]] = []
        """Early decisions that did not count, and why, until what they asked is in the log."""
        self._foreseen: SkillRun | None = None
        """The call after which it was asked early, or need not be."""
        self._began = 0
        self._known = 0
        """Value of `_news` when the policy was asked last."""
        self._history: list[PastCall] = []
        self._body: Body | None = None
        self._courtesy: Courtesy | None = None
        self._knows: Knowledge | None = None
        self._wait_until = 0
        """The end of a pause that the policy wanted, unless something happens before."""
        self._not_before = 0
        """The end of its time to think, or of the wait after a failure, whatever happens."""
        self._notes = CallNotes(seat)
        self._closing = Closing(self.seating.closes_s)
        self._is_over = False

    # What the runner asks

    def intents(self, core: SessionCore) -> list[Intent]:
        """Run the skill under way, or get the next decision and carry it out.

        A body whose policy thinks, waits or has finished makes way for whoever pushes at it.
        """
        wanted = self._intents(core)
        if self._courtesy is None:
            return wanted
        return self._courtesy.beside(wanted, is_busy=self._run is not None)

    def _intents(self, core: SessionCore) -> list[Intent]:
        if self._knows is None or self._body is None:
            self._body = Body(self.seat, core)
            self._courtesy = Courtesy(self._body)
            self._knows = Knowledge(
                core,
                self.seat,
                observability=self.seating.observability,
                shares_views=self.seating.shares_views,
                partner=self.seating.partner,
                tells_finish=self.seating.tells_finish,
            )
            if core.phase == "gathering":
                return [Ready()]
        if core.phase != "running" or self.finished:
            return []
        # The second: while people came and loaded, nobody looked.
        if core.tick % LOOK_TICKS == 0 or core.tick - self._knows.observed_tick > LOOK_TICKS:
            self._knows.look()
        due = self._closing.due
        if due is not None and core.tick >= due:
            self._cut_off()
            return self._finish()
        if self._run is not None:
            self._reconsider(self._run)
            return self._go_on(self._run)
        return self._decide(core)

    def see(self, tick: Tick) -> None:
        """Take note of what a step came to."""
        if self._body is not None and self._knows is not None:
            self._body.see(tick)
            before, finished = len(self._knows.acts) + len(self._knows.chat), self._knows.finished
            self._knows.see(tick)
            happened = len(self._knows.acts) + len(self._knows.chat) > before
            if happened or self._knows.finished != finished:
                # Something happened: whoever waits for that waits no longer.
                self._wait_until = min(self._wait_until, tick.tick)
            if self._closing.begins(self._knows):
                self._look_up()
            if self._body.core.phase == "ended":
                if self._run is not None:
                    self._end_with(self._run)
                self.close()

    def take_calls(self) -> list[CallRecord]:
        """Return the model calls since the last time, with the ticks at which they counted."""
        self._keep_dropped()
        return self._notes.take_calls()

    def take_skills(self) -> list[SkillRecord]:
        """Return the skill calls that ended since the last time."""
        return self._notes.take_skills(self._history)

    def close(self) -> None:
        """Drop what is being thought, and tell the policy that it is over. Idempotent."""
        self._abandon()
        self._tell_over()

    def _tell_over(self) -> None:
        """Tell the policy, once, that its seat is played no more."""
        if not self._is_over:
            self._is_over = True
            self.policy.over()

    def _abandon(self) -> None:
        """Drop the decision that nobody waits for any more; what was asked for it is noted."""
        if self._thought is not None and self._asked is not None:
            self._thought.cancel()
            self._dropped.append((Prefetch(self.policy, self._asked, self._thought), OVER))
            self._thought = None
            self._keep_dropped()
        self._drop(OVER)

    @property
    def gave_up(self) -> str:
        """Reason why its seat counts as left: no decision for `gives_up_s`; empty: it does not."""
        trouble, most = self.trouble, self.seating.gives_up_s
        if trouble is None or most is None or trouble.lasted_s < most:
            return ""
        return f"no decision for {most:g} s: {trouble.error!r}"

    @property
    def failed_decisions(self) -> FailedDecisions | None:
        """The policy's decisions that failed; None where none did."""
        if self.last_failure is None:
            return None
        streak_s = None if self.trouble is None else self.trouble.lasted_s
        return FailedDecisions(self.failed, self.failed + self.made, self.last_failure, streak_s)

    # A skill that runs

    def _go_on(self, run: SkillRun) -> list[Intent]:
        assert self._knows is not None
        wanted = run.intents()
        if self.seating.speed < 1:
            body = run.body.core.world.bodies[self.seat]
            wanted = self.seating.paced(wanted, run.body.rules.speed[body.kind])
        if not run.response:
            if self._ahead is None and self.seating.prefetch:
                self._look_ahead(run)
            return wanted
        self._run = None
        self._knows.look()
        past = PastCall(run.call, run.response, self._began, run.body.core.tick)
        self._history.append(past)
        if past.succeeded:
            learn(self._knows.graph, self.seat, run.call)
        if self._ahead is not None and (why := self._ahead.stale(self._knows, past.response)):
            self._drop(why)
        self._take_time(past.ended)
        return wanted

    def _end_with(self, run: SkillRun) -> None:
        """Note what a call came to under which the episode has ended, often because of it.

        One that was cut off came to nothing, and does not go on after the end.
        """
        run.intents()
        self._run = None
        if run.response:
            self._history.append(PastCall(run.call, run.response, self._began, run.body.core.tick))

    def _reconsider(self, run: SkillRun) -> None:
        """Stop a skill that a policy thinks better of, now that it knows more."""
        assert self._knows is not None
        news = self._news(self._knows)
        if self.policy.reconsiders and news > self._known:
            self._known = news
            self._knows.look()
            if self.policy.lets_go(self._view(run.body.core, doing=run.call)):
                run.stop(LET_GO)

    def _look_up(self) -> None:
        """Stop what changes nothing: everybody else has finished, and little may be left to do."""
        run = self._run
        if run is not None and run.call.name in LOOKING and run.body.held is None:
            run.stop(LET_GO)

    def _cut_off(self) -> None:
        """Drop what is under way, as nothing is waited for any more."""
        self._run = None
        self._abandon()
        self._tell_over()

    @staticmethod
    def _news(knows: Knowledge) -> int:
        """Count the things, acts of others and lines of chat that are known."""
        return len(knows.graph.objects) + len(knows.acts) + len(knows.chat)

    def _told(self, core: SessionCore, written: Unparsed) -> None:
        """Add a call that never ran to the history."""
        response = failure(written.problem)
        self._history.append(PastCall(written, response, core.tick, core.tick))

    # Deciding early

    def _look_ahead(self, run: SkillRun) -> None:
        """Ask for what comes after a call that runs, if the policy can tell."""
        cap = self.seating.max_decisions
        if run is self._foreseen or (cap is not None and self.decisions >= cap):
            return
        self._foreseen = run
        copy = self.policy.ahead(run.call)
        if copy is None:
            return
        core = run.body.core
        view = foreseen(self._view(core), run, self._began)
        self.decisions += 1
        self._ahead = Prefetch(copy, view, self._thinker.start(copy.decide(view), core.tick))

    def _drop(self, why: str) -> None:
        if self._ahead is not None:
            self._ahead.thought.cancel()
            self._dropped.append((self._ahead, why))
            self._ahead = None
            self._keep_dropped()

    def _keep_dropped(self) -> None:
        # What is being cancelled notes its call only when its end has come.
        over = [(ahead, why) for ahead, why in self._dropped if ahead.thought.is_over()]
        self._dropped = [item for item in self._dropped if item not in over]
        for ahead, why in over:
            self._notes.keep(ahead.policy, ahead.view, overtaken=why == OVERTAKEN, stale=why)

    def _early(self, core: SessionCore, ahead: Prefetch) -> list[Intent]:
        """Carry out what was asked for early, as soon as it is there, if it still holds."""
        assert self._knows is not None
        self.status = "thinking"
        if why := ahead.stale(self._knows, SUCCESS):
            self._drop(why)
            return self._decide(core)
        due = max(self._not_before, ahead.view.tick + self.seating.latency_ticks)
        if core.tick < due or not ahead.thought.ready(core.tick):
            return []
        try:
            decision = self._as_made(core, ahead.thought.result())
        except Exception as error:
            self._drop(repr(error))
            return self._decide(core)
        if moved_since(decision, self.seat, ahead.view.graph, self._knows.graph):
            self._drop(OVERTAKEN)
            return self._decide(core)
        self._ahead = None
        self.trouble, self.made = None, self.made + 1
        # The copy knows all that the policy did, and what it has just decided.
        self.policy, self._asked = ahead.policy, ahead.view
        self._note_calls(core, overtaken=False)
        return self._obey(core, decision)

    # Deciding

    def _take_time(self, since: int) -> None:
        assert self._asked is not None
        self._not_before = max(
            since + math.ceil(self.seating.think_s * TICK_RATE),
            self._asked.tick + math.ceil(self.policy.pace_s * TICK_RATE),
        )

    def _decide(self, core: SessionCore) -> list[Intent]:
        if self._ahead is not None:
            return self._early(core, self._ahead)
        if self._thought is None:
            if core.tick < max(self._wait_until, self._not_before):
                return []
            cap = self.seating.max_decisions
            if cap is not None and self.decisions >= cap:
                self._tell_over()
                return self._finish()
            self._ask(core)
        thought = self._thought
        assert thought is not None
        assert self._asked is not None
        self.status = "thinking" if self.trouble is None else NO_ANSWER
        due = self._asked.tick + self.seating.latency_ticks
        if core.tick < due or not thought.ready(core.tick):
            return []
        self._thought = None
        try:
            decision = self._as_made(core, thought.result())
        except Exception as error:
            self._note_calls(core, overtaken=False, error=repr(error))
            self._failed(core, error)
            return [STILL]
        self.trouble, self.made = None, self.made + 1
        assert self._asked is not None
        assert self._knows is not None
        moved = moved_since(decision, self.seat, self._asked.graph, self._knows.graph)
        why = overtaken_by(moved, decision, self._asked, self._knows)
        if why and self._may_ask_again():
            self._notes.keep(self.policy, self._asked, overtaken=bool(moved), stale=why)
            self._overtaken = failure(TOLD[why].format(thing=moved))
            return [STILL]
        self._overtaken = ""
        self._note_calls(core, overtaken=bool(moved))
        return self._obey(core, decision)

    def _failed(self, core: SessionCore, error: Exception) -> None:
        assert self._asked is not None
        self.trouble = failed_again(self.trouble, self._asked.tick, core.tick, error)
        self.failed, self.last_failure = self.failed + 1, error
        self._not_before = core.tick + self.trouble.wait_ticks

    def _may_ask_again(self) -> bool:
        cap = self.seating.max_decisions
        has_left = cap is None or self.decisions < cap
        return self.seating.revalidate and has_left and not self._overtaken

    def _ask(self, core: SessionCore) -> None:
        self.decisions += 1
        assert self._knows is not None
        self._known = self._news(self._knows)
        self._asked = self._view(core)
        self._thought = self._thinker.start(self.policy.decide(self._asked), core.tick)

    def _obey(self, core: SessionCore, decision: Decision) -> list[Intent]:
        assert self._body is not None
        assert self._knows is not None
        # After a call: from its end on.
        self._take_time(core.tick)
        self._closing.note(decision, core.tick)
        match decision:
            case Do(Unparsed() as written):
                self._told(core, written)
                return [STILL]
            case Do(Call() as call):
                self._began = core.tick
                self._run = SkillRun(self._body, call, self._knows.graph, self.seating.speed)
                self.status = in_words(call, core.names, self._knows.graph)
                self.aim = call_aim(call, self._knows.graph, self.status, self.policy.why)
                return self._go_on(self._run)
            case SayLine() as line:
                try:
                    return [STILL, Say(spoken(self._knows, line))]
                except ValueError as error:
                    self._told(core, Unparsed(line.text, str(error)))
                    return [STILL]
            case Pause(ticks):
                self.status = "waiting"
                assert self._asked is not None
                is_over = has_news(self._asked, self._knows)
                self._wait_until = core.tick + (1 if is_over else max(ticks, 1))
                return [STILL]
            case Finished():
                return self._finish()
        raise TypeError(f"{decision!r} is no decision")

    def _as_made(self, core: SessionCore, decision: Decision) -> Decision:
        return with_call_read(decision, core.world.bodies[self.seat].kind, self._tools(core))

    def _finish(self) -> list[Intent]:
        self.finished = True
        self.status = "finished"
        return [STILL, Finish()]

    # What the policy is shown

    def _tools(self, core: SessionCore) -> tuple[Skill, ...]:
        return tools_of(core.world.bodies[self.seat].kind, self.seating)

    def _view(self, core: SessionCore, doing: Call | None = None) -> PolicyView:
        assert self._knows is not None
        return view_of(
            self._knows,
            tools=self._tools(core),
            history=tuple(self._history),
            doing=doing,
            overtaken=self._overtaken,
        )

    def _note_calls(self, core: SessionCore, overtaken: bool, error: str = "") -> None:
        assert self._asked is not None
        self._notes.keep(
            self.policy, self._asked, applied=core.tick, overtaken=overtaken, error=error
        )
