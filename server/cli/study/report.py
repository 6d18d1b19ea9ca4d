"""`cohabit study report`: one page of HTML from an export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server.cli.stop import StopError
from server.cli.terminal import echo


def report(
    folder: Annotated[Path, typer.Argument(help="Folder of `cohabit study export`.")],
    out: Annotated[Path, typer.Option(help="HTML file to write, which is not there yet.")],
) -> None:
    """Write a report of a study from its export: outcomes, flow, exclusions, methods.

    It needs the extra `analysis`, and nothing but the folder. The same export gives the same page.
    """
    try:
        from server.research.study_report.export_tables import ReportError, read_export
        from server.research.study_report.report import report_of
    except ModuleNotFoundError as error:
        raise StopError(f"a report needs {error.name}: install the extra `analysis`") from error
    try:
        export = read_export(folder)
    except ReportError as error:
        raise StopError(str(error)) from error
    page = report_of(export)
    try:
        # Numbers of single groups can be read off it: it is its owner's, as the export is.
        out.touch(mode=0o600, exist_ok=False)
        out.write_text(page, encoding="utf-8")
    except FileExistsError as error:
        raise StopError(
            f"{out} is there already: name a file that is not, or move it away"
        ) from error
    except OSError as error:
        raise StopError(f"{out} cannot be written: {error}") from error
    echo(f"{out}: report of {export.study.name}, version {export.study.version}")
