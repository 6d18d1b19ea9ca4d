"""Strata: what a study draws at entry and at the match."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from episodes.teams import Team
from matchmaking.assignment.ledger import Arm, Ledger
from matchmaking.assignment.strata import sequence_of, strata_of
from matchmaking.study import StudyError
from matchmaking.study.conditions import Cell, Factor
from matchmaking.study.design import Design, Tasks
from matchmaking.study.design_rules import confounded
from matchmaking.study.treatment import Treatment
from tests.matchmaking.study.made_studies import PAIR_CELL, study

VIEW = Factor(name="view", levels=("near", "far"), drawn_at="entry")
DELAY = Factor(name="delay", levels=("none", "long"))


def cell(view: str, delay: str, target: int = 4, **treatment: Any) -> Cell:
    """Return a condition of pairs."""
    return Cell(
        name=f"{view}_{delay}",
        team=Team.parse("pair"),
        target=target,
        levels={"view": view, "delay": delay},
        treatment=Treatment(latency_ms=200 if delay == "long" else 0, **treatment),
    )


CELLS = tuple(cell(view, delay) for view in VIEW.levels for delay in DELAY.levels)


def test_between_groups_a_stratum_has_its_conditions() -> None:
    strata = strata_of(study(factors=(VIEW, DELAY), cells=CELLS))
    assert strata.entry == (Arm("view=near", 16), Arm("view=far", 16)), "people"
    assert strata.match["view=far"] == (Arm("far_none", 4), Arm("far_long", 4)), "groups"


def test_without_factors_of_persons_nothing_is_drawn_at_entry() -> None:
    strata = strata_of(study())
    assert strata.entry == ()
    assert strata.match == {"": (Arm("pair", 20), Arm("robot", 20))}


def test_within_a_group_orders_are_drawn() -> None:
    within = study(factors=(VIEW, DELAY), cells=CELLS, design=Design(subjects="within"))
    strata = strata_of(within)
    assert strata.entry == (Arm("view=near", 8), Arm("view=far", 8))
    assert strata.match["view=near"] == (
        Arm("near_none>near_long", 2),
        Arm("near_long>near_none", 2),
    )
    drawn = Ledger("secret", strata).draw("match", ["p"], 0.0, stratum="view=near")
    assert drawn is not None
    assert sorted(sequence_of(drawn.arm, CELLS[:2], "secret", 0)) == ["near_long", "near_none"]


def test_orders_may_be_drawn_for_each_group() -> None:
    design = Design(subjects="within", order="random")
    strata = strata_of(study(factors=(VIEW, DELAY), cells=CELLS, design=design))
    (arm,) = strata.match["view=near"]
    assert arm == Arm("drawn", 4)
    orders = {sequence_of(arm.name, CELLS[:2], "secret", place) for place in range(20)}
    assert orders == {("near_none", "near_long"), ("near_long", "near_none")}


def cells_with(**treatment: Any) -> tuple[Cell, ...]:
    """Return the conditions with another treatment where the delay is long."""
    return tuple(
        cell(v, d, **(treatment if d == "long" else {}))
        for v, d in (c.name.split("_") for c in CELLS)
    )


WITHIN = Design(subjects="within")
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"design": Design(block_multiples=())}, "design, block_multiples: expected numbers from 1"),
    (
        {"cells": cells_with(explanation="none"), "design": WITHIN},
        "design, subjects: expected 'between', because the explanation differs",
    ),
    (
        {
            "cells": tuple(cell(v, d, 3) for v in VIEW.levels for d in DELAY.levels),
            "design": WITHIN,
        },
        "cells: expected targets that are a multiple of 2",
    ),
    (
        {"cells": (cell("near", "none", 2), *CELLS[1:]), "design": WITHIN},
        "cells: expected the same target for all within a group, got [2, 4]",
    ),
    ({"cells": cells_with(viewport=(10, 900))}, "cells 2, treatment, viewport: expected 200"),
    ({"cells": cells_with(profile=" ")}, "cells 2, treatment, profile: expected the name"),
    ({"tasks": Tasks(ids=("1", "1"))}, "tasks, ids: the task '1' is there 2 times"),
    ({"tasks": Tasks(ids=("1",), practice=("1",))}, "tasks, practice: the task '1' is among"),
    ({"tasks": Tasks(tries=0)}, "tasks, tries: expected 1 to 20"),
    ({"tasks": Tasks(limit_s=0)}, "tasks, limit_s: expected more than 0"),
    ({"tasks": Tasks(set=" ")}, "tasks, set: expected the name"),
]


@pytest.mark.parametrize(("changes", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_designs_that_cannot_be_are_refused(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(StudyError) as failure:
        study(**{"factors": (VIEW, DELAY), "cells": CELLS, **changes})
    assert told in str(failure.value)


def test_within_a_group_there_are_as_many_people_in_each_condition() -> None:
    solo = Cell(name="one", team=Team.parse("solo"), target=20, levels={"partner": "robot"})
    with pytest.raises(StudyError, match="expected as many people in each condition"):
        study(cells=(PAIR_CELL, solo), design=WITHIN)


def test_conditions_that_no_analysis_tells_apart_are_told() -> None:
    again = (*CELLS, replace(CELLS[3], name="again"))
    (same,) = confounded(again, (VIEW, DELAY))
    assert str(same).startswith("cells 5, levels: 'far_long' has the same levels")
    (unused,) = confounded(CELLS[:2], (VIEW, DELAY))
    assert str(unused).startswith("factors 1, levels: no condition has the level 'far'")
    assert list(confounded(CELLS, (VIEW, DELAY))) == []
