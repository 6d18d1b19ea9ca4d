"""Model queries of ``helper``: the prompt of each, what the answer may be, and how it is read."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

from episodes.worldgraph import describe
from server.robots.grammar import Grammar
from server.robots.grammar.programs import PROGRAM_END, Language, places_of, program_of
from server.robots.models import Completes, Message
from server.robots.policies.helper import prompts as prompts
from server.robots.policies.helper.answers import (
    Action,
    answer_grammar,
    question_grammar,
    read_answer,
    read_places,
    read_question,
)
from server.robots.policies.helper.api_prompts import methods
from server.robots.policies.helper.example_ranking import Ranking, Recalled, nearest, nearest_domain
from server.robots.policies.helper.memory import DOMAINS, Domain, Memories, Memory
from server.robots.policies.helper.misplaced_things import rooms_to_see, seldom_here
from server.robots.policies.helper.name_binding import is_floor, nearest_first, words_of
from server.robots.policies.helper.program_parser import (
    EVERY,
    FUNCTIONS,
    METHODS,
    NOTHING,
    ONE,
    REMEMBER,
    Program,
    Words,
    parse,
    stem_of,
)
from server.robots.policies.helper.requests import QUESTIONS
from server.robots.policies.helper.settings import HelperSettings
from server.robots.policies.helper.subgoals import Ask, Locate, Repair
from server.robots.policies.shared.generation import ModelQueries, Parameter
from server.robots.policies.shared.team_prose import holders_of
from server.robots.policy import PolicyView
from server.sessions.policy_records import CallRecord

STOP = f"\n{PROGRAM_END}"
GUARD = 0.85
"""Share of the context that a prompt may fill: longer prompts lose examples, the farthest first."""
EXPLAIN_CHARS = 200
TALK_LINES = 8
_Prompt = Callable[[Sequence[Memory]], str]
"""Function that returns a prompt with these examples in it."""


class Queries:
    """Queries to one model in one episode; each raises what the model's client raises."""

    def __init__(
        self, model: Completes, settings: HelperSettings, memories: Memories, ranking: Ranking
    ) -> None:
        self.settings = settings
        self.domain: Domain = "task"
        """Kind of input, found out when the first program is asked for."""
        self._model_queries = ModelQueries(model, settings.generation)
        self._memories = memories
        self._ranking = ranking

    def take_calls(self) -> Sequence[CallRecord]:
        return self._model_queries.take_calls()

    def fork(self) -> Queries:
        """Return the same queries with an empty record of calls."""
        other = copy.copy(self)
        other._model_queries = self._model_queries.fork()
        return other

    async def classify(self, instruction: str) -> None:
        """Find out the kind of input, where anything depends on it."""
        settings = self.settings
        if settings.domain:
            self.domain = settings.domain
        elif settings.variant == "prompts" or settings.tidies:
            roles = {domain: prompts.TEMPLATES[domain].role for domain in DOMAINS}
            self.domain = await nearest_domain(self._ranking, instruction, self._memories, roles)

    def unseen(self, view: PolicyView) -> Sequence[str]:
        """Return the ids of rooms to look through before a program can be written."""
        rooms = [room.room_id for room in view.graph.scene.rooms]
        first = list(nearest_first(view, rooms)[: self.settings.explores])
        if self._is_tidying:
            first += rooms_to_see(view.graph, view.instruction)
        return list(dict.fromkeys(first))

    @property
    def _is_tidying(self) -> bool:
        return self.settings.tidies and self.domain == "tidy"

    # Programs

    async def plan(self, view: PolicyView) -> Program:
        """Ask for a program for the whole task."""
        recalled = await self._recall(view.instruction)
        template, home = self._template(), self._home(view)
        if self._is_tidying:
            home = "\n".join(filter(None, (home, seldom_here(view.graph))))
        heard = _talk(view) if self.settings.listens else ""

        routines = self._memories.routines(f"{view.instruction}\n{heard}")

        def prompt(shown: Sequence[Memory]) -> str:
            examples = prompts.recalled(_shown(shown), _routines(routines))
            return prompts.plan(template, view.instruction, home, examples, heard)

        return await self._program(view, "planner", prompt, recalled, routines)

    async def feedback(self, view: PolicyView, news: str, report: str) -> Program:
        """Ask for a program after the partner said ``news``; ``report`` is what runs or has run."""
        recalled = await self._recall(news)
        template, home, talk = self._template(), self._home(view), _talk(view)

        routines = self._memories.routines(news)

        def prompt(shown: Sequence[Memory]) -> str:
            examples = prompts.recalled(_shown(shown), _routines(routines))
            return prompts.feedback(template, view.instruction, home, examples, talk, report)

        return await self._program(view, "feedback", prompt, recalled, routines)

    async def _program(
        self,
        view: PolicyView,
        purpose: str,
        prompt: _Prompt,
        recalled: Recalled,
        routines: Sequence[Memory],
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
        if routines:
            more["routines"] = ", ".join(record.name for record in routines)
        program = Program()
        for last in (self.settings.bad_answer == "drop", True):
            answer = await self._ask(purpose, messages, grammar, more)
            keeps, groups = self.settings.routines, self.settings.extended
            program = parse(answer, words, groups=groups, keeps=keeps)
            self._model_queries.parsed(_summary(program))
            if last or ((program.lines or program.kept) and not program.refused):
                break
            messages = (
                *messages,
                Message("assistant", answer.rstrip() + STOP),
                Message("user", prompts.again(program.refused)),
            )
        return program

    async def repair(self, view: PolicyView, need: Repair) -> Program:
        """Ask for lines in place of one that failed."""
        words = self._words(view)
        # The key is what failed and what was told, never the task.
        query = f"{need.code}\n{need.error}"
        recalled = await nearest(
            self._ranking, query, self._memories.repairs(), self.settings.examples
        )
        home = self._home(view)

        def prompt(shown: Sequence[Memory]) -> str:
            examples = prompts.recalled(_shown(shown))
            return prompts.repair(view.instruction, home, examples, need.code, need.error)

        shown = self._guarded(view, prompt, recalled)
        grammar = self._grammar(view, words, corrects=True)
        messages = (self._system(view), Message("user", prompt(shown.examples)))
        answer = await self._ask("repair", messages, grammar, self._about(shown))
        code = "\n".join(x for x in answer.splitlines() if not x.startswith("Explain:"))
        program = parse(code, words, corrects=True, groups=False)
        self._model_queries.parsed(_summary(program))
        return program

    # ThingLookup things

    async def places(self, view: PolicyView, need: Locate) -> Sequence[str]:
        """Ask where a thing could be; return names or kinds, the likeliest first.

        They are rooms and furniture.
        """
        words, count = self._words(view), self.settings.places
        grammar = places_of(self._places(view, words), count)
        talk = _talk(view)
        what = need.declared.word
        text = prompts.locate(view.instruction, self._home(view), what, count, talk)
        messages = (self._system(view), Message("user", text))
        answer = await self._ask("locator", messages, grammar, self._about(None))
        places = read_places(answer, words, count)
        self._model_queries.parsed(", ".join(places))
        return places

    async def question(self, view: PolicyView, need: Ask) -> str:
        """Ask which of the questions is best put to the partner."""
        what = need.declared.word
        text = prompts.choose_question(view.instruction, _context(view, need), what)
        messages = (self._system(view), Message("user", text))
        grammar = question_grammar(QUESTIONS, what)
        answer = await self._ask("question", messages, grammar, self._about(None))
        verb = read_question(answer, QUESTIONS)
        self._model_queries.parsed(f"{verb}({what})")
        return verb

    async def answer(
        self, view: PolicyView, need: Ask, asked: str, answer: str
    ) -> Sequence[Action]:
        """Ask what follows from what the partner answered."""
        words = self._words(view)
        home, context = self._home(view), _context(view, need)
        prompt = prompts.read_answer(view.instruction, home, context, asked, answer)
        messages = (self._system(view), Message("user", prompt))
        names = view.graph.names.graph
        things = tuple(names[h] for h in view.graph.objects)
        grammar = answer_grammar(self._places(view, words), things)
        text = await self._ask("answer", messages, grammar, self._about(None))
        actions = read_answer(text, words)
        self._model_queries.parsed(", ".join(f"{a.verb}({a.word})" for a in actions))
        return actions

    # Prompts

    async def _ask(
        self,
        purpose: str,
        messages: tuple[Message, ...],
        grammar: Grammar,
        more: dict[str, Parameter],
    ) -> str:
        return await self._model_queries.ask(
            purpose, messages, stop=STOP, grammar=grammar, more=more
        )

    def _about(self, shown: Recalled | None) -> dict[str, Parameter]:
        """Return what each call's line in the log says of the memory."""
        about: dict[str, Parameter] = {"memory": self._memories.digest, "domain": self.domain}
        if shown is not None:
            about["examples"] = shown.names
            about["distances"] = " ".join(f"{d:.4f}" for d in shown.distances)
        return about

    async def _recall(self, query: str) -> Recalled:
        domain = self.domain if self.settings.variant == "prompts" else None
        among = self._memories.plans(domain, extended=self.settings.extended)
        return await nearest(self._ranking, query, among, self.settings.examples)

    def _guarded(self, view: PolicyView, prompt: _Prompt, recalled: Recalled) -> Recalled:
        """Return as many of the examples as there is room for."""
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
        return prompts.TEMPLATES[self.domain]

    def _system(self, view: PolicyView) -> Message:
        words = words_of(view.graph, names=False)
        tools = [skill.name for skill in view.tools]
        has = self.settings
        text = prompts.system(
            prompts.body(view), tools, words.classes, extended=has.extended, keeps=has.routines
        )
        return Message("system", text)

    def _home(self, view: PolicyView) -> str:
        if self.settings.shows == "kinds":
            return ""
        holders = holders_of(view.graph.seats)
        return describe(view.graph, view.seat, states=self.settings.states, holders=holders)

    def _words(self, view: PolicyView) -> Words:
        return words_of(view.graph, names=self.settings.shows == "home")

    def _places(self, view: PolicyView, words: Words) -> tuple[str, ...]:
        """Return what the Locator may name: rooms and furniture, by name or by kind."""
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
        language = Language(
            names=words.names,
            classes=words.classes,
            stems=tuple(dict.fromkeys((*words.classes, *map(stem_of, words.names)))),
            methods=tuple((name, METHODS[name].form) for name in allowed),
            makers=makers,
            functions=FUNCTIONS if self.settings.extended and not corrects else (NOTHING,),
            most=40,
            explained=EXPLAIN_CHARS if corrects else 0,
            keeping=REMEMBER if self.settings.routines and not corrects else "",
        )
        return program_of(language)


def _talk(view: PolicyView) -> str:
    lines = view.chat[-TALK_LINES:]
    return prompts.said(
        ("You" if line.seat == view.seat else view.name_of(line.seat).capitalize(), line.text)
        for line in lines
    )


def _shown(examples: Sequence[Memory]) -> list[prompts.Shown]:
    return [prompts.Shown(e.key, e.program, e.why) for e in examples]


def _routines(records: Sequence[Memory]) -> list[prompts.Shown]:
    return [prompts.Shown(r.key, r.program, name=r.name) for r in records]


def _summary(program: Program) -> str:
    refused = f"; refused: {'; '.join(program.refused)}" if program.refused else ""
    kept = "".join(f"; {kept}" for kept in program.kept)
    return f"{len(program.lines)} lines{kept}{refused}"


def _context(view: PolicyView, need: Ask) -> str:
    what = need.declared.word
    if need.about == "where":
        return f"Nobody has seen the {what} yet: it is not known where it is."
    names = view.graph.names.graph
    among = ", ".join(names[key] for key in need.among if key in names)
    return f"There are several: {among}. It is not known which {what} is meant."
