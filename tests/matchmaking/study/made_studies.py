"""Studies for tests: sound ones, of which a test changes what it is about."""

from __future__ import annotations

from typing import Any

from episodes.teams import Team
from matchmaking.study import Study
from matchmaking.study.conditions import Cell, Factor
from matchmaking.study.endings import Ending
from matchmaking.study.pages import (
    Consent,
    Debrief,
    Device,
    Eligibility,
    Lobby,
    Page,
    Play,
    Quiz,
    Survey,
    Tutorial,
)
from matchmaking.study.pay import Pay
from matchmaking.study.questions import Kind, Option, Question
from matchmaking.study.recruiter import Recruiter

PAIR_CELL = Cell(name="pair", team=Team.parse("pair"), target=20, levels={"partner": "person"})
ROBOT_CELL = Cell(
    name="robot",
    team=Team.parse("human=person,robot=expert"),
    target=20,
    levels={"partner": "robot"},
)
CONSENT = Consent(version="1", text={"en": "We record what you do. Nobody is paid less."})


def choice(name: str = "goal", accepted: tuple[str, ...] = ()) -> Question:
    """Return a question with the options ``yes`` and ``no``."""
    options = (Option("yes", {"en": "Yes"}), Option("no", {"en": "No"}))
    return Question(
        name=name, kind=Kind.CHOICE, text={"en": "Is it so?"}, options=options, accepted=accepted
    )


def scale(name: str = "fluent") -> Question:
    """Return a scale of seven points."""
    return Question(name=name, kind=Kind.SCALE, text={"en": "How fluent was it?"}, least=1, most=7)


def all_pages() -> tuple[Page, ...]:
    """Return pages of each kind in an order that can be."""
    return (
        Device(least_width=900, least_height=500, least_fps=20, most_rtt_ms=250),
        CONSENT,
        Eligibility(questions=(choice("sees_well", ("yes",)),)),
        Tutorial(),
        Quiz(questions=(choice("understood", ("yes",)),)),
        Lobby(),
        Play(episodes=2, after_each=Survey(name="each", questions=(scale(),))),
        Survey(questions=(scale("overall"),)),
        Debrief(text={"en": "Thank you."}),
    )


def study(**changes: Any) -> Study:
    """Return a study with two conditions that could open, with some fields changed."""
    fields: dict[str, Any] = {
        "name": "partners",
        "title": {"en": "Partners at home"},
        "researchers": "A. Lab",
        "contact": "lab@example.org",
        "recruiter": Recruiter(kind="direct", codes={Ending.COMPLETED: "C1"}),
        "pages": all_pages(),
        "factors": (Factor(name="partner", levels=("person", "robot")),),
        "cells": (PAIR_CELL, ROBOT_CELL),
        "pay": Pay(base=600, hourly=900, cap=100_000),
    }
    return Study(**{**fields, **changes})
