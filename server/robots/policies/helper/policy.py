"""The ``helper`` policy: HELPER-X's agent.

The model writes one program for the whole task, and is asked again where a line fails, where
something is not found, and where the partner says something.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

from server.robots.models import Completes
from server.robots.policies.helper.addressees import is_for, is_robots, to_ask
from server.robots.policies.helper.answers import LEAVE, LOOK, TAKE
from server.robots.policies.helper.example_ranking import Ranking
from server.robots.policies.helper.memory import Memories, MemoryFileError, grow, teach
from server.robots.policies.helper.name_binding import fitting, is_floor, room_of
from server.robots.policies.helper.program_parser import FUNCTIONS, Program, stem_of
from server.robots.policies.helper.queries import Queries
from server.robots.policies.helper.requests import CLOSING, NOT_REMEMBERED, REMEMBERED, question
from server.robots.policies.helper.runner import Runner
from server.robots.policies.helper.settings import HelperSettings
from server.robots.policies.helper.subgoals import Ask, Locate, Need, Repair
from server.robots.policy import Decision, Do, Finished, Heard, Pause, Policy, PolicyView, SayLine
from server.sessions.policy_records import CallRecord
from server.sessions.spec import TICK_RATE
from server.skills.call import Call

DISCOVERY_SKILLS = ("Explore", "Navigate", "Open", "Close")
"""Skills that may bring to light what the model would be asked about."""
INSTANCES = 2
"""Number of instances to look at, of each kind of place that the Locator names."""


@dataclass(frozen=True)
class _Waiting:
    """Wait for an answer of the partner's, until a tick."""

    until: int
    whom: str
    """Seat of the partner that was asked, or `EVERYBODY`."""
    need: Ask | None = None
    """The question that was asked; None: whether all is well."""
    asked: str = ""


class Helper(Policy):
    """Policy for one seat of one episode."""

    def __init__(
        self, model: Completes, settings: HelperSettings, memories: Memories, ranking: Ranking
    ) -> None:
        self.settings = settings
        self.runner = Runner(settings.running, asks_which=settings.asks_which)
        self._queries = Queries(model, settings, memories, ranking)
        self._to_see: list[str] | None = None
        """Rooms to be looked through first; None: it is not known yet which."""
        self._planned = False
        self._need: Need | None = None
        """The need that the model is to be asked about; kept until it has answered."""
        self._verbs: dict[Ask, str] = {}
        self._places: dict[Locate, Sequence[str]] = {}
        """Answers of the model from before they were needed, as `_verbs` are."""
        self._shown: PolicyView | None = None
        """View of the last decision."""
        self._waiting: _Waiting | None = None
        self._to_say: list[str] = []
        self._heard = 0
        self._questions = self._replans = self._rounds = 0
        self._silent: set[str] = set()
        """Partners that did not answer a question."""
        self._was_corrected = False
        self._has_grown = False

    def take_calls(self) -> Sequence[CallRecord]:
        return self._queries.take_calls()

    async def decide(self, view: PolicyView) -> Decision:
        if view.doing:
            return await self._prepare(view)
        self._shown = view
        if self._to_see is None:
            await self._queries.classify(view.instruction)
            self._to_see = list(self._queries.unseen(view))
        if self._to_see:
            return self._explore(view, self._to_see.pop(0))
        if not self._planned:
            await self._plan(view)
        if self._waiting is not None:
            decision = await self._await_answer(view, self._waiting)
            if decision is not None:
                return decision
        if self.settings.listens and self._news(view) and self._replans < self.settings.replans:
            await self._replan(view)
        if self._to_say:
            return SayLine(self._to_say.pop(0))
        while True:
            outcome = self._need or self.runner.next(view)
            if outcome is None:
                return self._close(view)
            if isinstance(outcome, Repair | Locate | Ask):
                self._need = outcome
                decision = await self._meet(view, outcome)
                self._need = None
                if decision is not None:
                    return decision
                continue
            return outcome

    def lets_go(self, view: PolicyView) -> bool:
        """Tell whether the running call has lost its purpose."""
        is_answered = bool(self.runner.line_choice.awaited) and bool(self._news(view))
        return self.runner.lets_go(view, is_answered=is_answered)

    async def _meet(self, view: PolicyView, need: Need) -> Decision | None:
        match need:
            case Repair():
                program = await self._queries.repair(view, need)
                self.runner.progress.patch(need.subgoal, program)
            case Locate():
                await self._locate(view, need)
            case Ask():
                return await self._question(view, need)
        return None

    def _explore(self, view: PolicyView, room: str) -> Decision:
        """Look through a room before there is a program."""
        self.runner.searches.explored.add(room)
        return Do(Call.of("Explore", view.graph.names.graph[room]))

    # Early

    def ahead(self, doing: Call) -> Helper | None:
        """Return a copy that asks the model while a call runs, where something is not found yet.

        None where the call itself is likely to find it.
        """
        is_finding = doing.name in DISCOVERY_SKILLS
        if is_finding or self._shown is None or not self.runner.seeks(self._shown):
            return None
        other = copy.copy(self)
        other._queries = self._queries.fork()
        other._verbs, other._places = dict(self._verbs), dict(self._places)
        return other

    async def _prepare(self, view: PolicyView) -> Decision:
        """Ask what will be asked after the running call.

        What to do then is decided only then, by what has come to light: programs are run without
        the model.
        """
        probe = copy.deepcopy(self.runner)
        need = probe.next(view)
        while isinstance(need, Ask) and not self._may_ask(view):
            need = probe.next(view)
        if isinstance(need, Ask) and need not in self._verbs:
            self._verbs[need] = await self._queries.question(view, need)
        elif isinstance(need, Locate) and self.settings.locator and need not in self._places:
            self._places[need] = await self._queries.places(view, need)
        return Pause(1)

    # Programs

    async def _plan(self, view: PolicyView) -> None:
        program = await self._queries.plan(view)
        self._heard = len(view.chat) if self.settings.listens else 0
        self._planned = True
        self._keep(view, program, view.instruction)
        self.runner.start(program)

    async def _replan(self, view: PolicyView) -> None:
        """Ask for a new program: the partner said something about what runs, or has run.

        Robots order nobody to stop: where nothing follows from what they said, the program goes on.
        """
        heard = self._news(view)
        news = "\n".join(h.text for h in heard)
        program = await self._queries.feedback(view, news, self.runner.progress.report())
        self._heard = len(view.chat)
        self._replans += 1
        is_for_nothing = is_nothing(program) and not program.kept
        if is_for_nothing and all(is_robots(view, line) for line in heard):
            return
        self._was_corrected = True
        self._need = None
        self._keep(view, program, news)
        self.runner.start(program)

    def _keep(self, view: PolicyView, program: Program, said: str) -> None:
        """Remember what the partner wants remembered, for later episodes."""
        for kept in program.kept:
            before = self.runner.progress.program
            routine = program.first(kept.above) if kept.above else before
            if not routine.lines:
                continue
            if not kept.above:
                said = f"{view.instruction}\n{said}"
            try:
                teach(self.settings.memory, kept.name, said, str(_general(view, routine)))
            except MemoryFileError:
                # Nothing of the task depends on it, and the partner should know.
                self._to_say.append(NOT_REMEMBERED)
            else:
                self._to_say.append(REMEMBERED.format(kept.name))

    # ThingLookup things

    async def _locate(self, view: PolicyView, need: Locate) -> None:
        if not self.settings.locator:
            return
        places = self._places.pop(need, None) or await self._queries.places(view, need)
        keys = [key for place in places for key in fitting(view.graph, place)[:INSTANCES]]
        self.runner.searches.suggest(view, self.runner.searches.of(need.declared), keys)

    async def _question(self, view: PolicyView, need: Ask) -> Decision | None:
        whom = to_ask(view, self._silent)
        if whom is None or not self._may_ask(view):
            return None
        verb = self._verbs.pop(need, None) or await self._queries.question(view, need)
        self._questions += 1
        labels = view.graph.names.labels
        among = [labels[key] for key in need.among if key in labels]
        asked = question(verb, stem_of(need.declared.word).replace("_", " "), among)
        self._heard = len(view.chat)
        until = view.tick + round(self.settings.answer_wait_s * TICK_RATE)
        self._waiting = _Waiting(until, whom, need, asked)
        if need.about == "where" and self.settings.running.goes_on:
            self.runner.line_choice.awaited = need.declared.name
        return SayLine(asked, whom)

    def _may_ask(self, view: PolicyView) -> bool:
        is_left = self._questions < self.settings.questions
        is_free = self._waiting is None and to_ask(view, self._silent) is not None
        return is_left and is_free

    async def _await_answer(self, view: PolicyView, waiting: _Waiting) -> Decision | None:
        news = self._news(view)
        if not news:
            if view.tick < waiting.until:
                # Until there is an answer, other lines are run, then the search goes on.
                awaits = self.runner.line_choice.awaited
                return None if awaits else Pause(waiting.until - view.tick)
            self._stop_waiting(view)
            self._silent.add(waiting.whom)
            if waiting.need is None:
                # Nobody says that anything is wrong.
                self._rounds = self.settings.feedback_rounds
            return None
        if waiting.need is None:
            await self._replan(view)
        else:
            await self._answered(view, waiting, waiting.need, news[-1].text)
        self._stop_waiting(view)
        return None

    def _stop_waiting(self, view: PolicyView) -> None:
        self._heard = len(view.chat)
        self._waiting = None
        self.runner.line_choice.awaited = ""

    async def _answered(self, view: PolicyView, waiting: _Waiting, need: Ask, answer: str) -> None:
        places: list[str] = []
        for action in await self._queries.answer(view, need, waiting.asked, answer):
            keys = fitting(view.graph, action.word) if action.word else []
            if action.verb == TAKE and keys:
                self.runner.binder.bound[need.declared.name] = keys[0]
            elif action.verb == LOOK:
                places += keys[:INSTANCES]
            elif action.verb == LEAVE:
                self.runner.progress.leave(need.declared, "the partner does it")
        self.runner.searches.suggest(view, self.runner.searches.of(need.declared), places)

    def _news(self, view: PolicyView) -> list[Heard]:
        return [line for line in view.chat[self._heard :] if is_for(view, line)]

    # The end

    def _close(self, view: PolicyView) -> Decision:
        rounds = self.settings.feedback_rounds
        whom = to_ask(view)
        if self._rounds < rounds and whom is not None and not self._is_satisfied():
            self._rounds += 1
            self._heard = len(view.chat)
            until = view.tick + round(self.settings.feedback_wait_s * TICK_RATE)
            self._waiting = _Waiting(until, whom)
            return SayLine(CLOSING, whom)
        is_new = not self._was_corrected and not self._has_grown
        if self.settings.grows and is_new and self.runner.progress.is_flawless():
            self._has_grown = True
            program = _general(view, self.runner.progress.program)
            grow(self.settings.memory, view.instruction, str(program), self._queries.domain)
        return Finished()

    def _is_satisfied(self) -> bool:
        """Tell whether the partner was asked if all is well, and left nothing to do."""
        return self._rounds > 0 and is_nothing(self.runner.progress.program)


def is_nothing(program: Program) -> bool:
    """Tell whether a program does nothing."""
    return all(line.verb in FUNCTIONS for line in program.lines)


def _general(view: PolicyView, program: Program) -> Program:
    """Return the program without the names of this home, for another one."""
    graph = view.graph
    classes = {room.room_id: room.class_name for room in graph.scene.rooms}

    def general(word: str) -> str:
        key = graph.find(word)
        if key is None:
            return word
        return classes.get(key) or ("floor" if is_floor(graph, key) else stem_of(word))

    declared = []
    for one in program.declared:
        key = graph.find(one.word)
        near = general(one.near)
        if key is not None and key in graph.rooms and not near:
            near = classes.get(room_of(graph, key), "")
        declared.append(one._replace(word=general(one.word), near=near))
    return program._replace(declared=tuple(declared), refused=())
