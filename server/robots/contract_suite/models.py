"""Models of the contract suite: some fail, lie or say nothing; two record and repeat answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from server.robots.models import (
    Completes,
    DeadlineError,
    GarbageError,
    ModelAnswer,
    ModelRequest,
    UnavailableError,
)
from server.robots.models.call_record import prompt_text

LIE = (
    "Thought: The zebra_99 is in the stable_7, I see it.\n"
    "Pick[zebra_99]\nAssigned!\n"
    "Agent_0_Action: Pick[zebra_99]\nAgent_1_Action: Fly[stable_7]\n"
)
"""Calls that can be read, about things that there are not."""
LYING_JSON = (
    '{"goals": [{"what": "on", "things": ["zebra_99"], "where": ["stable_7"]}], "reason": "so", '
    '"plan": ["pick the zebra_99"], "completed": ["everything"], "robot action": "Fly[stable_7]", '
    '"robot subtask": "fly", "failure": "none", "memory": "none"}'
)
LYING_PROGRAM = 'zebra = Thing("zebra_99", near="stable_7")\nzebra.wash()\nzebra.fly()\nEND'
GARBAGE = "\x00}{][ \ud7ff<|im_end|>\u202e \N{ROBOT FACE}" * 40
ERRORS: tuple[Callable[[], Exception], ...] = (
    lambda: UnavailableError("no connection"),
    lambda: DeadlineError("no complete answer within 60 s"),
    lambda: GarbageError("an answer that is none of the protocol"),
    lambda: RuntimeError("a fault of the client"),
)


class FailingModel:
    """A model whose every call fails, with each kind of error in turn."""

    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.asked += 1
        raise ERRORS[self.asked % len(ERRORS)]()


class RepeatingModel:
    """A model that gives its texts in turn, whatever it is asked."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts
        self.asked = 0

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.asked += 1
        return _answer(self.texts[self.asked % len(self.texts)])


class LateModel:
    """A model that fails for its first calls, as one does that is still being started."""

    def __init__(self, inner: Completes, fails: int = 3) -> None:
        self.inner = inner
        self.fails = fails
        self.asked = 0

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.asked += 1
        if self.asked <= self.fails:
            raise UnavailableError("no connection")
        return await self.inner.complete(request)


class SilentModel:
    """A model that never answers; its calls end by their deadline, or by being cancelled."""

    def __init__(self, deadline_s: float | None = None) -> None:
        self.deadline_s = deadline_s
        self.asked = 0
        self.under_way = 0

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.asked += 1
        self.under_way += 1
        try:
            async with asyncio.timeout(self.deadline_s):
                await asyncio.Event().wait()
        except TimeoutError:
            raise DeadlineError(f"no complete answer within {self.deadline_s:g} s") from None
        finally:
            self.under_way -= 1
        raise AssertionError("nobody sets it")


class Exchange(msgspec.Struct, frozen=True):
    """A prompt and its answer; ``error`` is in the answer's place where there was none."""

    prompt: str
    answer: ModelAnswer | None = None
    error: str = ""


class RecordingModel:
    """A model that notes what another one is asked and what it answers."""

    def __init__(self, inner: Completes) -> None:
        self.inner = inner
        self.exchanges: list[Exchange] = []

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        prompt = prompt_text(request)
        try:
            answer = await self.inner.complete(request)
        except Exception as error:
            self.exchanges.append(Exchange(prompt, error=str(error) or repr(error)))
            raise
        self.exchanges.append(Exchange(prompt, answer))
        return answer


class RecordedModel:
    """A model that gives the answers of exchanges again, in their order, whatever it is asked."""

    def __init__(self, exchanges: Sequence[Exchange]) -> None:
        self.left = list(exchanges)
        self.differs = ""
        """The first prompt that is not the recorded one; empty: there is none."""

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        prompt = prompt_text(request)
        wanted = self.left.pop(0) if self.left else Exchange("")
        if wanted.prompt != prompt:
            self.differs = self.differs or prompt
        if wanted.answer is None:
            raise UnavailableError(wanted.error or "nothing more was asked then")
        return wanted.answer


def _answer(text: str) -> ModelAnswer:
    return ModelAnswer(text=text, finish_reason="stop", model="contract suite")
