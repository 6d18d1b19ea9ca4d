"""`cohabit robots check`: a model server tried out."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from server.cli.robots.options import Key, Output
from server.cli.terminal import PlainTable, echo, failed, output_console
from server.robots.models import ModelError
from server.robots.models.backoff import Backoff
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.serving.server_check import CONCURRENCIES, Held, Timing, constraints_held, timing
from server.robots.serving.vllm_process import (
    is_healthy,
)

_SHOWN_CHARS = 300


def check(
    url: Annotated[
        str,
        typer.Argument(
            envvar="COHABIT_MODEL_URL", help="Address, such as http://127.0.0.1:8100/v1"
        ),
    ],
    model: Annotated[
        str, typer.Option(help="Model to ask. Default: the first that the server names.")
    ] = "",
    key: Key = "",
    output: Annotated[Output, typer.Option(help="Form of what is printed.")] = Output.table,
) -> None:
    """Try a model server: its models, whether constraints hold, how fast it answers."""
    if not url.startswith(("http://", "https://")):
        raise failed(f"expected an address such as http://127.0.0.1:8100/v1, got {url}")
    try:
        models, held, timings = asyncio.run(_try_out(ModelServer(url, key, model)))
    except ModelError as error:
        raise failed(error) from error
    healthy = is_healthy(url)
    if output is Output.json:
        found = {
            "url": url,
            "healthy": healthy,
            "models": models,
            "constraints": [h._asdict() for h in held],
            "timings": [t._asdict() for t in timings],
        }
        echo(json.dumps(found, indent=2))
    else:
        _print_check(output_console(), url, models, held, timings, healthy=healthy)
    if not all(h.did for h in held):
        raise typer.Exit(1)


async def _try_out(server: ModelServer) -> tuple[list[str], list[Held], list[Timing]]:
    # What is measured is the server: nothing is tried again, and nothing waits on this side.
    wide = ModelServer(server.url, server.api_key, server.model, 120.0, max(CONCURRENCIES))
    async with ModelClient(wide, backoff=Backoff(most_retries=0)) as client:
        models = await client.models()
        if server.model and server.model not in models:
            raise ModelError(f"{server.url} has no model {server.model}; it has: {models}")
        held = await constraints_held(client)
        await timing(client, 1)  # whatever is loaded at first use
        return models, held, [await timing(client, calls) for calls in CONCURRENCIES]


def _print_check(
    console: Console,
    url: str,
    models: list[str],
    held: list[Held],
    timings: list[Timing],
    *,
    healthy: bool,
) -> None:
    health = "healthy" if healthy else "no /health that says so (only vLLM has one)"
    console.print(f"{escape(url)}: {health}\nmodels: {escape(', '.join(models))}\n")
    constraints = PlainTable("constraint", "held", "an answer", title="Structured outputs")
    for kind, did, answer in held:
        constraints.add_row(
            kind, Text("yes", "green") if did else Text("NO", "red"), repr(answer[:_SHOWN_CHARS])
        )
    console.print(constraints)
    speed = PlainTable(title="Answers of 50 tokens")
    for heading in ("calls at once", "median s", "slowest s", "first token s", "tokens/s"):
        speed.add_column(heading, justify="right")
    for t in timings:
        speed.add_row(
            str(t.calls),
            f"{t.median_s:.2f}",
            f"{t.slowest_s:.2f}",
            f"{t.first_token_s:.2f}",
            f"{t.tokens_per_s:.0f}",
        )
    console.print(speed)
    if not all(h.did for h in held):
        console.print(
            "[red]Constraints do not hold here[/]: policies that need them will make calls that "
            "cannot be read. Use a recent vLLM (`cohabit robots serve`)."
        )
