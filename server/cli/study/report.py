"""`cohabit study report`: one page of HTML from an export."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from server.cli.stop import StopError
from server.cli.terminal import echo
from server.unclaimed_name import claim_name


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
        is_new = _write(out, page)
    except OSError as error:
        raise StopError(f"{out} cannot be written: {error}") from error
    if not is_new:
        raise StopError(f"{out} is there already: name a file that is not, or move it away")
    echo(f"{out}: report of {export.study.name}, version {export.study.version}")


def _write(out: Path, page: str) -> bool:
    """Write a page whole or not at all; return whether its name was free. Raises OSError.

    Numbers of single groups can be read off it: it is its owner's, as the export is.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as folder:
        draft = Path(folder) / out.name
        draft.touch(mode=0o600)
        draft.write_text(page, encoding="utf-8")
        return claim_name(draft, out)
