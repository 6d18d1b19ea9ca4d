"""Real vLLM server with a tiny model of random weights.

What it says makes no sense, so what is well-formed is so because a constraint held.
"""

from __future__ import annotations

import asyncio
import re
import urllib.request
from collections.abc import AsyncIterator

import pytest
from typer.testing import CliRunner

from server.cli.robots import app
from server.robots.models import Constraint, Message, ModelRequest, RefusedError
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.serving.model_reading import read_models
from server.robots.serving.served_model import change_of
from server.robots.serving.server_check import constraints_held
from server.robots.serving.vllm_process import root_of
from server.skills import CallError, parse

pytestmark = pytest.mark.vllm

CALLS = Constraint.grammar(
    'root ::= "Thought: " [a-zA-Z ,.]{1,60} "\\n" call "\\nAssigned!"\n'
    'call ::= navigate | pick | place | "Wait[]"\n'
    'navigate ::= "Navigate[" ( object | furniture ) "]"\n'
    'pick ::= "Pick[" object "]"\n'
    'place ::= "Place[" object ", " ( "on" | "within" ) ", " furniture ", none, none]"\n'
    'object ::= "cup_0" | "bowl_1"\n'
    'furniture ::= "table_22" | "cabinet_3"\n'
)
ANSWERS = 10


@pytest.fixture
async def client(vllm_url: str) -> AsyncIterator[ModelClient]:
    async with ModelClient(ModelServer(vllm_url, model="tiny", deadline_s=120)) as made:
        yield made


def asking(seed: int = 0, **options: object) -> ModelRequest:
    prompt = (Message("system", "You are a robot."), Message("user", "Bring the cup."))
    chosen = {"max_tokens": 100, "temperature": 1.0, **options}
    return ModelRequest(purpose="act", prompt=prompt, seed=seed, **chosen)  # type: ignore[arg-type]


async def answers(client: ModelClient, constraint: Constraint | None) -> list[str]:
    calls = [client.complete(asking(n, constraint=constraint)) for n in range(ANSWERS)]
    return [answer.text for answer in await asyncio.gather(*calls)]


def is_call(text: str) -> bool:
    lines = text.removesuffix("Assigned!").strip().splitlines()
    try:
        parse(lines[-1] if lines else "", "robot")
    except CallError:
        return False
    return text.startswith("Thought: ") and text.endswith("\nAssigned!")


async def test_with_a_grammar_every_answer_is_a_call(client: ModelClient) -> None:
    texts = await answers(client, CALLS)
    assert [text for text in texts if not is_call(text)] == []
    assert len(set(texts)) > 1


async def test_without_it_none_is(client: ModelClient) -> None:
    assert [text for text in await answers(client, None) if is_call(text)] == []


async def test_every_kind_of_constraint_holds(client: ModelClient) -> None:
    assert {held.kind: held.did for held in await constraints_held(client)} == dict.fromkeys(
        ("grammar", "json", "regex", "choice"), True
    )


async def test_a_reading_of_a_model_tells_what_it_is_and_is_the_same_again(
    client: ModelClient,
) -> None:
    (first,), (again,) = await read_models(client, ["tiny"]), await read_models(client, ["tiny"])
    assert first.facts["server"] == "vllm"
    assert first.facts["version"].startswith("0.")
    assert "tokens, " in first.facts["template"]
    assert "--served-model-name tiny" in first.facts["flags"]
    assert first.facts["weights"]
    assert all(first.answers)
    assert change_of(first, again).text == ""


async def test_a_grammar_that_is_none_is_refused(client: ModelClient) -> None:
    with pytest.raises(RefusedError, match="400"):
        await client.complete(asking(constraint=Constraint.grammar("root ::= (((")))
    assert client.availability() == "up"


async def test_an_answer_ends_where_it_should(client: ModelClient) -> None:
    stopped = await client.complete(asking(constraint=CALLS, stop=("Assigned!",)))
    assert stopped.finish_reason == "stop"
    assert "Assigned!" not in stopped.text
    cut = await client.complete(asking(max_tokens=3))
    assert (cut.finish_reason, cut.completion_tokens) == ("length", 3)


async def test_the_same_request_has_the_same_answer(client: ModelClient) -> None:
    first, second = [await client.complete(asking(temperature=0.0)) for _ in range(2)]
    assert first.text == second.text
    other = await client.complete(asking(seed=1))
    assert other.text != (await client.complete(asking(seed=2))).text


async def test_an_adapter_is_a_model_of_its_own(client: ModelClient) -> None:
    assert await client.models() == ["tiny", "calm"]
    plain, adapted = [
        await client.complete(asking(model=name, temperature=0.0)) for name in ("tiny", "calm")
    ]
    assert adapted.model == "calm"
    assert plain.text != adapted.text


async def test_what_consecutive_prompts_share_is_kept(client: ModelClient) -> None:
    start = "The kitchen has a table, a fridge and a cabinet. " * 40
    first = await client.complete(ModelRequest(purpose="act", prompt=start, max_tokens=2))
    more = f"{start} Result: Successful execution!"
    second = await client.complete(ModelRequest(purpose="act", prompt=more, max_tokens=2))
    assert first.prompt_tokens is not None
    assert second.cached_tokens is not None
    # The server keeps whole blocks of 128 tokens.
    assert second.cached_tokens > first.prompt_tokens - 128


async def test_a_plain_text_is_continued_under_a_constraint_too(client: ModelClient) -> None:
    constraint = Constraint.regex(r"(Navigate|Pick)\[[a-z]{3,6}_[0-9]\]<end_act>")
    request = ModelRequest(
        purpose="act", prompt="Next Action:", constraint=constraint, max_tokens=60
    )
    answer = await client.complete(request)
    assert re.fullmatch(r"(Navigate|Pick)\[[a-z]{3,6}_[0-9]\]<end_act>", answer.text)


async def test_calls_at_once_are_served_together(client: ModelClient, vllm_url: str) -> None:
    """Short calls are answered while a long one is still being worked on.

    The long answer would go on for 30,000 tokens.
    """
    endless = Constraint.regex("(a|b)*c{20000}")
    long = asyncio.create_task(
        client.complete(asking(max_tokens=30_000, constraint=endless, deadline_s=600))
    )
    while await asyncio.to_thread(running, vllm_url) == 0:
        assert not long.done()
    calls = [client.complete(asking(n, max_tokens=150)) for n in range(15)]
    assert all(answer.text for answer in await asyncio.gather(*calls))
    assert not long.done()
    assert await asyncio.to_thread(running, vllm_url) == 1
    long.cancel()


def running(url: str) -> int:
    """Return the number of requests that the server works on, by its own metrics."""
    with urllib.request.urlopen(f"{root_of(url)}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    return sum(
        int(float(n)) for n in re.findall(r"^vllm:num_requests_running{.*} (\S+)$", text, re.M)
    )


async def test_cancelling_stops_the_server_too(client: ModelClient, vllm_url: str) -> None:
    """The answer would go on for 30,000 tokens."""
    endless = Constraint.regex("(a|b)*c{20000}")
    task = asyncio.create_task(
        client.complete(asking(max_tokens=30_000, constraint=endless, deadline_s=300))
    )
    while await asyncio.to_thread(running, vllm_url) == 0:
        assert not task.done()
    task.cancel()
    while await asyncio.to_thread(running, vllm_url) > 0:
        pass


def test_check_is_content_with_it(vllm_url: str) -> None:
    done = CliRunner().invoke(app, ["check", vllm_url, "--model", "tiny"])
    assert done.exit_code == 0, done.output
