"""The ``finetuned`` policy: a model trained on calls, without thoughts, prompted anew each time."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from episodes.worldgraph import describe
from server.robots.grammar import bare, calls_of, vocabulary_of
from server.robots.grammar.answers import END_ACT
from server.robots.grammar.calls import DONE
from server.robots.models import Completes
from server.robots.policies.finetuned import prompts
from server.robots.policies.finetuned.settings import FinetunedSettings
from server.robots.policies.shared.discovery_skills import DISCOVERY_SKILLS
from server.robots.policies.shared.generation import ModelQueries
from server.robots.policy import Decision, Do, Finished, PastCall, Policy, PolicyView, SeenAct
from server.sessions.policy_records import CallRecord
from server.skills.call import Call, read

UNREPORTED = ("Navigate", "Explore")
"""Skills of the partner that are left out of the previous actions."""


def previous(history: Sequence[PastCall], acts: Sequence[SeenAct]) -> list[prompts.Line]:
    """Merge the seat's own calls and the partner's acts, in the order in which they ended."""
    lines = [(past.ended, prompts.Line(past.text, past.response)) for past in history]
    lines += [
        (act.tick, prompts.Line(act.text, own=False))
        for act in acts
        if act.call.name not in UNREPORTED
    ]
    return [line for _, line in sorted(lines, key=lambda timed: timed[0])]


class Finetuned(Policy):
    """Policy for one seat of one episode."""

    def __init__(self, model: Completes, settings: FinetunedSettings | None = None) -> None:
        self.settings = settings or FinetunedSettings()
        self._model_queries = ModelQueries(model, self.settings.generation)

    def take_calls(self) -> Sequence[CallRecord]:
        return self._model_queries.take_calls()

    def ahead(self, doing: Call) -> Finetuned | None:
        """Return a copy that decides while ``doing`` runs; None where that may find things.

        The policy keeps nothing between decisions: the view is all that it knows.
        """
        if doing.name in DISCOVERY_SKILLS:
            return None
        other = copy.copy(self)
        other._model_queries = self._model_queries.fork()
        return other

    async def decide(self, view: PolicyView) -> Decision:
        world = describe(view.graph, view.seat, states=self.settings.states)
        before = previous(view.history, view.partner_acts)
        prompt = prompts.prompt(view.instruction, world, before, self.settings.mark)
        grammar = bare(calls_of(view.tools, vocabulary_of(view.graph)))
        # The text as it stands, without a chat template: so it was trained.
        answer = await self._model_queries.ask("act", prompt, stop=END_ACT, grammar=grammar)
        text = answer.strip()
        self._model_queries.parsed(text)
        return Finished() if DONE in text else Do(read(text, view.kind))
