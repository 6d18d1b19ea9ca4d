"""Players of the policies that have configurations, from a name such as
``react:partnr-centralised``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from episodes.bodies import SeatKind
from episodes.seats import PAIR
from server.recording.recordings import RecordingError
from server.robots.baselines.ghost import Ghost, GhostSettings
from server.robots.baselines.oracle import OraclePlayer
from server.robots.baselines.scripted_people import PersonManner, ScriptedPerson
from server.robots.models import Completes
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import Thinker
from server.robots.policies.cohab.policy import Cohab
from server.robots.policies.cohab.policy import Options as CohabOptions
from server.robots.policies.finetuned.policy import Finetuned, FinetunedSettings
from server.robots.policies.helper.example_ranking import (
    InOrder,
    Ranks,
    RanksByEmbedding,
    RanksByWords,
)
from server.robots.policies.helper.memory import MemoryFileError, memories_of
from server.robots.policies.helper.policy import Helper
from server.robots.policies.helper.settings import HelperSettings
from server.robots.policies.llamar.exploration import ByEmbedding as ScoresByEmbedding
from server.robots.policies.llamar.exploration import by_words
from server.robots.policies.llamar.policy import Llamar, Team
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.react.centralised import CentralPlanner
from server.robots.policies.react.policy import React, ReactSettings
from server.robots.policies.react.retrieval_policy import RagSettings, ReactRag, library_of
from server.robots.policies.shared.retrieval import (
    ByEmbedding,
    ByWords,
    Embed,
    NoLibraryError,
    Similarity,
)
from server.robots.policy import Policy
from server.robots.registry.presets import Preset, PresetError, configured
from server.sessions.player import Player


def cast_player(
    text: str,
    seat: str,
    thinker: Thinker,
    model: Completes | None,
    company: dict[str, Any] | None = None,
    seed: int = 0,
) -> Player:
    """A player for one episode. ``company`` is what the players of that episode share: one model
    that plays several seats is in it. Without it each seat has its own. ``seed`` is added to the
    seeds of the configuration: repetitions of a trial differ by it.

    Raises PresetError, also where what the configuration needs is not there.
    """
    named = configured(text)
    setup = msgspec.structs.replace(named.setup, settings=_seeded(named.setup.settings, seed))
    if named.policy == "scripted":
        manner = cast(PersonManner, setup.settings)
        return ScriptedPerson(seat, msgspec.structs.replace(manner, seed=manner.seed + seed))
    try:
        if named.policy == "ghost":
            return Ghost.of(seat, cast(GhostSettings, setup.settings))
        if model is None:
            raise PresetError(f"{named.policy} needs a model server: set COHABIT_MODEL_URL")
        policy = _policy(text, setup, seat, model, {} if company is None else company)
    except (RecordingError, NoLibraryError, MemoryFileError) as error:
        raise PresetError(str(error)) from error
    seating = setup.seating_of(_kind(seat))
    if named.policy == "llamar-oracle":
        return OraclePlayer(seat, cast(Llamar, policy), thinker, seating)
    return PolicyPlayer(seat, policy, thinker, seating)


def _seeded(settings: Any, seed: int) -> Any:
    """The same with ``seed`` added to that of its generation, wherever that stands: it is what a
    model with a temperature answers by."""
    match settings:
        case (
            ReactSettings(generation=generation)
            | FinetunedSettings(generation=generation)
            | HelperSettings(generation=generation)
            | LlamarSettings(generation=generation)
        ):
            if generation.seed is None:
                return settings
            moved = msgspec.structs.replace(generation, seed=generation.seed + seed)
            return msgspec.structs.replace(settings, generation=moved)
        case RagSettings(react=react):
            return msgspec.structs.replace(settings, react=_seeded(react, seed))
    return settings


def _policy(
    text: str, setup: Preset, seat: str, model: Completes, company: dict[str, Any]
) -> Policy:
    match setup.settings:
        case ReactSettings(arrangement="centralised") as settings:
            if text not in company:
                company[text] = CentralPlanner(model, settings, setup.seating.tools)
            return cast(CentralPlanner, company[text]).seat(seat)
        case ReactSettings() as settings:
            return React(model, settings)
        case RagSettings() as settings:
            return ReactRag(model, settings, _similarity(settings))
        case FinetunedSettings() as settings:
            return Finetuned(model, settings)
        case CohabOptions() as options:
            return Cohab(model, options)
        case HelperSettings() as settings:
            return _helper(model, settings)
        case LlamarSettings(arrangement="centralised") as settings:
            if text not in company:
                company[text] = _team(settings)
            return cast(Team, company[text]).seat(seat, model)
        case LlamarSettings() as settings:
            return _team(settings).seat(seat, model)
        case other:
            raise TypeError(f"no policy has settings such as {other!r}")


def _similarity(settings: RagSettings) -> Similarity:
    library = library_of(settings)
    if settings.retrieval == "words":
        return ByWords(library)
    return ByEmbedding(library, _embed(settings.embedding_url, settings.embedding_model))


def _team(settings: LlamarSettings) -> Team:
    if settings.similarity == "words":
        return Team(settings, by_words)
    embed = _embed(settings.embedding_url, settings.embedding_model)
    return Team(settings, ScoresByEmbedding(embed))


def _helper(model: Completes, settings: HelperSettings) -> Helper:
    for growing in ("grows", "routines"):
        if getattr(settings, growing) and not settings.memory:
            raise PresetError(f"helper:{growing}=true needs a file to grow: memory=FILE")
    memories = memories_of(settings.memory)
    ranks: Ranks
    match settings.retrieval:
        case "words":
            ranks = RanksByWords()
        case "first":
            ranks = InOrder()
        case "embedding":
            ranks = RanksByEmbedding(_embed(settings.embedding_url, settings.embedding_model))
    return Helper(model, settings, memories, ranks)


def _embed(url: str, model: str) -> Embed:
    if not url:
        raise NoLibraryError(
            "retrieval by embedding needs embedding_url=URL; retrieval=words needs no server"
        )
    server = ModelServer(url, model=model)

    async def embed(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        async with ModelClient(server) as client:
            return await client.embed(texts)

    return embed


def _kind(seat: str) -> SeatKind:
    return next(s.kind for s in PAIR if s.seat_id == seat)
