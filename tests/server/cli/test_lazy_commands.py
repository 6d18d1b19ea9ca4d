"""Commands that are imported when they are called: the same words, and nothing before its time."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from server.cli import houses, main, robots, tasks
from server.cli.lazy_commands import Later, group_with

HEAVY = ("sqlalchemy", "alembic", "numpy", "shapely", "networkx", "pydantic", "httpx", "fastapi")


@pytest.mark.processes
@pytest.mark.parametrize("group", [[], ["houses"], ["tasks"], ["robots"], ["habitat"]])
def test_the_list_of_commands_imports_nothing_heavy(group: list[str]) -> None:
    # Typer itself imports pydantic as soon as a command below the first is named.
    heavy = [name for name in HEAVY if not group or name != "pydantic"]
    code = (
        "import sys; from typer.testing import CliRunner; from server.cli.main import app; "
        f"shown = CliRunner().invoke(app, {[*group, '--help']}); assert shown.exit_code == 0; "
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


LATER = {
    f"{group.__name__}.{name}": later
    for group in (main, houses, tasks, robots)
    for name, later in group.COMMANDS.items()
}


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_the_list_says_what_the_command_says(later: Later) -> None:
    module, _, attribute = later.source.partition(":")
    found = getattr(__import__(module, fromlist=[attribute]), attribute)
    said = get_command(found).help if isinstance(found, typer.Typer) else found.__doc__
    assert said is not None
    assert said.split("\n\n")[0].replace("\n    ", " ") == later.help


def test_a_command_is_found_and_keeps_its_options() -> None:
    app = typer.Typer(cls=group_with({"check": Later("server.cli.houses.check:check", "Check.")}))
    for name in ("one", "other"):
        app.command(name)(lambda: None)
    shown = CliRunner().invoke(app, ["check", "--help"], env={"COLUMNS": "200"})
    assert " check [OPTIONS]" in shown.output
    assert "COHABIT_DATA_DIR" in shown.output
    whole = CliRunner().invoke(main.app, ["houses", "--help"], env={"COLUMNS": "200"})
    assert "Usage: cohabit houses [OPTIONS]" in whole.output
    assert "completion" not in whole.output
    assert "'check'" in CliRunner().invoke(app, ["chek"]).output
