"""Modules of ``llamar`` as model calls: what each is told, may answer, and what is read of it.

The modules keep nothing from one call to the next.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from server.robots.grammar import Grammar
from server.robots.grammar.json_objects import (
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
from server.robots.models import Completes, Message
from server.robots.policies.llamar import prompt_fields, prompts
from server.robots.policies.llamar.actor import ActorChoice, ActorForm, action_of, rules_prefix
from server.robots.policies.llamar.answers import (
    CALL_CHARS,
    STOP,
    AnswerError,
    Fields,
    read,
    subtasks_of,
    words_of,
)
from server.robots.policies.llamar.board import Action, Board, Correction, Order
from server.robots.policies.llamar.settings import LlamarSettings, Role
from server.robots.policies.llamar.situation import Briefing, Situation
from server.robots.policies.shared.generation import ModelQueries
from server.robots.policies.shared.team_prose import the
from server.sessions.policy_records import CallRecord

T = TypeVar("T")


@dataclass(frozen=True)
class _Query(Generic[T]):
    """Question to a module: its job, the form of the answer, and what is made of that."""

    job: str
    keys: Mapping[str, str]
    example: str
    grammar: Grammar
    fields: Sequence[str]
    """Fields of the situation that the module is told."""
    parser: Callable[[Fields], T]
    """Parser of the answer; raises AnswerError."""
    summary: Callable[[T], str]
    """Summary for the log of what was read."""


class Turn(msgspec.Struct, frozen=True):
    """Result of one call that does the work of all modules."""

    completed: tuple[str, ...]
    plan: tuple[str, ...]
    chosen: ActorChoice


class Modules:
    """Model calls of one seat."""

    def __init__(self, model: Completes, settings: LlamarSettings) -> None:
        self.settings = settings
        self._briefing = Briefing(settings)
        self._actor_form = ActorForm(settings)
        generation, models = settings.generation, settings.models
        self._queries_by_role = {
            role: ModelQueries(
                model,
                msgspec.structs.replace(
                    generation, model=getattr(models, role, "") or generation.model
                ),
            )
            for role in ("planner", "actor", "corrector", "verifier", "all")
        }
        self._calls: list[CallRecord] = []

    def fork(self) -> Modules:
        """Return the same modules with an empty record of calls."""
        other = copy.copy(self)
        other._queries_by_role = {
            role: queries.fork() for role, queries in self._queries_by_role.items()
        }
        other._calls = []
        return other

    def take_calls(self) -> list[CallRecord]:
        taken, self._calls = self._calls, []
        return taken

    # The modules

    async def plan(self, now: Situation) -> tuple[str, ...] | None:
        """Ask the Planner for the open subtasks; None where its answer could not be read.

        Raises ModelError, as all of the modules do.
        """
        grammar = answer_of([Member("reason", self._thought()), Member("plan", _own_list())])
        keys = {"reason": "what is done, what is missing", "plan": "the open subtasks, in order"}
        example = (
            '{"reason": "The cups have been found. One is still to be moved.", '
            '"plan": ["put cup_3 on table_7"]}'
        )
        query = _Query(
            prompts.planner(), keys, example, grammar,
            self._briefing.for_planner(now), lambda f: subtasks_of(f, "plan", "subtasks"),
            " | ".join,
        )  # fmt: skip
        return await self._ask("planner", now, query)

    async def act(self, now: Situation) -> ActorChoice | None:
        members, rules = self._actor_form.members(now, now.board.open)
        query = _Query(
            self._actor_form.job(now), self._actor_form.keys(now), self._actor_form.example(now),
            answer_of(members, rules), self._briefing.for_actor(now),
            lambda f: self._actor_form.chosen(now, f), _actions_summary,
        )  # fmt: skip
        return await self._ask("actor", now, query)

    async def correct(self, now: Situation) -> dict[str, Correction] | None:
        """Ask the Corrector about the seats that failed; return its corrections by seat."""
        labels = now.labels
        members: list[Member] = []
        keys: dict[str, str] = {}
        example: list[str] = []
        rules: dict[str, Expression] = {}
        for view in now.views:
            label = labels[view.seat]
            keys[f"{label} cause"] = f'why {the(label)} failed, or "{NONE}"'
            keys[f"{label} correction"] = f'the call that puts it right, or "{NONE}"'
            example += [
                f'"{label} cause": "The cabinet is closed."',
                f'"{label} correction": "Open[cabinet_25]"',
            ]
            failed = not now.records[view.seat].succeeded
            calls = self._actor_form.calls_for(view, done=False)
            if failed:
                rules |= calls.rules
            correction = called(f"{rules_prefix(label)}call", NONE) if failed else one_of([NONE])
            cause = self._thought() if failed else one_of([NONE])
            members += [Member(f"{label} cause", cause), Member(f"{label} correction", correction)]

        def corrections(fields: Fields) -> dict[str, Correction]:
            found = {}
            for view in now.views:
                if now.records[view.seat].succeeded:
                    continue
                label = labels[view.seat]
                cause = words_of(fields, f"{label} cause", "cause", most=self._most)
                text = words_of(fields, f"{label} correction", "correction", most=CALL_CHARS)
                call: Action | None = action_of(text, view.kind)
                if call is Order.DONE or (call and self._actor_form.problem(view, call)):
                    call = None
                if cause or call:
                    found[view.seat] = Correction(cause, call)
            return found

        query = _Query(
            prompts.corrector(), keys, f"{{{', '.join(example)}}}",
            answer_of(members, rules), self._briefing.for_corrector(now),
            corrections,
            lambda found: ", ".join(f"{s}: {c.cause} -> {c.call or ''}" for s, c in found.items()),
        )  # fmt: skip
        return await self._ask("corrector", now, query)

    async def verify(self, now: Situation) -> tuple[str, ...] | None:
        """Ask the Verifier which subtasks are completed, and return what it claims."""
        completed = _among(now.board.open)
        grammar = answer_of([Member("reason", self._thought()), Member("completed", completed)])
        keys = {"reason": "what is true now", "completed": "open subtasks that are completed"}
        example = (
            '{"reason": "cup_3 was put on table_7 and lies there.", '
            '"completed": ["put cup_3 on table_7"]}'
        )
        query = _Query(
            prompts.verifier(), keys, example, grammar,
            self._briefing.for_verifier(now),
            lambda f: subtasks_of(f, "completed", "completed subtasks"),
            lambda claims: _claimed(now.board, claims),
        )  # fmt: skip
        return await self._ask("verifier", now, query)

    async def all_at_once(self, now: Situation) -> Turn | None:
        """Ask for the work of Verifier, Planner, Corrector and Actor in one answer."""
        members, rules = self._actor_form.members(now, None)
        first = [
            Member("review", self._thought()),
            Member("completed", _among(now.board.open)),
            Member("plan", _own_list()),
        ]
        keys = {
            "review": "what was done, and what is true now",
            "completed": "open subtasks that are completed",
            "plan": "the subtasks that are open from now on, in order",
            **self._actor_form.keys(now),
        }
        example = (
            '{"review": "cup_3 lies on table_7 now.", "completed": ["put cup_3 on table_7"], '
            f'"plan": ["put bowl_4 on table_7"], {self._actor_form.example(now)[1:]}'
        )
        job = self._actor_form.job_with_all(now)
        query = _Query(
            job, keys, example, answer_of([*first, *members], rules),
            self._briefing.for_actor(now),
            lambda f: Turn(
                subtasks_of(f, "completed"),
                subtasks_of(f, "plan"),
                self._actor_form.chosen(now, f),
            ),
            lambda turn: _actions_summary(turn.chosen),
        )  # fmt: skip
        return await self._ask("all", now, query)

    # Asking

    async def _ask(self, role: Role, now: Situation, query: _Query[T]) -> T | None:
        """Return what ``query`` reads out of the answer; None where that cannot be read.

        The model is asked a second time where the settings say so. Raises ModelError.
        """
        hears = self.settings.hears
        company = prompts.company(now.bodies, now.seats, now.labels)
        system = prompts.system(query.job, company, query.keys, query.example, hears=hears)
        messages: tuple[Message, ...]
        messages = (Message("system", system), Message("user", prompt_fields.message(query.fields)))
        queries = self._queries_by_role[role]
        for last in (self.settings.bad_answer == "result", True):
            try:
                answer = await queries.ask(role, messages, stop=STOP, grammar=query.grammar)
                try:
                    found = query.parser(read(answer))
                except AnswerError as error:
                    problem = str(error)
                else:
                    problem = self._unusable(now, found)
                    queries.parsed(problem or query.summary(found))
                    if not problem or self.settings.bad_answer == "result":
                        return found
                queries.parsed(problem)
            finally:
                self._calls += queries.take_calls()
            if last:
                break
            again = Message("user", prompt_fields.corrected(problem))
            messages = (*messages, Message("assistant", f"{answer.rstrip()}{STOP}"), again)
        return None

    def _unusable(self, now: Situation, found: object) -> str:
        """Return why an answer that could be read is still of no use; empty where it is of use."""
        chosen = found.chosen if isinstance(found, Turn) else found
        return self._actor_form.unusable(now, chosen) if isinstance(chosen, ActorChoice) else ""

    @property
    def _most(self) -> int:
        return self.settings.generation.thought_chars

    def _thought(self) -> Expression:
        return free(self._most)


def _own_list() -> Expression:
    return some(free(SUBTASK_CHARS), MOST_SUBTASKS)


def _among(subtasks: Sequence[str]) -> Expression:
    """Return the form of a list of some of the subtasks."""
    return some(one_of(subtasks or (NONE,)), len(subtasks))


def _claimed(board: Board, claims: Sequence[str]) -> str:
    """Describe claims for the log, with those that cannot be completed as they were not open."""
    _, rejected = board.verified(claims)
    claimed = " | ".join(claims)
    return f"{claimed} (not open: {' | '.join(rejected)})" if rejected else claimed


def _actions_summary(chosen: ActorChoice) -> str:
    return ", ".join(f"{seat}: {call}" for seat, call in chosen.actions.items())
