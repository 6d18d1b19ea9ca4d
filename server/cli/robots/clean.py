"""`cohabit robots clean`: environments that are no longer used."""

from __future__ import annotations

from rich.console import Console

from server.cli.terminal import failed
from server.robots.serving.environment import (
    EnvironmentFailedError,
    is_running,
    remove,
    unused,
)


def clean() -> None:
    """Remove the vLLM environments of earlier versions of this application."""
    console = Console()
    try:
        old = unused()
        for folder in old:
            if is_running(folder):
                console.print(f"kept {folder}: vLLM runs from it", highlight=False)
            else:
                console.print(f"removed {folder}: {remove(folder):.1f} GB", highlight=False)
    except (EnvironmentFailedError, OSError) as error:
        raise failed(error) from error
    if not old:
        console.print("there are none: what is there is in use")
