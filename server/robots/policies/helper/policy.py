"""``helper``: HELPER-X's agent as a policy. The model writes one program for the whole task, and is
asked again where a line fails, where something is not found, and where the partner says something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from episodes.worldgraph import describe
from server.robots.grammar import Grammar
from server.robots.grammar.programs import PROGRAM_END, places_of, program_of
from server.robots.models import Completes, Message
from server.robots.policies.asking import Asking, Generation, Parameter
from server.robots.policies.helper.answers import (
    LEAVE,
    LOOK,
    TAKE,
    answer_grammar,
    question_grammar,
    read_answer,
    read_places,
    read_question,
)
from server.robots.policies.helper.binding import fitting, is_floor, room_of, words_of
from server.robots.policies.helper.language import (
    EVERY,
    FUNCTIONS,
    METHODS,
    NOTHING,
    ONE,
    Program,
    Words,
    parse,
    stem_of,
)
from server.robots.policies.helper.memory import DOMAINS, Domain, Memories, Memory, grow
from server.robots.policies.helper.recall import Ranks, Recalled, nearest, nearest_domain
from server.robots.policies.helper.runner import Ask, Locate, Need, Repair, Runner, Running
from server.robots.policy import Decision, Finished, Heard, Pause, PolicyView, SayLine
from server.robots.prompts import helper as prompts
from server.robots.prompts.helper_api import methods
from server.robots.prompts.helper_talk import CLOSING, QUESTIONS, question
from server.sessions.model_calls import CallRecord
from server.sessions.spec import TICK_RATE

STOP = f"\n{PROGRAM_END}"
GUARD = 0.85
"""Of the context: longer prompts lose examples, the farthest first."""
EXPLAIN_CHARS = 200
INSTANCES = 2
"""Of a kind of place that the Locator names, so many are looked at."""
TALK_LINES = 8
_Prompt = Callable[[Sequence[Memory]], str]
"""A prompt with these examples in it."""


class HelperSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be varied. The defaults are for playing with people; `configurations` has the
    paper's settings."""

    generation: Generation = Generation(max_tokens=1200)
    variant: Literal["prompts", "shared"] = "shared"
    """HELPER-X_P: the nearest of four templates, and examples of its domain; HELPER-X_S: one
    template, and examples of all."""
    examples: int = 3
    retrieval: Literal["words", "embedding", "first"] = "words"
    """By BM25, by embeddings, or the first ones as they stand (no retrieval)."""
    embedding_url: str = ""
    """An OpenAI-compatible server of embeddings."""
    embedding_model: str = "all-mpnet-base-v2"
    memory: str = ""
    """A file of memories from play, read beside the built-in ones."""
    grows: bool = False
    """Programs that ran without a flaw are added to that file, for later episodes."""
    extended: bool = True
    """The language has All and wait_until_done, which the paper's has not."""
    shows: Literal["home", "kinds"] = "home"
    """The model is told rooms, furniture and known objects, or only which kinds of things there
    are, as in the paper."""
    states: bool = True
    """With ``home``: tell what is clean, filled, on …"""
    bad_answer: Literal["ask again", "drop"] = "ask again"
    """Lines that mean nothing: the program is asked for once more, or they are left out."""
    locator: bool = True
    places: int = 3
    questions: int = 2
    """So many the partner is asked in an episode. Who does not answer is not asked again."""
    asks_which: bool = False
    """Also where several things of the kind are known."""
    answer_wait_s: float = 12.0
    listens: bool = True
    """What the partner says while a program runs is heeded; else only once it has run."""
    replans: int = 6
    """So often."""
    feedback_rounds: int = 2
    feedback_wait_s: float = 6.0
    context_chars: int | None = None
    """How long a prompt may be."""
    running: Running = Running()


@dataclass(frozen=True)
class _Waiting:
    """For an answer."""

    until: int
    need: Ask | None = None
    """What was asked; None: whether all is well."""
    asked: str = ""


class Helper:
    """One seat of one episode."""

    def __init__(
        self, model: Completes, settings: HelperSettings, memories: Memories, ranks: Ranks
    ) -> None:
        self.name = "helper"
        self.settings = settings
        self.runner = Runner(settings.running, asks_which=settings.asks_which)
        self._asking = Asking(model, settings.generation)
        self._memories = memories
        self._ranks = ranks
        self._domain: Domain = "task"
        self._planned = False
        self._need: Need | None = None
        """What the model is to be asked; kept until it has answered."""
        self._waiting: _Waiting | None = None
        self._heard = 0
        self._questions = self._replans = self._rounds = 0
        self._is_silent = False
        """The partner did not answer a question."""
        self._was_corrected = False
        self._has_grown = False

    def take_calls(self) -> Sequence[CallRecord]:
        return self._asking.take_calls()

    async def decide(self, view: PolicyView) -> Decision:
        if not self._planned:
            await self._plan(view)
        if self._waiting is not None:
            decision = await self._await_answer(view, self._waiting)
            if decision is not None:
                return decision
        if self.settings.listens and self._news(view) and self._replans < self.settings.replans:
            await self._replan(view)
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

    async def _meet(self, view: PolicyView, need: Need) -> Decision | None:
        match need:
            case Repair():
                await self._repair(view, need)
            case Locate():
                await self._locate(view, need)
            case Ask():
                return await self._question(view, need)
        return None

    # Programs

    async def _plan(self, view: PolicyView) -> None:
        if self.settings.variant == "prompts":
            roles = {domain: prompts.TEMPLATES[domain].role for domain in DOMAINS}
            self._domain = await nearest_domain(
                self._ranks, view.instruction, self._memories, roles
            )
        recalled = await self._recall(view.instruction)
        template, home = self._template(), self._home(view)
        heard = self._talk(view) if self.settings.listens else ""

        def prompt(shown: Sequence[Memory]) -> str:
            return prompts.plan(template, view.instruction, home, _shown(shown), heard)

        program = await self._program(view, "planner", prompt, recalled)
        self._heard = len(view.chat) if self.settings.listens else 0
        self._planned = True
        self.runner.start(program)

    async def _replan(self, view: PolicyView) -> None:
        """The partner said something about what runs, or has run."""
        recalled = await self._recall("\n".join(h.text for h in self._news(view)))
        template, home, talk = self._template(), self._home(view), self._talk(view)

        def prompt(shown: Sequence[Memory]) -> str:
            return prompts.feedback(
                template, view.instruction, home, _shown(shown), talk, self.runner.told()
            )

        program = await self._program(view, "feedback", prompt, recalled)
        self._heard = len(view.chat)
        self._replans += 1
        self._was_corrected = True
        self._need = None
        self.runner.start(program)

    async def _program(
        self, view: PolicyView, purpose: str, prompt: _Prompt, recalled: Recalled
    ) -> Program:
        """Ask for a program; once more where it cannot be read as a whole."""
        words = self._words(view)
        grammar = self._grammar(view, words)
        shown = self._guarded(view, prompt, recalled)
        messages: tuple[Message, ...] = (
            self._system(view),
            Message("user", prompt(shown.examples)),
        )
        more = self._about(shown)
        program = Program()
        for last in (self.settings.bad_answer == "drop", True):
            answer = await self._ask(purpose, messages, grammar, more)
            program = parse(answer, words, groups=self.settings.extended)
            self._asking.parsed(_summary(program))
            if last or (program.lines and not program.refused):
                break
            messages = (
                *messages,
                Message("assistant", answer.rstrip() + STOP),
                Message("user", prompts.again(program.refused)),
            )
        return program

    async def _repair(self, view: PolicyView, need: Repair) -> None:
        words = self._words(view)
        # The key is what failed and what was told, never the task.
        query = f"{need.code}\n{need.error}"
        recalled = await nearest(
            self._ranks, query, self._memories.repairs(), self.settings.examples
        )
        home = self._home(view)

        def prompt(shown: Sequence[Memory]) -> str:
            return prompts.repair(view.instruction, home, _shown(shown), need.code, need.error)

        shown = self._guarded(view, prompt, recalled)
        grammar = self._grammar(view, words, corrects=True)
        messages = (self._system(view), Message("user", prompt(shown.examples)))
        answer = await self._ask("repair", messages, grammar, self._about(shown))
        code = "\n".join(x for x in answer.splitlines() if not x.startswith("Explain:"))
        program = parse(code, words, corrects=True, groups=False)
        self._asking.parsed(_summary(program))
        self.runner.patch(need.subgoal, program)

    # Finding things

    async def _locate(self, view: PolicyView, need: Locate) -> None:
        if not self.settings.locator:
            return
        words, count = self._words(view), self.settings.places
        grammar = places_of(self._places(view, words), count)
        talk = self._talk(view)
        what = need.declared.word
        text = prompts.locate(view.instruction, self._home(view), what, count, talk)
        messages = (self._system(view), Message("user", text))
        answer = await self._ask("locator", messages, grammar, self._about(None))
        places = read_places(answer, words, count)
        self._asking.parsed(", ".join(places))
        keys = [key for place in places for key in fitting(view.graph, place)[:INSTANCES]]
        self.runner.searching.suggest(view, self.runner.searching.of(need.declared), keys)

    async def _question(self, view: PolicyView, need: Ask) -> Decision | None:
        left = self.settings.questions - self._questions
        has_partner = any(seat != view.seat for seat in view.graph.agents)
        if left <= 0 or self._is_silent or not has_partner:
            return None
        what = need.declared.word
        text = prompts.choose_question(view.instruction, _context(view, need), what)
        messages = (self._system(view), Message("user", text))
        grammar = question_grammar(QUESTIONS, what)
        answer = await self._ask("question", messages, grammar, self._about(None))
        verb = read_question(answer, QUESTIONS)
        self._asking.parsed(f"{verb}({what})")
        self._questions += 1
        labels = view.graph.names.labels
        among = [labels[key] for key in need.among if key in labels]
        asked = question(verb, stem_of(what).replace("_", " "), among)
        self._heard = len(view.chat)
        until = view.tick + round(self.settings.answer_wait_s * TICK_RATE)
        self._waiting = _Waiting(until, need, asked)
        return SayLine(asked)

    async def _await_answer(self, view: PolicyView, waiting: _Waiting) -> Decision | None:
        news = self._news(view)
        if not news:
            if view.tick < waiting.until:
                return Pause(waiting.until - view.tick)
            self._waiting = None
            self._is_silent = True
            if waiting.need is None:
                # Nobody says that anything is wrong.
                self._rounds = self.settings.feedback_rounds
            return None
        if waiting.need is None:
            await self._replan(view)
        else:
            await self._answered(view, waiting, waiting.need, news[-1].text)
        self._heard = len(view.chat)
        self._waiting = None
        return None

    async def _answered(self, view: PolicyView, waiting: _Waiting, need: Ask, answer: str) -> None:
        words = self._words(view)
        home, context = self._home(view), _context(view, need)
        messages = (
            self._system(view),
            Message("user", prompts.read_answer(home, context, waiting.asked, answer)),
        )
        names = view.graph.names.graph
        things = tuple(names[h] for h in view.graph.objects)
        grammar = answer_grammar(self._places(view, words), things)
        text = await self._ask("answer", messages, grammar, self._about(None))
        actions = read_answer(text, words)
        self._asking.parsed(", ".join(f"{a.verb}({a.word})" for a in actions))
        places: list[str] = []
        for action in actions:
            keys = fitting(view.graph, action.word) if action.word else []
            if action.verb == TAKE and keys:
                self.runner.binder.bound[need.declared.name] = keys[0]
            elif action.verb == LOOK:
                places += keys[:INSTANCES]
            elif action.verb == LEAVE:
                self.runner.leave(need.declared, "the partner does it")
        self.runner.searching.suggest(view, self.runner.searching.of(need.declared), places)

    # The end

    def _close(self, view: PolicyView) -> Decision:
        rounds = self.settings.feedback_rounds
        has_partner = any(seat != view.seat for seat in view.graph.agents)
        if self._rounds < rounds and has_partner and not self._is_satisfied():
            self._rounds += 1
            self._heard = len(view.chat)
            until = view.tick + round(self.settings.feedback_wait_s * TICK_RATE)
            self._waiting = _Waiting(until)
            return SayLine(CLOSING)
        is_new = not self._was_corrected and not self._has_grown
        if self.settings.grows and is_new and self.runner.is_flawless():
            self._has_grown = True
            program = _general(view, self.runner.program)
            grow(self.settings.memory, view.instruction, str(program), self._domain)
        return Finished()

    def _is_satisfied(self) -> bool:
        """The partner was asked whether all is well, and what it said left nothing to do."""
        return self._rounds > 0 and not any(
            line.verb not in FUNCTIONS for line in self.runner.program.lines
        )

    # Prompts

    async def _ask(
        self,
        purpose: str,
        messages: tuple[Message, ...],
        grammar: Grammar,
        more: dict[str, Parameter],
    ) -> str:
        return await self._asking.ask(purpose, messages, stop=STOP, grammar=grammar, more=more)

    def _about(self, shown: Recalled | None) -> dict[str, Parameter]:
        """What each call's line in the log says of the memory."""
        about: dict[str, Parameter] = {"memory": self._memories.digest, "domain": self._domain}
        if shown is not None:
            about["examples"] = shown.names
            about["distances"] = " ".join(f"{d:.4f}" for d in shown.distances)
        return about

    async def _recall(self, query: str) -> Recalled:
        domain = self._domain if self.settings.variant == "prompts" else None
        among = self._memories.plans(domain, extended=self.settings.extended)
        return await nearest(self._ranks, query, among, self.settings.examples)

    def _guarded(self, view: PolicyView, prompt: _Prompt, recalled: Recalled) -> Recalled:
        """As many of the examples as there is room for."""
        most = self.settings.context_chars
        if most is None:
            return recalled
        for count in range(len(recalled.examples), -1, -1):
            fewer = Recalled(recalled.examples[:count], recalled.distances[:count])
            length = len(self._system(view).content) + len(prompt(fewer.examples))
            if length <= GUARD * most or not count:
                return fewer
        return recalled

    def _template(self) -> prompts.Template:
        if self.settings.variant == "shared":
            return prompts.NEUTRAL
        return prompts.TEMPLATES[self._domain]

    def _system(self, view: PolicyView) -> Message:
        words = words_of(view.graph, names=False)
        tools = [skill.name for skill in view.tools]
        text = prompts.system(view.kind, tools, words.classes, extended=self.settings.extended)
        return Message("system", text)

    def _home(self, view: PolicyView) -> str:
        if self.settings.shows == "kinds":
            return ""
        return describe(view.graph, view.seat, states=self.settings.states)

    def _words(self, view: PolicyView) -> Words:
        return words_of(view.graph, names=self.settings.shows == "home")

    def _places(self, view: PolicyView, words: Words) -> tuple[str, ...]:
        """What the Locator may name: rooms and furniture, by name or by kind."""
        graph = view.graph
        names = graph.names.graph
        rooms = [room.room_id for room in graph.scene.rooms]
        furniture = [f for f in graph.rooms if not is_floor(graph, f)]
        if words.names:
            return tuple(names[key] for key in (*rooms, *furniture))
        kinds = [room.class_name for room in graph.scene.rooms]
        return tuple(dict.fromkeys([*kinds, *(stem_of(names[f]) for f in furniture)]))

    def _grammar(self, view: PolicyView, words: Words, *, corrects: bool = False) -> Grammar:
        makers = (ONE, EVERY) if self.settings.extended and not corrects else (ONE,)
        tools = [skill.name for skill in view.tools]
        allowed = methods(tools, corrects=corrects)
        return program_of(
            words.names,
            words.classes,
            tuple(dict.fromkeys((*words.classes, *map(stem_of, words.names)))),
            tuple((name, METHODS[name].form) for name in allowed),
            makers=makers,
            functions=FUNCTIONS if self.settings.extended and not corrects else (NOTHING,),
            most=40,
            explained=EXPLAIN_CHARS if corrects else 0,
        )

    # Talk

    def _news(self, view: PolicyView) -> list[Heard]:
        return [line for line in view.chat[self._heard :] if line.seat != view.seat]

    def _talk(self, view: PolicyView) -> str:
        lines = view.chat[-TALK_LINES:]
        return prompts.said(
            ("You" if line.seat == view.seat else "Partner", line.text) for line in lines
        )


def _shown(examples: Sequence[Memory]) -> list[prompts.Shown]:
    return [prompts.Shown(e.key, e.program, e.why) for e in examples]


def _summary(program: Program) -> str:
    refused = f"; refused: {'; '.join(program.refused)}" if program.refused else ""
    return f"{len(program.lines)} lines{refused}"


def _context(view: PolicyView, need: Ask) -> str:
    what = need.declared.word
    if need.about == "where":
        return f"Nobody has seen the {what} yet: it is not known where it is."
    names = view.graph.names.graph
    among = ", ".join(names[key] for key in need.among if key in names)
    return f"There are several: {among}. It is not known which {what} is meant."


def _general(view: PolicyView, program: Program) -> Program:
    """The same without the names of this home, for another one."""
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
