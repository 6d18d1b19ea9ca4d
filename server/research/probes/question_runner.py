"""Runner of a probing's questions, which keeps each answer as it comes.

What has been answered is not asked again.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from episodes.bounded_files import (
    UnreadableError,
    decode_line,
    lines_of,
    read_file,
    refuse_link,
)
from server.research.probes.answers import PROBES, Probe, schema
from server.research.probes.problem import Problem
from server.research.probes.prompts import names_told, prompt
from server.robots.models import Completes, Constraint, ModelError, ModelRequest
from server.robots.models.call_record import prompt_text


class Probing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings that decide what is asked; kept beside the answers."""

    dataset: str
    tasks: tuple[str, ...]
    probes: tuple[Probe, ...] = PROBES
    model: str = ""
    relevant_only: bool = True
    """Whether the model is told only what matters to the goals (EAI's way), or the whole house."""
    example: bool = True
    constrained: bool = False
    """Whether answers are held to a schema, so that there are no grammar errors."""
    max_tokens: int = 1500
    temperature: float = 0.0
    seed: int = 0


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Answer to one task's probe; ``error`` says why there is none."""

    probe: Probe
    task_id: str
    prompt_sha256: str
    text: str = ""
    error: str = ""
    model: str = ""
    finish_reason: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_s: float = 0.0


_decoder = msgspec.json.Decoder(Answer)


class Question(NamedTuple):
    probe: Probe
    task_id: str
    request: ModelRequest

    @property
    def prompt_sha256(self) -> str:
        return hashlib.sha256(prompt_text(self.request).encode()).hexdigest()


def questions(probing: Probing, problems: Mapping[str, Problem]) -> list[Question]:
    """Return a question for every probe of every task."""
    found = []
    for probe in probing.probes:
        for task_id in probing.tasks:
            problem = problems[task_id]
            names = names_told(problem, probing.relevant_only)
            request = ModelRequest(
                purpose=f"probe {probe}",
                prompt=prompt(
                    probe, problem, relevant_only=probing.relevant_only, example=probing.example
                ),
                max_tokens=probing.max_tokens,
                temperature=probing.temperature,
                seed=probing.seed,
                constraint=(
                    Constraint.json(schema(probe, problem, names)) if probing.constrained else None
                ),
                model=probing.model,
            )
            found.append(Question(probe, task_id, request))
    return found


class Answers:
    """File of answers, a JSON line each. Raises UnreadableError for another file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[tuple[str, str, str], Answer] = {}
        try:
            lines = list(lines_of(read_file(path)))
        except FileNotFoundError:
            lines = []
        for line in lines:
            try:
                answer = decode_line(path, line, _decoder)
            except UnreadableError:
                # The end, where somebody pulled the plug: it is asked again.
                continue
            self._known[answer.probe, answer.task_id, answer.prompt_sha256] = answer

    def to(self, question: Question) -> Answer | None:
        """Return the answer to this very prompt; failed calls do not count."""
        found = self._known.get((question.probe, question.task_id, question.prompt_sha256))
        return None if found is None or found.error else found

    def add(self, answer: Answer) -> None:
        self._known[answer.probe, answer.task_id, answer.prompt_sha256] = answer
        self.path.parent.mkdir(parents=True, exist_ok=True)
        begins_anew = self.path.exists() and not self.path.read_bytes().endswith(b"\n")
        with refuse_link(self.path).open("ab") as file:
            file.write((b"\n" if begins_anew else b"") + msgspec.json.encode(answer) + b"\n")


async def ask(
    model: Completes, asked: Iterable[Question], answers: Answers, at_once: int = 16
) -> AsyncIterator[Answer]:
    """Ask what has no answer yet, so many at once; yield answers as they come.

    A call that fails is yielded with its error, and kept, to be asked again another time.
    """
    # Not left to the client: what waits there for its turn uses up its deadline.
    places = asyncio.Semaphore(at_once)

    async def in_turn(question: Question) -> Answer:
        async with places:
            return await one(question)

    async def one(question: Question) -> Answer:
        about = {
            "probe": question.probe,
            "task_id": question.task_id,
            "prompt_sha256": question.prompt_sha256,
        }
        try:
            got = await model.complete(question.request)
        except ModelError as error:
            return Answer(**about, error=f"{type(error).__name__}: {error}")  # type: ignore[arg-type]
        return Answer(
            **about,  # type: ignore[arg-type]
            text=got.text,
            model=got.model,
            finish_reason=got.finish_reason,
            prompt_tokens=got.prompt_tokens,
            completion_tokens=got.completion_tokens,
            latency_s=got.latency_s,
        )

    tasks = [asyncio.create_task(in_turn(q)) for q in asked if answers.to(q) is None]
    try:
        for ended in asyncio.as_completed(tasks):
            answer = await ended
            answers.add(answer)
            yield answer
    finally:
        for task in tasks:
            task.cancel()
