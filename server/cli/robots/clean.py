"""`cohabit robots clean`: environments that are no longer used."""

from __future__ import annotations

from server.cli.terminal import failed, output_console
from server.robots.serving.environment import (
    EnvironmentFailedError,
    is_running,
    remove,
    unused,
)


def clean() -> None:
    """Remove the vLLM environments of earlier versions of this application."""
    console = output_console()
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
