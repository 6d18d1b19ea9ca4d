"""The contract suite outside this checkout: the example of its recipe, on a toy simulator."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

ROOT = Path(__file__).parents[3]
RECIPE = ROOT / "docs" / "recipes" / "add_a_simulator.md"
TOY = """
from server.simulators.household import HouseholdSimulator, HouseLibrary


class MySimulator(HouseholdSimulator):
    def __init__(self, catalogue, scene):
        super().__init__(HouseLibrary.of(catalogue, [scene]))
"""
FORGETFUL = """
    def set_joint(self, furniture, part, value):
        pass
"""


def suite_on(simulator: str, folder: Path, names: str) -> subprocess.CompletedProcess[str]:
    """Run the recipe's test file on a simulator, those tests only whose names match."""
    found = re.search(r"^( *)```python\n(.*?)^ *```$", RECIPE.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    (folder / "test_my_simulator.py").write_text(dedent(found[2]))
    (folder / "my_simulator.py").write_text(simulator)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", names],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.processes
def test_the_recipe_runs_on_a_toy(tmp_path: Path) -> None:
    done = suite_on(TOY, tmp_path, "reset or overlap or set_joint or ray")
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b[5-9] passed", done.stdout), done.stdout


@pytest.mark.processes
def test_a_broken_contract_fails_with_what_was_compared(tmp_path: Path) -> None:
    done = suite_on(TOY + FORGETFUL, tmp_path, "set_joint")
    assert done.returncode == 1, done.stdout
    assert "+  where" in done.stdout or "assert 0.0 ==" in done.stdout, done.stdout


def test_the_docstring_shows_the_recipe() -> None:
    from server.simulators import contract_suite

    assert contract_suite.__doc__ is not None
    test_class = re.search(r"^( *)class Test.*?SCENE\)\)$", contract_suite.__doc__, re.M | re.S)
    assert test_class is not None
    assert indent(dedent(test_class[0]), "   ") in RECIPE.read_text()
