"""The policy contract suite outside this checkout: the example of its recipe, on toy policies."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

ROOT = Path(__file__).parents[3]
RECIPE = ROOT / "docs" / "recipes" / "add_a_policy.md"
MODEL = """
from server.robots.models import ModelAnswer


class MyModel:
    async def complete(self, request):
        return ModelAnswer(text="Wait[]", finish_reason="stop", model="toy")
"""
TOY = """
from server.robots.models import ModelRequest
from server.robots.policy import Do, Finished, Policy


class MyPolicy(Policy):
    def __init__(self, model):
        self.model = model

    async def decide(self, view):
        request = ModelRequest(purpose="act", prompt=view.instruction)
        answer = await self.model.complete(request)
        return self.made_of(answer.text, view)

    def made_of(self, text, view):
        done = len(view.history)
        if done == 0:
            return Do(f"Explore[{self.rooms(view)[0]}]")
        return Do(text) if done == 1 and text == "Wait[]" else Finished()

    def rooms(self, view):
        return [view.graph.names.graph[r.room_id] for r in view.graph.scene.rooms]
"""
HEAD = "    def made_of(self, text, view):\n"


def suite_on(policy: str, folder: Path, names: str) -> subprocess.CompletedProcess[str]:
    """Run the recipe's test file on a policy, those tests only whose names match."""
    found = re.search(r"^( *)```python\n(.*?)^ *```$", RECIPE.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    (folder / "test_my_policy.py").write_text(dedent(found[2]))
    (folder / "my_policy.py").write_text(policy)
    (folder / "my_model.py").write_text(MODEL)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", names],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_the_recipe_passes_on_a_toy(tmp_path: Path) -> None:
    done = suite_on(TOY, tmp_path, "test")
    assert done.returncode == 0, done.stdout
    assert "14 passed" in done.stdout, done.stdout


UNSEEN = TOY.replace(HEAD, f'{HEAD}        return Do("Pick[zebra_99]")\n')
LOOPS = TOY.replace(
    HEAD,
    f"{HEAD}        named = view.graph.names.graph\n"
    '        return Do(f"Open[{named[next(iter(view.graph.objects))]}]")\n',
)
NONSENSE = TOY.replace(HEAD, f'{HEAD}        return "Wait[]"\n')
BY_HASH = TOY.replace(
    "self.rooms(view)[0]", "self.rooms(view)[hash(view.instruction) % len(view.graph.scene.rooms)]"
)
STAYS = TOY.replace(
    "        request = ",
    "        import asyncio\n        self.task = asyncio.ensure_future(asyncio.sleep(999))\n"
    "        request = ",
)
RAISES = TOY.replace(HEAD, f"{HEAD}        view.history[-1]\n")


@pytest.mark.parametrize(
    ("policy", "names", "told"),
    [
        (UNSEEN, "within and 0", r"Pick\[zebra_99\]: zebra_99 has not been seen"),
        (LOOPS, "refused", r"Open\[\w+\] was made \d+ times in vain: Unexpected failure!"),
        (NONSENSE, "within and 0", r"'Wait\[\]' is no decision"),
        (STAYS, "closed", r"still running: \[<Task pending"),
        (RAISES, "within and 0", r"a decision failed: IndexError"),
    ],
    ids=["unseen", "loops", "nonsense", "stays", "raises"],
)
def test_a_broken_policy_fails_with_the_reason(
    tmp_path: Path, policy: str, names: str, told: str
) -> None:
    assert policy != TOY
    done = suite_on(policy, tmp_path, names)
    assert done.returncode == 1, done.stdout
    assert re.search(told, done.stdout), done.stdout


def test_what_hangs_on_a_hash_is_found_in_another_process(tmp_path: Path) -> None:
    assert BY_HASH != TOY
    done = suite_on(BY_HASH, tmp_path, "another_process")
    assert done.returncode == 1, done.stdout
    assert "elsewhere.trace == first.trace" in done.stdout, done.stdout


def test_the_docstring_shows_the_recipe() -> None:
    from server.robots import contract_suite

    assert contract_suite.__doc__ is not None
    test_class = re.search(r"^( *)class Test.*?MyModel\(\)\)$", contract_suite.__doc__, re.M | re.S)
    assert test_class is not None
    assert indent(dedent(test_class[0]), "   ") in RECIPE.read_text()
