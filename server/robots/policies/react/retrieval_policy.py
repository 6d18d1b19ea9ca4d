"""The ``react-rag`` policy: ReAct with the trace of the most similar solved task as an example."""

from __future__ import annotations

import copy
from pathlib import Path

from server.robots.models import Completes
from server.robots.policies.react.policy import React
from server.robots.policies.react.settings import RagSettings
from server.robots.policies.shared.retrieval import Library, NoLibraryError, Similarity
from server.robots.policy import Decision, Policy, PolicyView
from server.sessions.policy_records import CallRecord
from server.skills.call import Call


class ReactRag(Policy):
    """Policy for one seat of one episode; the example is chosen when it is first asked."""

    def __init__(self, model: Completes, settings: RagSettings, similarity: Similarity) -> None:
        self._model = model
        self._settings = settings
        self._similarity = similarity
        self._react: React | None = None

    async def decide(self, view: PolicyView) -> Decision:
        if self._react is None:
            example = await self._similarity.most_similar(view.instruction)
            self._react = React(self._model, self._settings.react, example)
        return await self._react.decide(view)

    def ahead(self, doing: Call) -> ReactRag | None:
        react = None if self._react is None else self._react.ahead(doing)
        if react is None:
            return None
        other = copy.copy(self)
        other._react = react
        return other

    def take_calls(self) -> list[CallRecord]:
        return [] if self._react is None else list(self._react.take_calls())


def library_of(settings: RagSettings) -> Library:
    """Read the library that the settings name. Raises NoLibraryError."""
    if not settings.library:
        raise NoLibraryError(
            "react-rag needs traces: react-rag:library=FILE (`cohabit robots traces` writes one)"
        )
    return Library.read(Path(settings.library))
