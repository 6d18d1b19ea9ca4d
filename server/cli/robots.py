"""`cohabit robots`: serve a model for robot partners, and try out a model server."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from server.cli.probe import probe
from server.cli.training import export_sft, traces
from server.robots.models import ModelError
from server.robots.models.backoff import Backoff
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.policy_spec import DEFAULT
from server.robots.registry.registry import POLICIES
from server.robots.serving.environment import (
    Device,
    EnvironmentFailedError,
    cache_folder,
    is_running,
    prepare,
    remove,
    unused,
)
from server.robots.serving.server_check import CONCURRENCIES, Held, Timing, constraints_held, timing
from server.robots.serving.vllm_process import (
    LaunchError,
    Serving,
    VllmProcess,
    is_healthy,
    rank_of,
)

app = typer.Typer(help="Robots driven by language models.", no_args_is_help=True)
app.command("export-sft")(export_sft)
app.command()(traces)
app.command()(probe)

HEALTHY_WITHIN_S = 1800.0
"""A large model is downloaded first."""
_SHOWN_CHARS = 300
Key = Annotated[
    str,
    typer.Option(envvar="COHABIT_MODEL_KEY", help="The key that requests bear.", show_envvar=True),
]


@app.command("list")
def list_policies() -> None:
    """The policies that can play a seat, with their named configurations."""
    table = Table("policy", "asks a model", "configurations", "")
    for spec in sorted(POLICIES.values(), key=lambda spec: (not spec.offered, spec.name)):
        named = [preset for preset in spec.presets if preset != DEFAULT]
        remarks = "reads the goal" if spec.privileged else ""
        model = "yes" if spec.needs_model else "no"
        table.add_row(spec.name, model, "\n".join(named), remarks)
    Console().print(table)


class Output(StrEnum):
    table = "table"
    json = "json"


@app.command()
def serve(
    model: Annotated[str, typer.Argument(help="A folder, or a name that vLLM can download.")],
    cpu: Annotated[bool, typer.Option("--cpu", help="Without a GPU: for small models.")] = False,
    lora: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=DIR", help="An adapter and its name; may be given again."),
    ] = None,
    name: Annotated[str, typer.Option(help="What the model is called; default: MODEL.")] = "",
    host: Annotated[str, typer.Option(help="Interface to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8100,
    max_model_len: Annotated[
        int | None, typer.Option(help="Tokens of prompt and answer together.")
    ] = None,
    key: Key = "",
    flag: Annotated[
        list[str] | None,
        typer.Option(help="A further flag of vLLM's, as --flag=--seed=1; may be given again."),
    ] = None,
) -> None:
    """Serve MODEL with vLLM, in an environment of its own, until it is told to stop.

    The environment is made at the first call, from a lock file, in the user's cache.
    """
    _require_model(model)
    device: Device = "cpu" if cpu else "gpu"
    serving = Serving(
        model=model,
        name=name,
        host=host,
        port=port,
        api_key=key,
        loras=_adapters(lora or []),
        max_model_len=max_model_len,
        extra=tuple(flag or ()),
    )
    console = Console()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with _steps(console) as say:
            environment = prepare(device, say)
        _tell_unused(console)
        process = VllmProcess(environment, serving, cache_folder() / "vllm" / f"serve-{port}.log")
        try:
            process.start()
            with _steps(console) as say:
                say(f"starting vLLM (its output: {process.log})")
                process.wait_until_healthy(HEALTHY_WITHIN_S, lambda line: say(line, is_new=False))
            _print_settings(console, serving)
            code = process.wait()
            raise LaunchError(f"vLLM ended (exit {code}):\n{process.tail()}")
        finally:
            process.stop()
    except (EnvironmentFailedError, LaunchError) as error:
        raise _fail(str(error)) from error
    except KeyboardInterrupt:
        console.print("stopped")


@app.command()
def check(
    url: Annotated[
        str, typer.Argument(envvar="COHABIT_MODEL_URL", help="As in http://127.0.0.1:8100/v1")
    ],
    model: Annotated[str, typer.Option(help="Default: the first that the server names.")] = "",
    key: Key = "",
    output: Annotated[Output, typer.Option(help="What to print.")] = Output.table,
) -> None:
    """Try a server out: its models, whether constraints really hold, how fast it answers."""
    if not url.startswith(("http://", "https://")):
        raise _fail(f"expected an address such as http://127.0.0.1:8100/v1, got {url}")
    try:
        models, held, timings = asyncio.run(_try_out(ModelServer(url, key, model)))
    except ModelError as error:
        raise _fail(str(error)) from error
    healthy = is_healthy(url)
    if output is Output.json:
        found = {
            "url": url,
            "healthy": healthy,
            "models": models,
            "constraints": [h._asdict() for h in held],
            "timings": [t._asdict() for t in timings],
        }
        typer.echo(json.dumps(found, indent=2))
    else:
        _print_check(Console(), url, models, held, timings, healthy=healthy)
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


@app.command()
def clean() -> None:
    """Remove vLLM's environments of earlier versions of this application."""
    console = Console()
    try:
        old = unused()
        for folder in old:
            if is_running(folder):
                console.print(f"kept {folder}: vLLM runs from it", highlight=False)
            else:
                console.print(f"removed {folder}: {remove(folder):.1f} GB", highlight=False)
    except (EnvironmentFailedError, OSError) as error:
        raise _fail(str(error)) from error
    if not old:
        console.print("there are none: what is there is in use")


def _tell_unused(console: Console) -> None:
    old = unused()
    if old:
        names = ", ".join(folder.name for folder in old)
        console.print(
            f"no longer used: {names} in {old[0].parent}; `cohabit robots clean` removes them",
            highlight=False,
        )


def _adapters(options: list[str]) -> dict[str, str]:
    adapters = {}
    for option in options:
        name, sign, folder = option.partition("=")
        if not (name and sign and Path(folder).is_dir()):
            raise typer.BadParameter(f"expected NAME=DIR with a folder, got {option}")
        if rank_of(Path(folder)) is None:
            raise typer.BadParameter(
                f"expected an adapter as PEFT writes it, with adapter_config.json, in {folder}"
            )
        if name in adapters:
            raise typer.BadParameter(
                f"expected a name of its own for each adapter, got {name} twice"
            )
        adapters[name] = folder
    return adapters


def _require_model(model: str) -> None:
    """Starting vLLM takes a while; what is no model at all can be said at once."""
    folder = Path(model)
    if model.startswith(("/", "./", "../", "~")) and not folder.is_dir():
        raise typer.BadParameter(f"expected a folder with a model, or a model's name, got {model}")
    if folder.is_dir() and not (folder / "config.json").is_file():
        raise typer.BadParameter(f"expected a model in {folder}, which has no config.json")


def _print_settings(console: Console, serving: Serving) -> None:
    console.print("\n[green]ready[/]. Settings for `cohabit serve`:\n")
    # Not wrapped by rich: it is to be copied.
    typer.echo(f"  COHABIT_MODEL_URL={serving.url}")
    for adapter in serving.loras:
        typer.echo(f"  COHABIT_MODEL_NAME={adapter}   # the adapter; without it, the model itself")
    if serving.api_key:
        typer.echo("  COHABIT_MODEL_KEY=…   # the key that was given here")
    typer.echo(f"\nTry it: cohabit robots check {serving.url}      Stop it: Ctrl+C")


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
    constraints = Table("constraint", "held", "an answer", title="Structured outputs")
    for kind, did, answer in held:
        constraints.add_row(
            kind, "[green]yes[/]" if did else "[red]NO[/]", escape(repr(answer[:_SHOWN_CHARS]))
        )
    console.print(constraints)
    speed = Table(title="Answers of 50 tokens")
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


class _Say:
    """Prints what is new; shows what is only progress beside the spinner."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None)

    def __call__(self, text: str, is_new: bool = True) -> None:
        if is_new:
            self._progress.console.print(escape(text), highlight=False)
        self._progress.update(self._task, description=escape(text[:100]))


@contextmanager
def _steps(console: Console) -> Iterator[_Say]:
    with Progress(
        SpinnerColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
        console=console,
        transient=True,
    ) as progress:
        yield _Say(progress)


def _fail(text: str) -> typer.Exit:
    Console(stderr=True).print(f"[red]error:[/] {escape(text)}", highlight=False)
    return typer.Exit(1)
