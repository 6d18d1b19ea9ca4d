"""Studies of the recruiting day with real processes, and the task that their people play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from episodes.dataset import Constraint, Proposition, write_dataset
from episodes.teams import Team
from matchmaking.limits import Limits
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.conduct import Departures, Pauses
from matchmaking.study.pages import Debrief, Eligibility, Lobby, Play, Survey
from matchmaking.study.pay import Pay
from matchmaking.study.recruiter import Recruiter
from tests.load.near_task import Reach, near_task
from tests.matchmaking.study.made_studies import scale
from tests.server.web.participants.visitors import ALL_CODES, CONSENT, short_study

PAY = Pay(base=600, hourly=900, bonus_per_success=50, cap=10_000_000)
VISIT_LIMIT_S = 9000.0
WAIT_IN_VAIN_S = 240.0
ROBOT, PAIR, ALONE = "robot", "pair", "alone"
"""Names of a study with a robot, one for pairs, and one whose groups are never complete."""


def studies() -> list[Study]:
    # Ten hours, so that no ceiling is reached; the base is less, and the consent says so.
    sentence = "The base is less than ten hours earn."
    pages = (
        msgspec.structs.replace(CONSENT, text={"en": sentence}, on_pay={"en": sentence}),
        Eligibility(least_age=18),
        Lobby(),
        Play(episodes=1),
        Survey(questions=(scale("fluent"),)),
        Debrief(text={"en": "It was about teams."}),
    )
    # A web process that dies is away for some minutes of this clock.
    patient = {"grace_s": 1800.0, "arrival_s": 1800.0, "ready_s": 0.0}

    def study(name: str, team: str, wait_s: float) -> Study:
        fields: dict[str, Any] = {
            "name": name,
            "pages": pages,
            "pay": PAY,
            "recruiter": Recruiter(kind="prolific", codes=ALL_CODES),
            "minutes": 600,
            "visit_limit_s": VISIT_LIMIT_S,
            "cells": (Cell(name=name, team=Team.parse(team), target=1000),),
            "departures": Departures(outcome="end"),
            "limits": Limits(wait_s=wait_s, **patient),
            # One failure of ours is in the script, and is not to pause it.
            "pauses": Pauses(failures=1000, of_visits=1000),
        }
        return short_study(**fields)

    return [
        study(ROBOT, "human=person,robot=expert", 8400.0),
        study(PAIR, "pair", 8400.0),
        study(ALONE, "5human", WAIT_IN_VAIN_S),
    ]


def write_task(data_dir: Path) -> Reach:
    """Write the one task: a thing within reach is to stay where it is.

    Whoever finishes with it in the hand has not done the task.
    """
    task, reach = near_task()
    stays = Proposition(
        "is_on_top",
        {
            "number": 1,
            "is_same_receptacle": False,
            "object_handles": [reach.handle],
            "receptacle_handles": [reach.support.partition("|")[0]],
        },
    )
    at_the_end = Constraint(
        "TerminalSatisfactionConstraint", {"proposition_indices": [0], "n_propositions": 1}
    )
    task = msgspec.structs.replace(
        task,
        instruction="Leave everything where it is.",
        evaluation_propositions=[stays],
        evaluation_proposition_dependencies=[],
        evaluation_constraints=[at_the_end],
    )
    write_dataset(data_dir / "tasks" / "first.json.gz", [task])
    return reach
