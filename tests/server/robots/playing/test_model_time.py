"""The time that model calls are charged with: from tokens, whatever the clock says."""

from __future__ import annotations

import asyncio
import time
from itertools import count

import pytest

from server.robots.models import ModelAnswer, ModelRequest
from server.robots.models.request import DeadlineError, RefusedError
from server.robots.playing.model_time import TimedModel, TokenTime
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy import Decision, Finished
from tests.robot_doubles.prepared_answers import PreparedAnswers

TIME = TokenTime(call_s=0.5, read_per_s=100.0, said_per_s=10.0)


class Counting:
    """A model that counts tokens: as many as it is told."""

    def __init__(self, prompt_tokens: int | None, said: int | None) -> None:
        self.told = (prompt_tokens, said)

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        return ModelAnswer(
            text="x" * 40, finish_reason="stop", model="m",
            prompt_tokens=self.told[0], completion_tokens=self.told[1],
        )  # fmt: skip


def _ask(model: TimedModel, *prompts: tuple[str, str]) -> list[float]:
    async def ask() -> list[float]:
        found = []
        for purpose, prompt in prompts:
            await model.complete(ModelRequest(purpose=purpose, prompt=prompt))
            found.append(model.take_s())
        return found

    return asyncio.run(ask())


def test_what_is_new_is_read_and_what_is_said_is_said() -> None:
    timed = TimedModel(Counting(200, 20), TIME, 60.0)
    first, again, half = _ask(
        timed, ("act", "a" * 800), ("act", "a" * 800), ("act", "a" * 400 + "b" * 400)
    )
    assert first == pytest.approx(0.5 + 200 / 100 + 20 / 10)
    assert again == pytest.approx(0.5 + 20 / 10)
    assert half == pytest.approx(0.5 + 100 / 100 + 20 / 10)
    # Each kind of prompt has a start of its own.
    assert _ask(timed, ("plan", "a" * 800)) == pytest.approx([first])


def test_a_server_that_counts_nothing_is_counted_by_characters() -> None:
    timed = TimedModel(Counting(None, None), TIME, 60.0)
    assert _ask(timed, ("act", "a" * 800)) == pytest.approx([0.5 + 200 / 100 + 10 / 10])


@pytest.mark.parametrize(
    ("error", "charged"), [(DeadlineError("late"), 60.0), (RefusedError("no"), 0.5)]
)
def test_a_call_without_an_answer_costs_too(error: Exception, charged: float) -> None:
    timed = TimedModel(PreparedAnswers(error), TIME, 60.0)
    with pytest.raises(type(error)):
        _ask(timed, ("act", "a"))
    assert timed.take_s() == pytest.approx(charged)


def test_a_busy_machine_does_not_make_a_robot_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same decision, once on a machine that takes its time, is ready at the same tick."""
    ready = []
    for slow_s in (0.0, 2.0):
        clock = count(0.0, slow_s)
        monkeypatch.setattr(time, "perf_counter", lambda clock=clock: next(clock))
        loop = asyncio.new_event_loop()
        timed = TimedModel(Counting(200, 20), TokenTime(), 60.0)

        async def decide(timed: TimedModel = timed) -> Decision:
            await timed.complete(ModelRequest(purpose="act", prompt="a" * 800))
            return Finished()

        thought = ChargedThinker(loop, charged_s=timed.take_s).start(decide(), 100)
        loop.close()
        ready.append(next(tick for tick in range(100, 200) if thought.ready(tick)))
    # 0.2 s, 200 tokens at 4000 a second, 20 at 50: 0.65 s, which is 19.5 ticks.
    assert ready == [120, 120]
