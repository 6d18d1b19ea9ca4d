"""Reading of a served model: what answers under its name, and how it answers fixed questions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

FACTS: Mapping[str, str] = {
    "server": "the owner of the model, as its server says",
    "version": "the version of the model server",
    "loaded_from": "what the model was loaded from",
    "context_tokens": "its context length",
    "template": "its tokens of a fixed conversation (tokenizer and chat template)",
    "weights": "the files of its weights",
    "flags": "the flags that its server was started with",
    "machine": "the machine that it runs on",
}
"""Facts of a served model, in words; the order is that in which they are told."""


class ServedModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model as it answers now. A fact that nobody could tell is not among its ``facts``."""

    name: str
    """Name that requests call it by."""
    asked: str = ""
    """Name that robots ask for; empty: that of the server's setting, or its first model."""
    facts: Mapping[str, str]
    """Known facts, by the names of `FACTS`."""
    questions: str
    """Digest of the fixed questions: answers to others cannot be compared."""
    answers: tuple[str, ...] = ()
    """Answers to them, one after another, at temperature 0."""

    @property
    def digest(self) -> str:
        """Digest of what it is; how it answers is no part of that."""
        written = msgspec.json.encode([self.name, sorted(self.facts.items())])
        return hashlib.sha256(written).hexdigest()[:20]


class Change(NamedTuple):
    """Difference of a served model from an earlier reading of it."""

    facts: tuple[str, ...]
    """Sentences on facts that both readings know and that differ."""
    same: int
    """Answers that are the same, of those that can be compared."""
    of: int

    @property
    def is_another(self) -> bool:
        """Whether it is another robot: a fact differs, or at least half of its answers do."""
        return bool(self.facts) or (self.of > 0 and 2 * (self.of - self.same) >= self.of)

    @property
    def text(self) -> str:
        """Sentence on all that is different; empty: nothing is."""
        parts = list(self.facts)
        if self.same < self.of:
            parts.append(f"{self.of - self.same} of {self.of} answers to fixed questions differ")
        return "; ".join(parts)


def change_of(before: ServedModel, now: ServedModel) -> Change:
    """Return what became of a model since an earlier reading of it."""
    comparable = before.questions == now.questions
    pairs = list(zip(before.answers, now.answers, strict=False)) if comparable else []
    return Change(tuple(_facts(before, now)), sum(old == new for old, new in pairs), len(pairs))


def _facts(before: ServedModel, now: ServedModel) -> Iterator[str]:
    if before.name != now.name:
        yield f"the model was {before.name} and is {now.name}"
    for fact, words in FACTS.items():
        old, new = before.facts.get(fact), now.facts.get(fact)
        if old is not None and new is not None and old != new:
            yield f"{words}: was {old}, is {new}"
