"""Studies in which nobody is told what plays the other body, each with one recorded part in it.

In the condition `people` two people play, and a client that pretends to be the second sends the
recorded part over its socket. In the condition `policy` a ghost plays the same part at the server.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from episodes.teams import Team
from matchmaking.limits import Limits
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.conduct import Departures, Pauses
from matchmaking.study.pages import Debrief, Lobby, Play, Survey
from matchmaking.study.treatment import Treatment
from server.recording.recordings import read_recording
from server.robots.baselines.ghost import Part, part_of
from tests.matchmaking.study.made_studies import scale
from tests.server.web.participants.visitors import CONSENT, short_study

PARTS = "TELLING_APART_PARTS"
"""Environment variable with the folder of the recordings."""
SEAT = "human_0"
"""Seat whose part is played again."""
NOBODY_KNOWS = "Your partner may be a person or a program."


def recordings() -> list[Path]:
    return sorted(Path(os.environ[PARTS]).glob("*.jsonl"))


def part(path: Path) -> Part:
    """Return the recorded part of the seat that is played again."""
    return part_of(next(iter(read_recording(path))), SEAT)


def name_of(number: int) -> str:
    return f"part-{number}"


def studies() -> list[Study]:
    return [_study(name_of(n), path) for n, path in enumerate(recordings())]


def _study(name: str, recording: Path) -> Study:
    hidden = Treatment(disclosure="not_told")
    consent = msgspec.structs.replace(
        CONSENT,
        text={"en": f"We record what you do. {NOBODY_KNOWS}"},
        on_partners={"en": NOBODY_KNOWS},
    )
    ghost = f"human=ghost:recording={recording},robot=person"
    return short_study(
        name=name,
        pages=(
            consent,
            Lobby(),
            Play(episodes=1),
            Survey(questions=(scale("fluent"),)),
            Debrief(text={"en": "It was about partners."}),
        ),
        cells=(
            Cell(name="people", team=Team.parse("pair"), target=1000, treatment=hidden),
            Cell(
                name="policy",
                team=Team.parse(ghost),
                target=1000,
                treatment=hidden,
                waits_like="people",
            ),
        ),
        withdraw_until="2099-01-01",
        departures=Departures(outcome="end"),
        limits=Limits(wait_s=3000.0),
        pauses=Pauses(failures=1000, of_visits=1000),
    )
