"""The ``llamar`` policy: a Planner, Actor, Corrector and Verifier lead a robot, or a whole team.

LLaMAR's Algorithm 2: plan, act, correct, verify. In the paper one model decides for all bodies at
once, each with its next action when all have ended their last (``centralised``). Beside a person it
decides for one body, and the person is described to it as a partner (``decentralised``). It learns
how the task stands only from the responses of skills and from what is seen.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from server.robots.models import Completes
from server.robots.policies.llamar.actor import ActorChoice, action_of
from server.robots.policies.llamar.board import Board, Order, TrackRecord
from server.robots.policies.llamar.exploration import Scores, by_heading, by_room, by_words
from server.robots.policies.llamar.modules import Modules
from server.robots.policies.llamar.obsolete_calls import is_found, is_taken
from server.robots.policies.llamar.proposals import proposal
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.llamar.situation import Situation
from server.robots.policies.shared.discovery_skills import DISCOVERY_SKILLS
from server.robots.policies.shared.team_prose import subject
from server.robots.policy import Decision, Do, Finished, Pause, Policy, PolicyView, SayLine
from server.sessions.policy_records import CallRecord
from server.sessions.spec import TICK_RATE
from server.skills.call import WAIT, Call, WrittenCall
from server.skills.feedback import SUCCESS, failure
from server.skills.registry import WAIT_TICKS

POLL_TICKS = 6
"""Interval at which a body that waits for the other one's action looks whether it has ended
(ticks)."""
SEARCH = "Explore"
IDLE_TICKS = 2 * TICK_RATE
"""Pause after an answer that could not be used (ticks)."""


@dataclass
class Body:
    """Current business of one body."""

    view: PolicyView
    record: TrackRecord = field(default_factory=TrackRecord)
    decision: Decision | None = None
    """Decision that was given and not taken yet."""
    says: SayLine | None = None
    """Line to say to a partner before the decision is taken."""
    rounds: int = 0
    """Walks that are left of an exploration."""
    walked: list[str] = field(default_factory=list)
    """Targets of this exploration so far, in words."""
    goal: str = ""
    """Target of the last of these walks."""
    known: frozenset[str] = frozenset()
    """Objects that were known when the action began."""
    note: str = ""
    """Result of an action that is no skill; empty: the skill's own result counts."""
    read: int = 0
    """Length of the view's history when the action began."""
    is_idle: bool = True


class Team:
    """Shared mind of the bodies whose seats it is asked for, in one episode."""

    def __init__(
        self,
        settings: LlamarSettings,
        score: Scores = by_words,
        *,
        oracle: Callable[[], tuple[str, ...]] | None = None,
    ) -> None:
        self.settings = settings
        self.board = Board()
        self.decisions = 0
        self.oracle = oracle
        """Privileged stand-in for the Verifier, which returns the completed subtasks: an
        ablation."""
        self._score = score
        self._seats: list[str] = []
        self._bodies: dict[str, Body] = {}
        self._visited: set[str] = set()
        self._lock = asyncio.Lock()
        self._began = 0
        """Tick of the last step."""
        self._is_over = False
        self._insisted = False
        """Whether it was asked to look again and still finds that all is done."""
        self._suggested = 0
        self._suggestion: Call | None = None
        """Last call that was proposed to the partner."""

    def seat(self, seat: str, model: Completes) -> Llamar:
        """Return the policy for one of the seats."""
        self._seats = [*self._seats, seat]
        return Llamar(self, seat, Modules(model, self.settings))

    def dismiss(self, seat: str) -> None:
        """Decide no more for a body: it has left or finished, and nobody waits for it."""
        self._seats = [mine for mine in self._seats if mine != seat]
        self._bodies.pop(seat, None)

    def ahead(self, doing: Call) -> Team | None:
        """Return a copy that decides while ``doing`` runs; None where that has to wait for its end.

        That is so after what is made to find something (but for a room that is searched: that can
        be in vain), while another body acts too, and where an oracle tells what it has come to.
        """
        if self.oracle is not None or len(self._seats) > 1:
            return None
        searches = doing.name == SEARCH
        if doing.name in DISCOVERY_SKILLS and not searches:
            return None
        if any(body.walked for body in self._bodies.values()) and not searches:
            return None
        other = copy.copy(self)
        other._bodies = {seat: replace(b, walked=[*b.walked]) for seat, b in self._bodies.items()}
        other._visited = set(self._visited)
        other._lock = asyncio.Lock()
        return other

    def lets_go(self, view: PolicyView) -> bool:
        """Tell whether to stop the running call.

        It is stopped where what it goes for is taken, or where what it looks for has come to light;
        the place that it was looking at then counts as not visited.
        """
        body = self._bodies.get(view.seat)
        if body is None or not self.settings.lets_go:
            return False
        if not body.walked:
            return is_taken(view)
        if not is_found(view, body.known, self.board.open):
            return False
        self._visited.discard(body.goal)
        body.rounds = 0
        return True

    async def decide(self, view: PolicyView, modules: Modules) -> Decision:
        # Two bodies that are free at once must not ask twice.
        async with self._lock:
            body = self._bodies.setdefault(view.seat, Body(view))
            body.view = view
            if view.overtaken:
                body.note, body.rounds, self._is_over = view.overtaken, 0, False
            if body.decision is None and not body.rounds and not self._is_over:
                body.is_idle = True
                if len(self._bodies) < len(self._seats) or not self._all_idle():
                    return Pause(POLL_TICKS)
                await self._step(modules)
            if self._is_over:
                return Finished()
            if body.says is not None:
                line, body.says = body.says, None
                return line
            decision, body.decision = body.decision, None
            return decision or await self._explore(body)

    def _all_idle(self) -> bool:
        return all(body.is_idle for body in self._bodies.values())

    # One step of the algorithm

    async def _step(self, modules: Modules) -> None:
        """Take one step of the algorithm.

        When a call fails everything is left as it was, so that the step can be taken again.
        """
        most = self.settings.most_decisions
        records = {seat: self._outcome(body) for seat, body in self._bodies.items()}
        views = tuple(self._bodies[seat].view for seat in self._seats)
        new = {
            handle
            for body in self._bodies.values()
            for handle in body.view.graph.objects
            if handle not in body.known
        }
        now = Situation(views, self.board, records, frozenset(new))
        one_call = self.settings.modules == "one"
        if self.decisions and not one_call:
            now = await self._look_back(modules, now)
        if most is not None and self.decisions >= most:
            self._end(now)
            return
        if one_call:
            now, chosen = await self._at_once(modules, now)
        else:
            now, chosen = await self._look_ahead(modules, now)
        if chosen is None or self._wants_to_end(now.board, chosen):
            self._end(now)
            return
        self.decisions += 1
        memory = chosen.memory or now.board.memory
        self.board = replace(now.board, memory=memory if self.settings.memory else "")
        self._give(now, chosen)

    def _end(self, now: Situation) -> None:
        self.board = now.board
        self._is_over = True

    async def _look_back(self, modules: Modules, now: Situation) -> Situation:
        """Ask the Corrector and the Verifier about what the last actions came to."""
        always = self.settings.calls == "always"
        failed = any(not record.succeeded for record in now.records.values())
        corrected = now
        if self.settings.corrector == "separate" and (always or failed):
            found = await modules.correct(now) or {}
            records = {s: replace(f, correction=found.get(s)) for s, f in now.records.items()}
            corrected = replace(now, records=records)
        return replace(corrected, board=await self._verified(modules, now))

    async def _verified(self, modules: Modules, now: Situation) -> Board:
        if self.oracle is not None:
            return now.board.informed(self.oracle())
        needed = self.settings.calls == "always" or (
            bool(now.board.open)
            and (any(record.succeeded for record in now.records.values()) or self._partner_acted())
        )
        if not (needed and self.settings.planner and self.settings.verifier):
            return now.board
        board, _ = now.board.verified(await modules.verify(now) or ())
        return board

    async def _look_ahead(
        self, modules: Modules, now: Situation
    ) -> tuple[Situation, ActorChoice | None]:
        """Ask the Planner and the Actor; nothing is chosen where nothing is left to do."""
        if self.settings.planner:
            listed = await modules.plan(now)
            if listed is not None:
                board = now.board.planned(listed, reopens=self.settings.reopens)
                now = replace(now, board=board)
                if not board.open and self.decisions:
                    return now, None
        return now, await modules.act(now) or _no_choice(now)

    async def _at_once(
        self, modules: Modules, now: Situation
    ) -> tuple[Situation, ActorChoice | None]:
        turn = await modules.all_at_once(now)
        if turn is None:
            return now, _no_choice(now)
        board, _ = now.board.verified(turn.completed)
        if self.oracle is not None:
            board = now.board.informed(self.oracle())
        board = board.planned(turn.plan, reopens=self.settings.reopens)
        return replace(now, board=board), turn.chosen

    def _wants_to_end(self, board: Board, chosen: ActorChoice) -> bool:
        """Tell whether everybody is done, and insists on it where subtasks are still open."""
        if any(action is not Order.DONE for action in chosen.actions.values()):
            self._insisted = False
            return False
        if not self.settings.confirms_done or not board.open or self._insisted:
            return True
        self._insisted = True
        return False

    def _partner_acted(self) -> bool:
        return any(
            act.seat not in self._seats
            for body in self._bodies.values()
            for act in body.view.partner_acts
            if act.tick >= self._began
        )

    # What comes of a decision

    def _give(self, now: Situation, chosen: ActorChoice) -> None:
        """Give each body its next action."""
        self._began = now.newest.tick
        explorer = ""
        for seat in (view.seat for view in now.views if view.seat in self._bodies):
            body, record = self._bodies[seat], now.records[seat]
            action = chosen.actions[seat]
            body.record = record.trying(action, chosen.subtasks[seat])
            body.rounds, body.walked, body.note = 0, [], ""
            body.read = len(body.view.history)
            body.known = frozenset(body.view.graph.objects)
            body.is_idle = False
            if action is Order.EXPLORE and explorer:
                body.note = failure(f"{subject(explorer)} explores already.")
                body.decision = Pause(IDLE_TICKS)
            elif action is Order.EXPLORE:
                explorer = now.labels[seat]
                body.rounds = self.settings.rounds if self._walks else 1
            else:
                body.decision = self._doing(body, record, action)
            self._suggest(body, chosen.suggestion, chosen.advised)

    def _suggest(self, body: Body, call: Call | None, to: str) -> None:
        """Tell a partner what it could do, once as long as that does not change."""
        if call is None or call == self._suggestion:
            return
        if self._suggested >= self.settings.most_suggestions:
            return
        self._suggested += 1
        self._suggestion = call
        body.says = SayLine(proposal(call, body.view.graph), to)

    @property
    def _walks(self) -> bool:
        return self.settings.exploration == "headings"

    def _doing(
        self, body: Body, record: TrackRecord, action: WrittenCall | Literal[Order.DONE]
    ) -> Decision:
        most = self.settings.blocks_repeats
        if isinstance(action, Order):
            body.note = f"There are open subtasks. {action} again ends the task all the same."
            return Pause(1)
        if action == WAIT and len(self._seats) > 1:
            # For one step: until what the other does is over.
            body.note = SUCCESS
            return Pause(IDLE_TICKS)
        if action == WAIT and self.settings.hears:
            body.note = SUCCESS
            return Pause(WAIT_TICKS)
        if not str(action) and self.settings.bad_answer == "ask again":
            body.note = failure("That was no call of a tool. Nothing was done.")
            return Pause(IDLE_TICKS)
        if most is not None and record.failed_in_a_row(action) >= most:
            body.note = failure(f"It has failed {most} times and was not tried again.")
            return Pause(IDLE_TICKS)
        return Do(action)

    def _outcome(self, body: Body) -> TrackRecord:
        """Return the record of a body, now that its action is over."""
        record = body.record
        if record.tried is None:
            return record
        new = body.view.history[body.read :]
        if body.walked and any(past.succeeded or past.was_let_go for past in new):
            graph = body.view.graph
            found = [graph.names.graph[h] for h in graph.objects if h not in body.known]
            news = f"new: {', '.join(found) or 'nothing'}"
            text = f"{SUCCESS} Looked towards {', '.join(body.walked)}; {news}."
            return record.after(text, succeeded=True)
        result = body.note or " ".join(past.response for past in new) or SUCCESS
        return record.after(result, succeeded=result.startswith("Success"))

    # Exploring

    async def _explore(self, body: Body) -> Decision:
        """Return the next walk of an exploration; where the scores fail it is tried again."""
        visited = self._visited
        subtasks = self.board.open or (body.view.instruction,)
        find = by_heading if self._walks else by_room
        target = await find(body.view, subtasks, visited, self._score)
        if target is None and not body.walked:
            # Everywhere it has been: things may have been moved or uncovered since.
            visited.clear()
            target = await find(body.view, subtasks, visited, self._score)
        if target is None:
            body.rounds = 0
            return Pause(1)
        body.rounds -= 1
        visited.add(target.goal)
        body.goal = target.goal
        body.walked.append(target.towards)
        return Do(target.call)


def _no_choice(now: Situation) -> ActorChoice:
    """Return a stand-in for an answer that could not be read."""
    return ActorChoice(
        now.board.memory,
        {view.seat: action_of("", view.kind) for view in now.views},
        {seat: record.subtask for seat, record in now.records.items()},
    )


class Llamar(Policy):
    """Policy for one seat of a team."""

    def __init__(self, team: Team, seat: str, modules: Modules, *, in_vain: bool = False) -> None:
        self.team = team
        self.seat = seat
        self.in_vain = in_vain
        self._modules = modules

    def ahead(self, doing: Call) -> Llamar | None:
        team = self.team.ahead(doing)
        if team is None:
            return None
        return Llamar(team, self.seat, self._modules.fork(), in_vain=doing.name == SEARCH)

    def lets_go(self, view: PolicyView) -> bool:
        return self.team.lets_go(view)

    async def decide(self, view: PolicyView) -> Decision:
        return await self.team.decide(view, self._modules)

    def take_calls(self) -> Sequence[CallRecord]:
        return self._modules.take_calls()

    def over(self) -> None:
        self.team.dismiss(self.seat)
