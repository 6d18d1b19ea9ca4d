"""The client against a server that does everything wrong on purpose, over real sockets."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from server.robots.models import (
    Constraint,
    DeadlineError,
    GarbageError,
    Message,
    ModelError,
    ModelRequest,
    RefusedError,
    UnavailableError,
)
from server.robots.models.backoff import Backoff
from server.robots.models.breaker import Breaker
from server.robots.models.call_tally import CALLS
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from tests.model_double import Asked, Behaviour, ModelDouble, Reply, named

AT_ONCE = Backoff(most_retries=3, first_s=0.001, longest_s=0.001)


@pytest.fixture
def double() -> Iterator[ModelDouble]:
    with ModelDouble() as running:
        yield running


@pytest.fixture
async def client(double: ModelDouble) -> AsyncIterator[ModelClient]:
    async with ModelClient(ModelServer(double.url, deadline_s=20), backoff=AT_ONCE) as made:
        await made.models()  # short deadlines below are not for the first use of the library
        yield made


def asking(text: str = "Where is the cup?", **options: object) -> ModelRequest:
    messages = (Message("system", "You are a robot."), Message("user", text))
    return ModelRequest(purpose="act", prompt=messages, **options)  # type: ignore[arg-type]


def in_turn(*replies: Reply) -> Behaviour:
    """Return a behaviour that gives the replies in turn, the last one for ever."""
    return lambda asked: replies[min(asked.number, len(replies) - 1)]


async def test_an_answer_comes_with_its_numbers(double: ModelDouble, client: ModelClient) -> None:
    double.behave = lambda asked: Reply(f"In the {asked.last.split()[-1]}.")
    answer = await client.complete(asking("I am in the kitchen", max_tokens=20, seed=7))
    assert answer.text == "In the kitchen."
    assert (answer.finish_reason, answer.model) == ("stop", "double")
    assert (answer.prompt_tokens, answer.completion_tokens) == (9, 3)
    assert answer.first_token_s is not None
    assert 0 < answer.first_token_s <= answer.latency_s
    assert (answer.retries, answer.in_flight) == (0, 0)


@pytest.mark.parametrize("empty_pieces", [0, 1])
async def test_a_first_token_need_be_no_character(
    double: ModelDouble, client: ModelClient, empty_pieces: int
) -> None:
    """The first event that counts may be empty of text.

    Servers stream an empty text for a token that is half a character; the event that only names the
    role comes before any token.
    """
    opening = {"delta": {"role": "assistant", "content": ""}}
    ending = {"delta": {"content": ""}, "finish_reason": "length"}
    choices = [opening, *[{"delta": {"content": ""}}] * empty_pieces, ending]
    lines = [f"data: {json.dumps({'choices': [choice]})}" for choice in choices]
    double.behave = lambda _asked: Reply(raw="\n\n".join([*lines, "data: [DONE]", ""]))
    answer = await client.complete(asking())
    assert (answer.text, answer.finish_reason) == ("", "length")
    assert (answer.first_token_s is not None) == bool(empty_pieces)


async def test_a_failure_tells_what_was_asked_and_waited(
    double: ModelDouble, client: ModelClient
) -> None:
    double.behave = lambda _asked: Reply("no", status=400)
    with pytest.raises(RefusedError) as refused:
        await client.complete(asking())
    assert refused.value.model == "double"
    assert refused.value.queue_s is not None
    assert 0 <= refused.value.queue_s <= refused.value.latency_s


async def test_O2_answers_and_failures_are_counted(
    double: ModelDouble, client: ModelClient
) -> None:
    answers, failures = sum(CALLS.answered.told().counts), CALLS.failed
    await client.complete(asking())
    double.behave = lambda _asked: Reply("no", status=400)
    with pytest.raises(RefusedError):
        await client.complete(asking())
    assert sum(CALLS.answered.told().counts) - answers == 1
    assert CALLS.failed - failures == 1


async def test_what_is_sent(double: ModelDouble, client: ModelClient) -> None:
    request = asking(max_tokens=9, temperature=0.5, seed=3, stop=("Assigned!",), model="lora-1")
    await client.complete(request)
    body = double.asked[0].body
    assert body["messages"] == [
        {"role": "system", "content": "You are a robot."},
        {"role": "user", "content": "Where is the cup?"},
    ]
    assert {key: body[key] for key in ("model", "max_tokens", "temperature", "seed", "stop")} == {
        "model": "lora-1",
        "max_tokens": 9,
        "temperature": 0.5,
        "seed": 3,
        "stop": ["Assigned!"],
    }
    assert "structured_outputs" not in body


@pytest.mark.parametrize(
    ("constraint", "sent"),
    [
        (Constraint.grammar('root ::= "a"'), {"grammar": 'root ::= "a"'}),
        (Constraint.json({"type": "object"}), {"json": {"type": "object"}}),
        (Constraint.regex("[ab]+"), {"regex": "[ab]+"}),
        (Constraint.choice(["a", "b"]), {"choice": ["a", "b"]}),
    ],
)
async def test_constraints_are_sent_as_vllm_reads_them(
    double: ModelDouble, client: ModelClient, constraint: Constraint, sent: dict[str, object]
) -> None:
    await client.complete(asking(constraint=constraint))
    assert double.asked[0].constraint == sent


@pytest.mark.parametrize("make", [lambda: Constraint("choice", "ab"), lambda: Constraint.regex("")])
def test_a_constraint_without_sense_is_refused_here(make: Callable[[], Constraint]) -> None:
    with pytest.raises(ValueError, match="constraint cannot be"):
        make()


async def test_a_plain_text_is_continued_without_a_template(
    double: ModelDouble, client: ModelClient
) -> None:
    double.behave = lambda asked: Reply(f"{asked.prompt} fox")
    answer = await client.complete(ModelRequest(purpose="act", prompt="the quick brown"))
    assert answer.text == "the quick brown fox"
    assert "messages" not in double.asked[0].body


async def test_models_are_named(double: ModelDouble, client: ModelClient) -> None:
    assert await client.models() == ["double"]


async def test_the_key_is_sent_and_never_shown() -> None:
    with ModelDouble(key="sesame") as double:
        async with ModelClient(ModelServer(double.url, api_key="sesame")) as client:
            assert (await client.complete(asking())).text == "ok"
            assert "sesame" not in repr(client.server)
        async with ModelClient(ModelServer(double.url, api_key="wrong-key")) as client:
            with pytest.raises(RefusedError, match=r"401.*Unauthorized") as refused:
                await client.complete(asking())
            assert "wrong-key" not in str(refused.value)


# Trying again


@pytest.mark.parametrize(
    "fault",
    [
        Reply("too many", status=429),
        Reply("overloaded", status=503),
        Reply(end="hang-up"),
        Reply("this is only the first part", end="cut-off"),
        Reply("the engine died", error_in_stream=True),
    ],
    ids=["429", "503", "hang-up", "cut-off", "error in the stream"],
)
async def test_what_may_pass_is_tried_again(
    double: ModelDouble, client: ModelClient, fault: Reply
) -> None:
    double.behave = in_turn(fault, fault, Reply("here"))
    answer = await client.complete(asking())
    assert (answer.text, answer.retries) == ("here", 2)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply("bad grammar", status=400), RefusedError),
        (Reply("no such model", status=404), RefusedError),
        (Reply(raw="<html>502 Bad Gateway</html>"), GarbageError),
        (Reply(raw="data: {not json\n\n"), GarbageError),
        (Reply(raw='data: {"choices": [{"delta": 7}]}\n\n'), GarbageError),
        (Reply(raw='data: {"choices": [{"delta": {"content": 7}}]}\n\n'), GarbageError),
    ],
)
async def test_what_will_not_pass_is_not_tried_again(
    double: ModelDouble, client: ModelClient, reply: Reply, expected: type[ModelError]
) -> None:
    double.behave = in_turn(reply)
    with pytest.raises(expected):
        await client.complete(asking())
    assert len(double.asked) == 1


async def test_it_gives_up_after_some_tries(double: ModelDouble, client: ModelClient) -> None:
    double.behave = named("500")
    with pytest.raises(UnavailableError, match="the engine is dead") as failed:
        await client.complete(asking())
    assert len(double.asked) == 4
    assert failed.value.retries == 3


async def test_retries_can_be_switched_off(double: ModelDouble, client: ModelClient) -> None:
    double.behave = named("hang-up")
    with pytest.raises(UnavailableError):
        await client.complete(asking(may_retry=False))
    assert len(double.asked) == 1


async def test_a_wait_that_the_deadline_cannot_hold_is_not_begun(
    double: ModelDouble, client: ModelClient
) -> None:
    double.behave = in_turn(Reply("later", status=429, headers={"retry-after": "3600"}))
    with pytest.raises(UnavailableError, match="too many requests"):
        await client.complete(asking(deadline_s=60))
    assert len(double.asked) == 1


def test_waits_double_and_differ_between_callers() -> None:
    backoff = Backoff(first_s=1.0, longest_s=4.0)
    waits = [[backoff.wait_s(n, random.Random(seed)) for n in range(4)] for seed in range(50)]
    for most, of_retry in zip((1.0, 2.0, 4.0, 4.0), zip(*waits, strict=True), strict=True):
        assert all(most / 2 <= wait <= most for wait in of_retry)
        assert len(set(of_retry)) == 50
    assert backoff.wait_s(0, random.Random(0), told_s=9.0) == 9.0


# Time


async def test_P2_the_deadline_holds_while_nothing_comes(
    double: ModelDouble, client: ModelClient
) -> None:
    double.behave = in_turn(Reply(held=True))
    # Without a deadline this would wait for ever; the outer one is for a machine that is busy.
    async with asyncio.timeout(30):
        with pytest.raises(DeadlineError, match=r"within 0\.2 s"):
            await client.complete(asking(deadline_s=0.2))
    await double.until(lambda d: d.dropped == 1)


async def test_the_deadline_holds_while_it_streams(
    double: ModelDouble, client: ModelClient
) -> None:
    double.behave = named("endless")
    with pytest.raises(DeadlineError):
        await client.complete(asking(deadline_s=0.3, max_tokens=10**6))
    await double.until(lambda d: d.dropped == 1)


async def test_a_stream_without_end_is_cut(double: ModelDouble, client: ModelClient) -> None:
    double.behave = named("endless")
    with pytest.raises(GarbageError, match="no end"):
        await client.complete(asking(max_tokens=2))
    await double.until(lambda d: d.dropped == 1)


async def test_cancelling_hangs_up(double: ModelDouble, client: ModelClient) -> None:
    double.behave = in_turn(Reply(held=True))
    task = asyncio.create_task(client.complete(asking()))
    await double.until(lambda d: d.running == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await double.until(lambda d: d.dropped == 1 and d.running == 0)
    assert client.in_flight == 0
    assert client.availability() == "up"


async def test_no_more_calls_at_once_than_allowed(double: ModelDouble) -> None:
    double.behave = in_turn(Reply(held=True))
    async with ModelClient(ModelServer(double.url, concurrency=3)) as client:
        calls = [asyncio.create_task(client.complete(asking())) for _ in range(8)]
        await double.until(lambda d: d.running == 3)
        assert client.in_flight == 8
        double.release()
        answers = await asyncio.gather(*calls)
    assert double.most_running == 3
    assert [answer.in_flight for answer in answers] == list(range(8))
    waited = sorted(answer.queue_s or 0.0 for answer in answers)
    assert waited[7] > waited[0]


# The circuit breaker


async def test_a_dead_server_is_left_alone_until_it_is_back() -> None:
    now = [0.0]
    with ModelDouble(named("500")) as double:
        server = ModelServer(double.url)
        breaker = Breaker(faults_to_open=2, open_s=5)
        async with ModelClient(server, breaker=breaker, clock=lambda: now[0]) as client:
            for _ in range(2):
                with pytest.raises(UnavailableError, match="engine is dead"):
                    await client.complete(asking(may_retry=False))
            assert client.availability() == "down"
            with pytest.raises(UnavailableError, match="left alone for 5 s"):
                await client.complete(asking())
            assert len(double.asked) == 2
            now[0] = 5.0
            double.behave = in_turn(Reply("back"))
            assert client.availability() == "trying"
            assert (await client.complete(asking())).text == "back"
            assert client.availability() == "up"


async def test_P4_a_server_that_never_answers_opens_the_breaker(double: ModelDouble) -> None:
    double.behave = in_turn(Reply(held=True))
    breaker = Breaker(faults_to_open=2)
    async with ModelClient(ModelServer(double.url), breaker=breaker) as client:
        await client.models()
        for _ in range(2):
            with pytest.raises(DeadlineError):
                await client.complete(asking(deadline_s=0.1))
        assert client.availability() == "down"


async def test_refusals_and_overload_leave_the_breaker_closed(double: ModelDouble) -> None:
    double.behave = lambda asked: Reply("no", status=(400, 429)[asked.number % 2])
    breaker = Breaker(faults_to_open=1)
    async with ModelClient(ModelServer(double.url), breaker=breaker) as client:
        for expected in (RefusedError, UnavailableError, RefusedError):
            with pytest.raises(expected):
                await client.complete(asking(may_retry=False))
        assert client.availability() == "up"


async def test_nobody_listens() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
        async with ModelClient(ModelServer(url), backoff=AT_ONCE) as client:
            with pytest.raises(UnavailableError, match="no connection"):
                await client.complete(asking(model="any"))


async def test_counts_that_cannot_be_true_are_not_believed(
    double: ModelDouble, client: ModelClient
) -> None:
    double.behave = named("lies")
    answer = await client.complete(asking())
    assert answer.text == "ok"
    assert (answer.prompt_tokens, answer.completion_tokens) == (None, None)


async def test_one_connection_carries_many_calls(double: ModelDouble, client: ModelClient) -> None:
    def echo(asked: Asked) -> Reply:
        return Reply(asked.last)

    double.behave = echo
    for text in ("one two", "three", "four five six"):
        assert (await client.complete(asking(text))).text == text
    assert double.connections == 1
