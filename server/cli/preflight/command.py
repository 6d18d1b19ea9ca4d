"""`cohabit preflight`: whether paid people may come to a study on this server now."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.settings import read_settings
from server.cli.terminal import echo

if TYPE_CHECKING:
    from server.cli.preflight.checks import Result


def preflight(
    study: Annotated[
        str,
        typer.Argument(
            help="Study that was opened, by name, or its file. Default: the only open one."
        ),
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object for each check, as it ends.")
    ] = False,
    is_of_page: Annotated[bool, typer.Option("--of-page", hidden=True)] = False,
) -> None:
    """Check whether paid people may come to a study on this server now.

    `cohabit doctor` says whether this machine can play at all; this looks at the server that runs
    on it, and at one study. Run it where the server runs, with its settings. It exits with 1 if
    anything fails.
    """
    from server.cli.preflight.checks import lines_of, run_checks
    from server.cli.preflight.list_of_checks import checks_for
    from server.cli.preflight.studies import note_run, read_subject

    def tell(result: Result) -> None:
        if as_json:
            echo(json.dumps(result._asdict()))
        else:
            for line in lines_of(result):
                echo(line)

    async def run() -> list[Result]:
        subject, unread = await read_subject(read_settings(), study)
        if unread is not None:
            tell(unread)
        checks = checks_for(subject)
        if is_of_page:
            echo(json.dumps({"checks": [check.name for check in checks]}))
        found = await run_checks(checks, subject, tell)
        results = [*([unread] if unread is not None else []), *found]
        if not is_of_page:
            await note_run(subject, study, results)
        return results

    results = asyncio.run(run())
    n_failed = sum(result.level == "fail" for result in results)
    if not as_json:
        n_warned = sum(result.level == "warn" for result in results)
        echo(f"{len(results)} checks: {n_failed} failed, {n_warned} to look at.")
    if n_failed:
        raise typer.Exit(1)
