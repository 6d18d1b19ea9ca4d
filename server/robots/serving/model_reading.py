"""Reading of models from their server: facts that stay, and answers to fixed questions."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from server.host_names import read_authority
from server.robots.models.client import ModelClient
from server.robots.models.openai_http import ModelCard
from server.robots.models.request import (
    Constraint,
    GarbageError,
    Message,
    ModelRequest,
    RefusedError,
)
from server.robots.serving.served_machine import flags_of, hardware, weights_digest
from server.robots.serving.served_model import ServedModel

_SYSTEM = "You are a robot in a household. Answer in one short line."
_STEP = (
    'root ::= tool "[" room "]"\n'
    'tool ::= "Navigate" | "Explore" | "Wait"\n'
    'room ::= "kitchen_1" | "bedroom_1" | "bathroom_1" | "living_room_1"\n'
)
QUESTIONS: Final[tuple[tuple[str, Constraint | None], ...]] = (
    ("Where in a home are plates usually kept?", None),
    ("Your partner carries a lamp to the bedroom. What do you say?", None),
    ("Name three things that are washed in a kitchen.", None),
    ("The cup is in the left drawer, and the drawer is closed. What comes first?", None),
    ("Count the rooms: kitchen, hall, bathroom, bedroom, study.", None),
    ("Two books lie on the table. I took the red one. Which is left?", None),
    ("The towel is in the bathroom. Go there.", Constraint.grammar(_STEP)),
    ("Nobody knows where the apple is. Look for it.", Constraint.grammar(_STEP)),
)
"""Questions that are asked of each model in the same words, and forms of their answers."""
_TOKENS = 24
_MOST_NAMED = 20
"""Most models that an error names."""
_CONVERSATION = (
    {"role": "system", "content": _SYSTEM},
    {"role": "user", "content": "Is the kettle full?"},
    {"role": "assistant", "content": "It is empty."},
    {"role": "user", "content": "Fill it, please."},
)
"""A conversation whose tokens show tokenizer and chat template together."""


class NoSuchModelError(RefusedError):
    """Error for a model that its server does not have; what it has may stand in its place."""


def questions_digest() -> str:
    """Return the digest of the fixed questions and of how they are asked."""
    asked = [
        _SYSTEM,
        _TOKENS,
        [(text, form and [form.kind, form.value]) for text, form in QUESTIONS],
    ]
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:20]


async def read_facts(client: ModelClient, names: Sequence[str]) -> list[ServedModel]:
    """Read what costs a server nothing: which models it has, from where, and which it is itself.

    ``names`` are those that are asked for; an empty one is the server's setting, or its first.
    Raises ModelError: it does not answer, or has no such model.
    """
    cards = await client.cards()
    told = await client.beside("version")
    version = told.get("version") if isinstance(told, dict) else None
    return [
        ServedModel(
            name=card.id,
            asked=asked,
            facts=_facts_of(card, version if isinstance(version, str) else ""),
            questions=questions_digest(),
        )
        for asked, card in _wanted(client, cards, names)
    ]


async def read_models(
    client: ModelClient, names: Sequence[str], machine: str = "", *, with_weights: bool = True
) -> list[ServedModel]:
    """Read all that is known of models, and how they answer the fixed questions.

    ``machine`` is what the operator says that the server runs on. A server that was started on
    this machine is looked at itself; ``with_weights``: the files of its weights, too, which may
    take minutes. Raises ModelError.
    """
    found = []
    for model in await read_facts(client, names):
        facts = dict(model.facts)
        if (template := await _template(client, model.name)) is not None:
            facts["template"] = template
        if machine:
            facts["machine"] = machine
        facts |= await asyncio.to_thread(_seen_here, client.server.url, facts, with_weights)
        found.append(
            msgspec.structs.replace(model, facts=facts, answers=await _answers(client, model.name))
        )
    return found


def _wanted(
    client: ModelClient, cards: Sequence[ModelCard], names: Sequence[str]
) -> list[tuple[str, ModelCard]]:
    """Return the models by the names that are asked for."""
    if not cards:
        raise GarbageError(f"expected at least one model from {client.server.url}, got none")
    known = {card.id: card for card in cards}
    wanted = {asked: asked or client.server.model or cards[0].id for asked in names}
    for name in wanted.values():
        if name not in known:
            has = ", ".join(list(known)[:_MOST_NAMED])
            more = f" and {len(known) - _MOST_NAMED} more" if len(known) > _MOST_NAMED else ""
            raise NoSuchModelError(f"the model server has no model {name}; it has: {has}{more}")
    return [(asked, known[name]) for asked, name in wanted.items()]


def _facts_of(card: ModelCard, version: str) -> dict[str, str]:
    told = {
        "server": card.owned_by,
        "version": version,
        "loaded_from": card.root or "",
        "context_tokens": "" if card.max_model_len is None else str(card.max_model_len),
    }
    return {fact: value for fact, value in told.items() if value}


async def _template(client: ModelClient, model: str) -> str | None:
    told: Any = await client.beside("tokenize", {"model": model, "messages": _CONVERSATION})
    tokens = told.get("tokens") if isinstance(told, dict) else None
    if not isinstance(tokens, list):
        return None
    return f"{len(tokens)} tokens, {hashlib.sha256(msgspec.json.encode(tokens)).hexdigest()[:20]}"


def _seen_here(url: str, facts: Mapping[str, str], with_weights: bool) -> dict[str, str]:
    """Return what this machine sees of a server that was started on it.

    An address of this machine may be the end of a tunnel: where no process of it is found, nothing
    is said of this machine.
    """
    parts = urlsplit(url)
    host = read_authority(parts.netloc.rpartition("@")[2])
    if host is None or not host.is_loopback or parts.port is None:
        return {}
    flags = flags_of(parts.port)
    if flags is None:
        return {}
    folder = Path(facts.get("loaded_from", ""))
    told = {
        "flags": flags,
        "machine": facts.get("machine") or hardware(),
        "weights": weights_digest(folder) if with_weights and folder.is_absolute() else None,
    }
    return {fact: value for fact, value in told.items() if value}


async def _answers(client: ModelClient, model: str) -> tuple[str, ...]:
    """Ask the fixed questions one after another: beside others an answer may round differently."""
    answers = []
    for text, form in QUESTIONS:
        request = ModelRequest(
            purpose="reading",
            prompt=(Message("system", _SYSTEM), Message("user", text)),
            max_tokens=_TOKENS,
            temperature=0.0,
            seed=0,
            constraint=form,
            model=model,
        )
        answers.append((await client.complete(request)).text)
    return tuple(answers)
