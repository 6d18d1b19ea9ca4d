"""`cohabit robots serve`: vLLM with a model for robot partners."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from server.cli.robots.options import Key
from server.cli.terminal import echo, failed, output_console
from server.robots.serving.environment import (
    Device,
    EnvironmentFailedError,
    cache_folder,
    prepare,
    unused,
)
from server.robots.serving.vllm_process import (
    LaunchError,
    Serving,
    VllmProcess,
    rank_of,
)

HEALTHY_WITHIN_S = 1800.0
"""Seconds until vLLM must be healthy; a large model is downloaded first."""


def serve(
    model: Annotated[
        str, typer.Argument(help="Folder of a model, or a name that vLLM can download.")
    ],
    cpu: Annotated[
        bool, typer.Option("--cpu", help="Run without a GPU, for small models.")
    ] = False,
    lora: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=DIR", help="LoRA adapter and its name; may be repeated."),
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the model in requests. Default: MODEL.")] = "",
    host: Annotated[str, typer.Option(help="Interface to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8100,
    max_model_len: Annotated[
        int | None, typer.Option(help="Tokens of prompt and answer together at most.")
    ] = None,
    key: Key = "",
    flag: Annotated[
        list[str] | None,
        typer.Option(help="Further flag for vLLM, such as --flag=--seed=1; may be repeated."),
    ] = None,
) -> None:
    """Serve MODEL with vLLM, in an environment of its own, until told to stop.

    The first call makes the environment in the user's cache, from a lock file.
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
    console = output_console()
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
        raise failed(error) from error
    except KeyboardInterrupt:
        console.print("stopped")


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
    """Refuse what cannot be a model before vLLM starts, which takes a while."""
    folder = Path(model)
    if model.startswith(("/", "./", "../", "~")) and not folder.is_dir():
        raise typer.BadParameter(f"expected a folder with a model, or a model's name, got {model}")
    if folder.is_dir() and not (folder / "config.json").is_file():
        raise typer.BadParameter(f"expected a model in {folder}, which has no config.json")


def _print_settings(console: Console, serving: Serving) -> None:
    console.print("\n[green]ready[/]. Settings for `cohabit serve`:\n")
    # Not wrapped by rich: it is to be copied.
    echo(f"  COHABIT_MODEL_URL={serving.url}")
    for adapter in serving.loras:
        echo(f"  COHABIT_MODEL_NAME={adapter}   # the adapter; without it, the model itself")
    if serving.api_key:
        echo("  COHABIT_MODEL_KEY=…   # the key that was given here")
    echo(f"\nTry it: cohabit robots check {serving.url}      Stop it: Ctrl+C")


class _Say:
    """Output of a step: news on lines of its own, mere progress beside the spinner."""

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
