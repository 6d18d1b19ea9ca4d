"""Tools and answer form of the Actor, and what is read out of its answer.

The tools are the calls of each body that it decides for, and of the partner that it may advise.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from episodes.bodies import SeatKind
from episodes.seats import Seat
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
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.llamar.situation import Situation
from server.robots.policies.shared.team_prose import is_pair, labels_of, the
from server.robots.policies.shared.tool_prompts import describe_tools
from server.robots.policy import PolicyView
from server.skills.call import Call, read
from server.skills.registry import Skill, skills_of

_KINDS: dict[SeatKind, str] = {"robot": "robot", "human": "person"}
_EXPLORING = "- Explore[]: look for what {aim}, where that is most likely. Example: Explore[]\n"


class ActorChoice(msgspec.Struct, frozen=True):
    """Decision of the Actor: an action and a subtask for each seat, and a call for the partner.

    ``actions`` and ``subtasks`` are by seat; ``suggestion`` is a call that the partner could make.
    """

    memory: str
    actions: dict[str, Action]
    subtasks: dict[str, str]
    suggestion: Call | None = None
    advised: str = ""
    """Seat of the partner that the suggestion is for."""


class ActorForm:
    """The Actor's part of an answer."""

    def __init__(self, settings: LlamarSettings) -> None:
        self.settings = settings

    @property
    def _most(self) -> int:
        return self.settings.generation.thought_chars

    def job(self, now: Situation) -> str:
        plans = self.settings.planner
        return prompts.actor(len(now.views), self._tools(now), self._notes(now), plans=plans)

    def job_with_all(self, now: Situation) -> str:
        """Return the job of all four modules in one."""
        return prompts.all_at_once(len(now.views), self._tools(now), self._notes(now))

    def _notes(self, now: Situation) -> str:
        return prompts.notes(
            len(now.views),
            corrects=self.settings.corrector != "off",
            remembers=self.settings.memory,
            advises=[now.labels[seat.seat_id] for seat in self._advised(now)],
        )

    # The form

    def members(
        self, now: Situation, among: Sequence[str] | None
    ) -> tuple[list[Member], dict[str, Expression]]:
        """Return the members of the answer, with the rules that they refer to.

        ``among`` are the subtasks that a body may be on; None: any text.
        """
        members = []
        labels = now.labels
        if self.settings.corrector != "off":
            members.append(Member("failure", free(self._most)))
        if self.settings.memory:
            members.append(Member("memory", free(self.settings.memory_chars)))
        members.append(Member("reason", free(self._most)))
        rules: dict[str, Expression] = {}
        for view in now.views:
            label = labels[view.seat]
            rules |= self.calls_for(view, done=True).rules
            if self.settings.planner:
                on = free(SUBTASK_CHARS) if among is None else one_of([*among, NONE])
                members.append(Member(f"{label} subtask", on))
            members.append(Member(f"{label} action", called(f"{rules_prefix(label)}call")))
        for partner in self._advised(now):
            label, known = labels[partner.seat_id], vocabulary_of(now.newest.graph)
            prefix = rules_prefix(label)
            rules |= calls_of(_theirs(partner.kind), known, prefix=prefix, done=False).rules
            members.append(Member(f"{label} suggestion", called(f"{prefix}call", NONE)))
        return members, rules

    def keys(self, now: Situation) -> dict[str, str]:
        """Return the meaning of each key of the form."""
        keys = {}
        if self.settings.corrector != "off":
            keys["failure"] = f'why something failed and what helps, or "{NONE}"'
        if self.settings.memory:
            keys["memory"] = "what you will need again"
        keys["reason"] = "what is to be done next, and why"
        labels = now.labels
        for view in now.views:
            label = labels[view.seat]
            if self.settings.planner:
                keys[f"{label} subtask"] = f'the open subtask that {the(label)} is on, or "{NONE}"'
            keys[f"{label} action"] = f"one call of a tool for {the(label)}"
        for partner in self._advised(now):
            label = labels[partner.seat_id]
            keys[f"{label} suggestion"] = f'one call that {the(label)} could make, or "{NONE}"'
        return keys

    def example(self, now: Situation) -> str:
        """Return the form filled in."""
        values = {
            "failure": "Picking failed because the cup was too far away; walking there helps.",
            "memory": "bowl_4 lies on shelf_9. cabinet_25 has been opened.",
            "reason": "The cup is still to be put on the table, so it has to be fetched.",
        }
        labels = now.labels
        for view in now.views:
            label = labels[view.seat]
            is_first = view is now.views[0]
            values[f"{label} subtask"] = "put cup_3 on table_7" if is_first else NONE
            values[f"{label} action"] = "Navigate[cup_3]" if is_first else "Wait[]"
        for number, partner in enumerate(self._advised(now)):
            suggested = NONE if number else "Open[cabinet_25]"
            values[f"{labels[partner.seat_id]} suggestion"] = suggested
        listed = (f'"{key}": "{values[key]}"' for key in self.keys(now))
        return f"{{{', '.join(listed)}}}"

    # What is read

    def chosen(self, now: Situation, fields: Fields) -> ActorChoice:
        """Read the Actor's decision. Raises AnswerError."""
        actions: dict[str, Action] = {}
        on = {}
        for view in now.views:
            label = now.labels[view.seat]
            action = words_of(fields, f"{label} action", "action", most=CALL_CHARS)
            actions[view.seat] = action_of(action, view.kind)
            on[view.seat] = words_of(fields, f"{label} subtask", "subtask", most=SUBTASK_CHARS)
        memory = words_of(fields, "memory", most=self.settings.memory_chars)
        advised, call = self._suggestion(now, fields)
        return ActorChoice(memory, actions, on, call, advised)

    def _suggestion(self, now: Situation, fields: Fields) -> tuple[str, Call | None]:
        """Return the first call for a partner that is one of its own, and whom it is for."""
        known = vocabulary_of(now.newest.graph)
        for seat in self._advised(now):
            label = now.labels[seat.seat_id]
            text = words_of(fields, f"{label} suggestion", most=CALL_CHARS)
            call = read(text, seat.kind)
            if not problem_with(call, _theirs(seat.kind), known) and isinstance(call, Call):
                return seat.seat_id, call
        return "", None

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
        prefix = rules_prefix(labels_of(view)[view.seat])
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
        for partner in self._advised(now):
            texts[partner.kind] = describe_tools(_theirs(partner.kind), done=False)
        if len(texts) == 1:
            return texts[now.views[0].kind]
        return "\n".join(
            f"Of {_whose(kind, now.newest.graph.seats)}:\n{text}" for kind, text in texts.items()
        )

    def _advised(self, now: Situation) -> tuple[Seat, ...]:
        """Return the partners that the Actor may make suggestions to: bodies of the other kind."""
        if not self.settings.most_suggestions or len(now.views) > 1:
            return ()
        kind, bodies = now.views[0].kind, now.bodies
        return tuple(seat for seat in now.others if seat.kind != kind and seat in bodies)


def action_of(text: str, kind: SeatKind) -> Action:
    """Read what the Actor, or the Corrector, wrote for a kind of seat."""
    return next((order for order in Order if order.value == text), None) or read(text, kind)


def rules_prefix(label: str) -> str:
    """Return what the grammar's rules for a body begin with: ``robot_1_``."""
    return f"{label.replace(' ', '_')}_"


def _whose(kind: SeatKind, seats: Sequence[Seat]) -> str:
    """Return the bodies of a kind, in words."""
    word = _KINDS[kind]
    alone = is_pair(seats) or sum(seat.kind == kind for seat in seats) == 1
    return f"the {word}" if alone else f"each {word}"


def _theirs(kind: SeatKind) -> tuple[Skill, ...]:
    """Return the skills that a partner can be asked for: all but waiting."""
    return tuple(skill for skill in skills_of(kind) if skill.name != "Wait")
