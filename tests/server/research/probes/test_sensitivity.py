"""Kinds of tasks for planning, one operator among the true ones, and EAI's average."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from server.research.probes.operator_search import planned
from server.research.probes.operators import OPERATORS, PARAMETERS
from server.research.probes.sensitivity import categories_of, is_solved_with, operators_used
from tests.server.research.probes.test_probes import knows, problem, scores


def test_what_all_tasks_have_in_common_makes_no_kind() -> None:
    used = {
        "carries": ("pick_from_top", "place_on"),
        "beside": ("pick_from_top", "place_on_next_to"),
        "washes": ("pick_from_top", "place_on", "clean"),
    }
    kinds = categories_of(used)
    # Only one washes: log 3 for each of two predicates; only one uses `beside`.
    assert kinds["washes"] == ("object states", "affordances")
    assert kinds["beside"][0] == "spatial relations"
    # Nothing tells it from the others: the first categories that occur in it.
    assert kinds["carries"] == ("affordances", "spatial relations")


def test_a_kind_is_scored_by_the_tasks_that_belong_to_it() -> None:
    """Scores by hand, over three tasks."""
    kinds = categories_of({"a": ("open",), "b": ("open", "fill"), "c": ("place_within",)})
    # `open` is in all three (0 each), `openable` in two (log 1.5), the others in one (log 3).
    assert kinds["a"] == ("affordances", "object states")
    assert kinds["b"] == ("affordances", "object states")
    assert kinds["c"][0] == "other relations"


def test_one_operator_among_the_true_ones() -> None:
    task = planned(problem(5))
    used = operators_used(task)
    assert {"open", "fill", "power_on"} <= set(used) <= set(PARAMETERS)
    assert all(is_solved_with(task, OPERATORS, name) for name in used)
    idle = [replace(o, effect=()) if o.name == "fill" else o for o in OPERATORS]
    assert not is_solved_with(task, idle, "fill")
    # The others are the true ones, whatever the model says of them.
    assert is_solved_with(task, idle, "open")
    assert not is_solved_with(task, [], "open")
    loose = [replace(o, precondition=()) if o.name == "open" else o for o in OPERATORS]
    assert is_solved_with(task, loose, "open")


async def test_figures_of_a_model_that_cannot_fill(tmp_path: Path) -> None:
    def errs(probe: str, text: str) -> str:
        return text.replace('"fill"', '"soak"') if probe == "operators" else text

    whole, found = await scores(knows(), tmp_path), await scores(knows(errs=errs), tmp_path / "b")
    assert whole["all", "average of the four"] == pytest.approx(1.0)
    assert whole["operators", "plan found with its fill only"] == 1.0
    assert found["operators", "plan found with its fill only"] == 0.0
    assert found["operators", "plan found with its open only"] == 1.0
    kinds = [v for (_, name), v in found.items() if name.startswith("plan found: ")]
    assert kinds
    assert min(kinds) < 1.0
    parts: Any = [found["goals", "F1 all"], found["actions", "goals reached"]]
    parts += [found["subgoals", "goals reached"]]
    operators = (found["operators", "F1 all"] + found["operators", "planner finds a plan"]) / 2
    assert found["all", "average of the four"] == pytest.approx((sum(parts) + operators) / 4)
