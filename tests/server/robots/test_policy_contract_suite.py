"""The policy contract suite outside this checkout: the example of its recipe, on toy policies."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from server.robots.contract_suite.candidate import Candidate
from server.robots.contract_suite.models import RepeatingModel
from server.robots.contract_suite.suite import PolicyContract
from server.robots.playing.thinkers import ChargedThinker, Thinker

pytestmark = pytest.mark.slow

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


def suite_on(policy: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the recipe's test file on a policy."""
    found = re.search(r"^( *)```python\n(.*?)^ *```$", RECIPE.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    (folder / "test_my_policy.py").write_text(dedent(found[2]))
    (folder / "my_policy.py").write_text(policy)
    (folder / "my_model.py").write_text(MODEL)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.processes
def test_the_recipe_passes_on_a_toy(tmp_path: Path) -> None:
    done = suite_on(TOY, tmp_path)
    assert done.returncode == 0, done.stdout
    assert "15 passed" in done.stdout, done.stdout


Check = Callable[[PolicyContract, Candidate, Thinker], None]


def seat_test(suite: PolicyContract, candidate: Candidate, thinker: Thinker) -> None:
    suite.test_decides_within_what_its_seat_has(candidate, thinker, 0)


def without_thinker(check: Callable[[PolicyContract, Candidate], None]) -> Check:
    return lambda suite, candidate, _: check(suite, candidate)


UNSEEN = TOY.replace(HEAD, f'{HEAD}        return Do("Pick[zebra_99]")\n')
LOOPS = TOY.replace(
    HEAD,
    f"{HEAD}        named = view.graph.names.graph\n"
    '        return Do(f"Open[{named[next(iter(view.graph.objects))]}]")\n',
)
NONSENSE = TOY.replace(HEAD, f'{HEAD}        return "Wait[]"\n')
BY_HASH = TOY.replace(
    HEAD,
    f"{HEAD}        if not view.chat:\n            return SayLine(str(hash(view.instruction)))\n",
).replace("import Do,", "import SayLine, Do,")
STAYS = TOY.replace(
    "        request = ",
    "        import asyncio\n        self.task = asyncio.ensure_future(asyncio.sleep(999))\n"
    "        request = ",
)
RAISES = TOY.replace(HEAD, f"{HEAD}        view.history[-1]\n")


@pytest.mark.parametrize(
    ("policy", "check", "told"),
    [
        (UNSEEN, seat_test, r"Pick\[zebra_99\]: zebra_99 has not been seen"),
        (NONSENSE, seat_test, "'Wait\\[\\]' is no decision"),
        (RAISES, seat_test, "a decision failed: IndexError"),
        (
            LOOPS,
            PolicyContract.test_goes_on_or_stops_where_everything_is_refused,
            r"Open\[\w+\] was made \d+ times in vain: Unexpected failure!",
        ),
        (
            STAYS,
            without_thinker(PolicyContract.test_leaves_nothing_running_when_it_is_closed),
            r"still running: \[<Task pending",
        ),
        (
            BY_HASH,
            without_thinker(PolicyContract.test_decides_the_same_in_another_process),
            r"SayLine\(text='-?\d+', to=''\)",
        ),
    ],
    ids=["unseen", "nonsense", "raises", "loops", "stays", "by hash"],
)
def test_a_broken_policy_fails_with_the_reason(
    tmp_path: Path, loop: Any, policy: str, check: Check, told: str
) -> None:
    assert policy != TOY
    path = tmp_path / "my_policy.py"
    path.write_text(policy)
    candidate = Candidate(str(path), model=lambda core: RepeatingModel("Wait[]"))
    with pytest.raises((AssertionError, TypeError), match=told):
        check(PolicyContract(), candidate, ChargedThinker(loop, 0.2))


def test_the_docstring_shows_the_recipe() -> None:
    from server.robots import contract_suite

    assert contract_suite.__doc__ is not None
    test_class = re.search(r"^( *)class Test.*?MyModel\(\)\)$", contract_suite.__doc__, re.M | re.S)
    assert test_class is not None
    assert indent(dedent(test_class[0]), "   ") in RECIPE.read_text()
