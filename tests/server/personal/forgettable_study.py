"""A study whose people write much of themselves, for a server in a process of its own."""

from __future__ import annotations

from episodes.teams import Team
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.pages import Debrief, Lobby, Play, Survey
from matchmaking.study.questions import Kind, Question
from matchmaking.study.recruiter import Recruiter
from tests.server.web.participants.visitors import ALL_CODES, CONSENT, short_study

NAME = "forgettable"


def studies() -> list[Study]:
    """Return the study: a robot that answers chat, and a question that is answered in words."""
    remarks = Question(name="remarks", kind=Kind.WORDS, text={"en": "Anything else?"})
    home = Question(
        name="home",
        kind=Kind.WORDS,
        text={"en": "Where do you live?"},
        is_identifying=True,
    )
    study = short_study(
        name=NAME,
        recruiter=Recruiter(kind="prolific", codes=ALL_CODES),
        pages=(
            CONSENT,
            Lobby(),
            Play(episodes=1),
            Survey(questions=(remarks, home)),
            Debrief(text={"en": "It was about **words**."}),
        ),
        cells=(Cell(name="robot", team=Team.parse("human=person,robot=expert:partner"), target=5),),
    )
    return [study]
