"""The modules of ``llamar`` as calls of a model: what each is told, what it may answer, and what is
read out of that. They keep nothing from one call to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from server.robots.grammar import Grammar, calls_of, vocabulary_of
from server.robots.grammar.calls import DONE, Query
from server.robots.grammar.modules import (
    MOST_SUBTASKS,
    NONE,
    SUBTASK_CHARS,
    Member,
    answer_of,
    called,
    free,
    one_of,
    some,
)
from server.robots.grammar.rules import Expression
from server.robots.grammar.valid import problem_with
from server.robots.models import Completes, Message
from server.robots.policies.asking import Asking
from server.robots.policies.llamar.answers import (
    STOP,
    AnswerError,
    Fields,
    read,
    subtasks_of,
    words_of,
)
from server.robots.policies.llamar.board import Board, Correction
from server.robots.policies.llamar.settings import LlamarSettings, Role
from server.robots.policies.llamar.telling import Situation, Telling
from server.robots.policy import PolicyView
from server.robots.prompts import llamar, llamar_fields
from server.robots.prompts.llamar_fields import LABELS
from server.robots.prompts.tools import describe_tools
from server.sessions.model_calls import CallRecord
from server.skills.registry import Skill

EXPLORE = "Explore[]"
_EXPLORING = (
    "- Explore[]: look for what the open subtasks need, where that is most likely. "
    "Example: Explore[]\n"
)
T = TypeVar("T")


class Chosen(msgspec.Struct, frozen=True):
    """What the Actor decided. ``actions`` and ``subtasks`` are by seat; an action may be no call
    at all, and is empty where nothing could be read."""

    memory: str
    actions: dict[str, str]
    subtasks: dict[str, str]


class Turn(msgspec.Struct, frozen=True):
    """What one call for everything came to."""

    completed: tuple[str, ...]
    plan: tuple[str, ...]
    chosen: Chosen


class Modules:
    """The calls that one seat makes."""

    def __init__(self, model: Completes, settings: LlamarSettings) -> None:
        self.settings = settings
        self._telling = Telling(settings)
        generation, models = settings.generation, settings.models
        self._askings = {
            role: Asking(
                model,
                msgspec.structs.replace(
                    generation, model=getattr(models, role, "") or generation.model
                ),
            )
            for role in ("planner", "actor", "corrector", "verifier", "all")
        }
        self._calls: list[CallRecord] = []

    def take_calls(self) -> list[CallRecord]:
        taken, self._calls = self._calls, []
        return taken

    # The modules

    async def plan(self, now: Situation) -> tuple[str, ...] | None:
        """The new list of open subtasks; None where the answer could not be read.

        Like all of these raises ModelError.
        """
        grammar = answer_of([Member("reason", self._thought()), Member("plan", _own_list())])
        keys = {"reason": "what is done, what is missing", "plan": "the open subtasks, in order"}
        example = (
            '{"reason": "The cups have been found. One is still to be moved.", '
            '"plan": ["put cup_3 on table_7"]}'
        )
        return await self._ask(
            "planner", now, llamar.planner(), keys, example, grammar,
            self._telling.for_planner(now), lambda f: subtasks_of(f, "plan", "subtasks"),
            " | ".join,
        )  # fmt: skip

    async def act(self, now: Situation) -> Chosen | None:
        members, rules = self._acting(now, now.board.open)
        job = llamar.actor(
            now.team,
            self._tools(now),
            corrects=self.settings.corrector != "off",
            remembers=self.settings.memory,
        )
        return await self._ask(
            "actor", now, job, self._acting_keys(now), self._acting_example(now),
            answer_of(members, rules), self._telling.for_actor(now),
            lambda f: self._chosen(now, f), _told,
        )  # fmt: skip

    async def correct(self, now: Situation) -> dict[str, Correction] | None:
        """By the seats of those who failed."""
        members: list[Member] = []
        keys: dict[str, str] = {}
        example: list[str] = []
        rules: dict[str, Expression] = {}
        for view in now.views:
            label = LABELS[view.kind]
            keys[f"{label} cause"] = f'why the {label} failed, or "{NONE}"'
            keys[f"{label} correction"] = f'the call that puts it right, or "{NONE}"'
            example += [
                f'"{label} cause": "The cabinet is closed."',
                f'"{label} correction": "Open[cabinet_25]"',
            ]
            failed = not now.fared[view.seat].succeeded
            calls = self._calls_for(view, done=False)
            if failed:
                rules |= calls.rules
            correction = called(f"{label}_call", NONE) if failed else one_of([NONE])
            cause = self._thought() if failed else one_of([NONE])
            members += [Member(f"{label} cause", cause), Member(f"{label} correction", correction)]

        def corrections(fields: Fields) -> dict[str, Correction]:
            found = {}
            for view in now.views:
                if now.fared[view.seat].succeeded:
                    continue
                label = LABELS[view.kind]
                cause = words_of(fields, f"{label} cause", "cause", most=self._most)
                call = words_of(fields, f"{label} correction", "correction", most=self._most)
                if call != EXPLORE and self._problem(view, call):
                    call = ""
                if cause or call:
                    found[view.seat] = Correction(cause, call)
            return found

        return await self._ask(
            "corrector", now, llamar.corrector(), keys, f"{{{', '.join(example)}}}",
            answer_of(members, rules), self._telling.for_corrector(now),
            corrections,
            lambda found: ", ".join(f"{s}: {c.cause} -> {c.call}" for s, c in found.items()),
        )  # fmt: skip

    async def verify(self, now: Situation) -> tuple[str, ...] | None:
        """What it claims to be completed."""
        completed = _among(now.board.open)
        grammar = answer_of([Member("reason", self._thought()), Member("completed", completed)])
        keys = {"reason": "what is true now", "completed": "open subtasks that are completed"}
        example = (
            '{"reason": "cup_3 was put on table_7 and lies there.", '
            '"completed": ["put cup_3 on table_7"]}'
        )
        return await self._ask(
            "verifier", now, llamar.verifier(), keys, example, grammar,
            self._telling.for_verifier(now),
            lambda f: subtasks_of(f, "completed", "completed subtasks"),
            lambda claims: _claimed(now.board, claims),
        )  # fmt: skip

    async def all_at_once(self, now: Situation) -> Turn | None:
        """Verifier, Planner, Corrector and Actor in one answer."""
        members, rules = self._acting(now, None)
        first = [
            Member("review", self._thought()),
            Member("completed", _among(now.board.open)),
            Member("plan", _own_list()),
        ]
        keys = {
            "review": "what was done, and what is true now",
            "completed": "open subtasks that are completed",
            "plan": "the subtasks that are open from now on, in order",
            **self._acting_keys(now),
        }
        example = (
            '{"review": "cup_3 lies on table_7 now.", "completed": ["put cup_3 on table_7"], '
            f'"plan": ["put bowl_4 on table_7"], {self._acting_example(now)[1:]}'
        )
        job = llamar.all_at_once(
            now.team,
            self._tools(now),
            corrects=self.settings.corrector != "off",
            remembers=self.settings.memory,
        )
        return await self._ask(
            "all", now, job, keys, example, answer_of([*first, *members], rules),
            self._telling.for_actor(now),
            lambda f: Turn(
                subtasks_of(f, "completed"), subtasks_of(f, "plan"), self._chosen(now, f)
            ),
            lambda turn: _told(turn.chosen),
        )  # fmt: skip

    # Asking

    async def _ask(
        self,
        role: Role,
        now: Situation,
        job: str,
        keys: Mapping[str, str],
        example: str,
        grammar: Grammar,
        fields: Sequence[str],
        reading: Callable[[Fields], T],
        telling: Callable[[T], str],
    ) -> T | None:
        """What ``reading`` makes of the answer; None after one that it cannot read (a second one,
        where the settings say so)."""
        system = llamar.system(job, now.team, keys, example, hears=self.settings.hears)
        messages: tuple[Message, ...]
        messages = (Message("system", system), Message("user", llamar_fields.message(fields)))
        asking = self._askings[role]
        for last in (self.settings.bad_answer == "result", True):
            try:
                answer = await asking.ask(role, messages, stop=STOP, grammar=grammar)
                try:
                    found = reading(read(answer))
                except AnswerError as error:
                    problem = str(error)
                else:
                    problem = self._unusable(now, found)
                    asking.parsed(problem or telling(found))
                    if not problem or self.settings.bad_answer == "result":
                        return found
                asking.parsed(problem)
            finally:
                self._calls += asking.take_calls()
            if last:
                break
            again = Message("user", llamar_fields.corrected(problem))
            messages = (*messages, Message("assistant", f"{answer.rstrip()}{STOP}"), again)
        return None

    def _unusable(self, now: Situation, found: object) -> str:
        """Why an answer that could be read is still of no use: an action that is no call."""
        chosen = found.chosen if isinstance(found, Turn) else found
        if not isinstance(chosen, Chosen):
            return ""
        for view in now.views:
            action = chosen.actions[view.seat]
            if action not in (DONE, EXPLORE) and (problem := self._problem(view, action)):
                return problem
        return ""

    def _problem(self, view: PolicyView, call: str) -> str:
        return problem_with(call, view.kind, self._skills(view), vocabulary_of(view.graph))

    # What may be answered

    @property
    def _most(self) -> int:
        return self.settings.generation.thought_chars

    def _thought(self) -> Expression:
        return free(self._most)

    def _acting(
        self, now: Situation, among: Sequence[str] | None
    ) -> tuple[list[Member], dict[str, Expression]]:
        """Members of the Actor's answer; ``among`` are the subtasks to be on, None: any."""
        members = []
        if self.settings.corrector != "off":
            members.append(Member("failure", self._thought()))
        if self.settings.memory:
            members.append(Member("memory", free(self.settings.memory_chars)))
        members.append(Member("reason", self._thought()))
        rules: dict[str, Expression] = {}
        for view in now.views:
            label = LABELS[view.kind]
            rules |= self._calls_for(view, done=True).rules
            if self.settings.planner:
                on = free(SUBTASK_CHARS) if among is None else one_of([*among, NONE])
                members.append(Member(f"{label} subtask", on))
            members.append(Member(f"{label} action", called(f"{label}_call")))
        return members, rules

    def _acting_keys(self, now: Situation) -> dict[str, str]:
        keys = {}
        if self.settings.corrector != "off":
            keys["failure"] = f'why something failed and what helps, or "{NONE}"'
        if self.settings.memory:
            keys["memory"] = "what you will need again"
        keys["reason"] = "what is to be done next, and why"
        for view in now.views:
            label = LABELS[view.kind]
            if self.settings.planner:
                keys[f"{label} subtask"] = f'the open subtask that the {label} is on, or "{NONE}"'
            keys[f"{label} action"] = f"one call of a tool for the {label}"
        return keys

    def _acting_example(self, now: Situation) -> str:
        values = {
            "failure": "Picking failed because the cup was too far away; walking there helps.",
            "memory": "bowl_4 lies on shelf_9. cabinet_25 has been opened.",
            "reason": "The cup is still to be put on the table, so it has to be fetched.",
        }
        for view in now.views:
            label = LABELS[view.kind]
            is_first = view is now.views[0]
            values[f"{label} subtask"] = "put cup_3 on table_7" if is_first else NONE
            values[f"{label} action"] = "Navigate[cup_3]" if is_first else "Wait[]"
        listed = (f'"{key}": "{values[key]}"' for key in self._acting_keys(now))
        return f"{{{', '.join(listed)}}}"

    def _chosen(self, now: Situation, fields: Fields) -> Chosen:
        actions, on = {}, {}
        for view in now.views:
            label = LABELS[view.kind]
            action = words_of(fields, f"{label} action", "action", most=self._most)
            actions[view.seat] = action
            on[view.seat] = words_of(fields, f"{label} subtask", "subtask", most=SUBTASK_CHARS)
        memory = words_of(fields, "memory", most=self.settings.memory_chars)
        return Chosen(memory, actions, on)

    def _calls_for(self, view: PolicyView, *, done: bool) -> Grammar:
        queries = [Query("Explore")] if self.settings.exploration in ("headings", "rooms") else []
        known = vocabulary_of(view.graph)
        prefix = f"{LABELS[view.kind]}_"
        return calls_of(self._skills(view), known, queries, prefix=prefix, done=done)

    def _skills(self, view: PolicyView) -> tuple[Skill, ...]:
        """The body's, but for the one that explores where the policy does that itself."""
        chooses = self.settings.exploration == "chosen"
        return tuple(s for s in view.tools if chooses or s.name != "Explore")

    def _tools(self, now: Situation) -> str:
        explores = _EXPLORING if self.settings.exploration in ("headings", "rooms") else ""
        texts = [explores + describe_tools(self._skills(view)) for view in now.views]
        if len(texts) == 1:
            return texts[0]
        return "\n".join(
            f"Of the {LABELS[view.kind]}:\n{text}"
            for view, text in zip(now.views, texts, strict=True)
        )


def _own_list() -> Expression:
    return some(free(SUBTASK_CHARS), MOST_SUBTASKS)


def _among(subtasks: Sequence[str]) -> Expression:
    """A list of some of these."""
    return some(one_of(subtasks or (NONE,)), len(subtasks))


def _claimed(board: Board, claims: Sequence[str]) -> str:
    """For the log: also what cannot be completed, because it was not open."""
    _, rejected = board.verified(claims)
    claimed = " | ".join(claims)
    return f"{claimed} (not open: {' | '.join(rejected)})" if rejected else claimed


def _told(chosen: Chosen) -> str:
    return ", ".join(f"{seat}: {call}" for seat, call in chosen.actions.items())
