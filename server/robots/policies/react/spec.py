"""Declarations of ``react`` and ``react-rag``."""

from __future__ import annotations

import msgspec

from server.robots.policies.react.settings import RagSettings, ReactSettings
from server.robots.policies.shared.generation import seeded
from server.robots.policies.shared.presets import (
    ASKED_ONCE,
    BESIDE_A_PERSON,
    PARTNR_CENTRAL_CALLS,
    partnr_central_preset,
    partnr_preset,
)
from server.robots.policy import Policy
from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, SeatSetup

_PARTNR = ReactSettings(
    generation=ASKED_ONCE,
    bad_answer="result",
    hears=False,
    confirms_done=False,
    repeats=None,
    context_chars=None,
)
_PARTNR_CENTRAL = msgspec.structs.replace(
    _PARTNR, arrangement="centralised", most_calls=PARTNR_CENTRAL_CALLS
)


def _build(settings: ReactSettings, setup: SeatSetup) -> Policy:
    from server.robots.policies.react.centralised import CentralPlanner
    from server.robots.policies.react.policy import React

    if settings.arrangement == "decentralised":
        return React(setup.model, settings)
    planner = setup.shared(lambda: CentralPlanner(setup.model, settings, setup.seating.tools))
    return planner.seat(setup.seat)


def _build_rag(settings: RagSettings, setup: SeatSetup) -> Policy:
    from server.robots.policies.react.retrieval_policy import ReactRag, library_of
    from server.robots.policies.shared.embedding import embed_at
    from server.robots.policies.shared.retrieval import EmbeddingSimilarity, WordSimilarity

    library = library_of(settings)
    if settings.retrieval == "words":
        return ReactRag(setup.model, settings, WordSimilarity(library))
    embed = embed_at(settings.embedding_url, settings.embedding_model)
    return ReactRag(setup.model, settings, EmbeddingSimilarity(library, embed))


def _rag_seeded(settings: RagSettings, seed: int) -> RagSettings:
    return msgspec.structs.replace(settings, react=seeded(settings.react, seed))


REACT = PolicySpec(
    name="react",
    title="ReAct",
    description="Decides each move with a language model.",
    build=_build,
    presets={
        DEFAULT: Preset(settings=ReactSettings(), seating=BESIDE_A_PERSON),
        "partnr-decentralised": partnr_preset(_PARTNR),
        "partnr-decentralised-full": partnr_preset(_PARTNR, full=True),
        "partnr-centralised": partnr_central_preset(_PARTNR_CENTRAL),
        "partnr-centralised-full": partnr_central_preset(_PARTNR_CENTRAL, full=True),
        "partnr-tools": partnr_preset(msgspec.structs.replace(_PARTNR, information="tools")),
    },
    seeded=seeded,
    one_mind=lambda settings: settings.arrangement == "centralised",
)
REACT_RAG = PolicySpec(
    name="react-rag",
    title="ReAct with examples",
    build=_build_rag,
    presets={
        DEFAULT: Preset(settings=RagSettings(), seating=BESIDE_A_PERSON),
        "partnr": partnr_preset(RagSettings(react=_PARTNR, retrieval="embedding")),
    },
    seeded=_rag_seeded,
    files=lambda settings: (settings.library,),
    offered=False,
)
