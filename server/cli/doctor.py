"""`cohabit doctor`: what playing needs, and how to get what is missing."""

from __future__ import annotations

import typer

from server.cli.settings import read_settings
from server.cli.terminal import echo


def doctor() -> None:
    """Check what playing needs, and say how to get what is missing."""
    from server.cli.doctor_checks import examine, line_of

    findings = examine(read_settings())
    for finding in findings:
        echo(line_of(finding))
    if any(finding.stops_play for finding in findings):
        raise typer.Exit(1)
    echo("Everything that playing needs is here: `cohabit serve`.")
