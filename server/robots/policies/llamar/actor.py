"""Tools and answer form of the Actor, and what is read out of its answer.

The tools are the calls of each body that it decides for, and of the partner that it may advise.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from episodes.bodies import SeatKind
from episodes.seats import PAIR
from server.robots.grammar import Grammar, calls_of, vocabulary_of
from server.robots.grammar.calls import Query
from server.robots.grammar.json_objects import (
    NONE,
    SUBTASK_CHARS,
    Member,
    called,
    free,
    one_of,
)
from server.robots.grammar.rules import Expression
from server.robots.grammar.validity import problem_with
from server.robots.policies.llamar import prompts
from server.robots.policies.llamar.answers import CALL_CHARS, Fields, words_of
from server.robots.policies.llamar.board import Action, Order
from server.robots.policies.llamar.prompt_fields import LABELS
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.llamar.situation import Situation
from server.robots.policies.shared.tool_prompts import describe_tools
from server.robots.policy import PolicyView
from server.skills.call import Call, read
from server.skills.registry import Skill, skills_of

_EXPLORING = "- Explore[]: look for what {aim}, where that is most likely. Example: Explore[]\n"


class ActorChoice(msgspec.Struct, frozen=True):
    """Decision of the Actor: an action and a subtask for each seat, and a call for the partner.

    ``actions`` and ``subtasks`` are by seat; ``suggestion`` is a call that the partner could make.
    """

    memory: str
    actions: dict[str, Action]
    subtasks: dict[str, str]
    suggestion: Call | None = None


class ActorForm:
    """The Actor's part of an answer."""

    def __init__(self, settings: LlamarSettings) -> None:
        self.settings = settings

    @property
    def _most(self) -> int:
        return self.settings.generation.thought_chars

    def job(self, now: Situation) -> str:
        plans = self.settings.planner
        return prompts.actor(now.team, self._tools(now), self._notes(now), plans=plans)

    def job_with_all(self, now: Situation) -> str:
        """Return the job of all four modules in one."""
        return prompts.all_at_once(now.team, self._tools(now), self._notes(now))

    def _notes(self, now: Situation) -> str:
        partner = self._advised(now)
        return prompts.notes(
            now.team,
            corrects=self.settings.corrector != "off",
            remembers=self.settings.memory,
            advises="" if partner is None else LABELS[partner],
        )

    # The form

    def members(
        self, now: Situation, among: Sequence[str] | None
    ) -> tuple[list[Member], dict[str, Expression]]:
        """Return the members of the answer, with the rules that they refer to.

        ``among`` are the subtasks that a body may be on; None: any text.
        """
        members = []
        if self.settings.corrector != "off":
            members.append(Member("failure", free(self._most)))
        if self.settings.memory:
            members.append(Member("memory", free(self.settings.memory_chars)))
        members.append(Member("reason", free(self._most)))
        rules: dict[str, Expression] = {}
        for view in now.views:
            label = LABELS[view.kind]
            rules |= self.calls_for(view, done=True).rules
            if self.settings.planner:
                on = free(SUBTASK_CHARS) if among is None else one_of([*among, NONE])
                members.append(Member(f"{label} subtask", on))
            members.append(Member(f"{label} action", called(f"{label}_call")))
        if (partner := self._advised(now)) is not None:
            label, known = LABELS[partner], vocabulary_of(now.newest.graph)
            rules |= calls_of(_theirs(partner), known, prefix=f"{label}_", done=False).rules
            members.append(Member(f"{label} suggestion", called(f"{label}_call", NONE)))
        return members, rules

    def keys(self, now: Situation) -> dict[str, str]:
        """Return the meaning of each key of the form."""
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
        if (partner := self._advised(now)) is not None:
            label = LABELS[partner]
            keys[f"{label} suggestion"] = f'one call that the {label} could make, or "{NONE}"'
        return keys

    def example(self, now: Situation) -> str:
        """Return the form filled in."""
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
        if (partner := self._advised(now)) is not None:
            values[f"{LABELS[partner]} suggestion"] = "Open[cabinet_25]"
        listed = (f'"{key}": "{values[key]}"' for key in self.keys(now))
        return f"{{{', '.join(listed)}}}"

    # What is read

    def chosen(self, now: Situation, fields: Fields) -> ActorChoice:
        """Read the Actor's decision. Raises AnswerError."""
        actions: dict[str, Action] = {}
        on = {}
        for view in now.views:
            label = LABELS[view.kind]
            action = words_of(fields, f"{label} action", "action", most=CALL_CHARS)
            actions[view.seat] = action_of(action, view.kind)
            on[view.seat] = words_of(fields, f"{label} subtask", "subtask", most=SUBTASK_CHARS)
        memory = words_of(fields, "memory", most=self.settings.memory_chars)
        return ActorChoice(memory, actions, on, self._suggestion(now, fields))

    def _suggestion(self, now: Situation, fields: Fields) -> Call | None:
        """Return the call for the partner; None where the text is no call of the partner's."""
        partner = self._advised(now)
        if partner is None:
            return None
        text = words_of(fields, f"{LABELS[partner]} suggestion", most=CALL_CHARS)
        call, known = read(text, partner), vocabulary_of(now.newest.graph)
        if problem_with(call, _theirs(partner), known) or not isinstance(call, Call):
            return None
        return call

    def unusable(self, now: Situation, chosen: ActorChoice) -> str:
        """Return why a decision cannot be carried out (an action that is no call), or nothing."""
        for view in now.views:
            if problem := self.problem(view, chosen.actions[view.seat]):
                return problem
        return ""

    def problem(self, view: PolicyView, action: Action) -> str:
        """Return why an action is no call of a tool; empty where it is one, or none is needed."""
        if isinstance(action, Order):
            return ""
        return problem_with(action, self._skills(view), vocabulary_of(view.graph))

    # The tools

    def calls_for(self, view: PolicyView, *, done: bool) -> Grammar:
        queries = [Query("Explore")] if self.settings.exploration in ("headings", "rooms") else []
        known = vocabulary_of(view.graph)
        prefix = f"{LABELS[view.kind]}_"
        return calls_of(self._skills(view), known, queries, prefix=prefix, done=done)

    def _skills(self, view: PolicyView) -> tuple[Skill, ...]:
        """Return the body's skills, without Explore where the policy explores by itself."""
        chooses = self.settings.exploration == "chosen"
        return tuple(s for s in view.tools if chooses or s.name != "Explore")

    def _tools(self, now: Situation) -> str:
        aim = "the open subtasks need" if self.settings.planner else "the task needs"
        by_itself = self.settings.exploration in ("headings", "rooms")
        explores = _EXPLORING.format(aim=aim) if by_itself else ""
        texts = {v.kind: explores + describe_tools(self._skills(v)) for v in now.views}
        if (partner := self._advised(now)) is not None:
            texts[partner] = describe_tools(_theirs(partner), done=False)
        if len(texts) == 1:
            return texts[now.views[0].kind]
        return "\n".join(f"Of the {LABELS[kind]}:\n{text}" for kind, text in texts.items())

    def _advised(self, now: Situation) -> SeatKind | None:
        """Return the partner that the Actor may make suggestions to, or None."""
        if not self.settings.most_suggestions or len(now.team) > 1:
            return None
        return next(seat.kind for seat in PAIR if seat.kind not in now.team)


def action_of(text: str, kind: SeatKind) -> Action:
    """Read what the Actor, or the Corrector, wrote for a kind of seat."""
    return next((order for order in Order if order.value == text), None) or read(text, kind)


def _theirs(kind: SeatKind) -> tuple[Skill, ...]:
    """Return the skills that a partner can be asked for: all but waiting."""
    return tuple(skill for skill in skills_of(kind) if skill.name != "Wait")
