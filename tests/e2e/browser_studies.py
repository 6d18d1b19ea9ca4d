"""Studies that browser tests take part in."""

from __future__ import annotations

from msgspec.structs import replace

from episodes.teams import Team
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.design import Tasks
from matchmaking.study.endings import Ending
from matchmaking.study.pages import (
    Consent,
    Debrief,
    Device,
    Eligibility,
    Instructions,
    Lobby,
    Page,
    Play,
    Quiz,
    Survey,
)
from matchmaking.study.pay import Pay
from matchmaking.study.questions import Kind, Option, Question
from matchmaking.study.recruiter import Recruiter

CONSENT = """You do two tasks in a simulated house, with a partner.

We record **where you walk, what you do with things, and what you write in the chat**. We do not
record your name, your voice or your face.

- You can stop at any moment, and you are paid for the time until then.
- Your recordings are kept for ten years.
"""
INSTRUCTIONS = """You share a house with a partner. Both of you read the **same task**.

1. Walk with the keys, look round with the mouse.
2. Pick things up and put them where they belong.
3. Press *Finish* when you think that it is done.
"""


def question(name: str, text: str, kind: Kind, *options: str, **more: object) -> Question:
    """Return a question in English; options are written as their values."""
    chosen = tuple(Option(o.lower().replace(" ", "_"), {"en": o}) for o in options)
    return Question(name=name, kind=kind, text={"en": text}, options=chosen, **more)  # type: ignore[arg-type]


def scale(name: str, text: str) -> Question:
    """Return an agreement of seven points, whose ends are named."""
    ends = (Option("1", {"en": "not at all"}), Option("7", {"en": "completely"}))
    return Question(name=name, kind=Kind.SCALE, text={"en": text}, options=ends, least=1, most=7)


def pages() -> tuple[Page, ...]:
    return (
        Device(least_width=320, least_height=320, least_fps=0.1, most_rtt_ms=60_000),
        Consent(version="2026-11", text={"en": CONSENT}),
        Eligibility(
            questions=(
                question("screen", "Can you see the whole screen?", Kind.CHOICE, "Yes", "No"),
            )
        ),
        Instructions(text={"en": INSTRUCTIONS}),
        Quiz(
            questions=(
                question(
                    "who",
                    "Who reads the task?",
                    Kind.CHOICE,
                    "Only me",
                    "Only my partner",
                    "Both of us",
                    accepted=("both_of_us",),
                ),
            )
        ),
        Lobby(),
        Play(
            episodes=1,
            after_each=Survey(
                name="after_task", questions=(scale("fluent", "We worked fluently together."),)
            ),
        ),
        Survey(
            questions=(
                scale("trust", "I trusted my partner."),
                question("devices", "What did you use?", Kind.SEVERAL, "Mouse", "Touch pad"),
                question("words", "Anything else?", Kind.WORDS, is_required=False),
            )
        ),
        Debrief(text={"en": "It was about how people and robots **share work**. Thank you!"}),
    )


def with_robot() -> Study:
    """Return a study of one person with a robot."""
    return Study(
        name="with-robot",
        title={"en": "Sharing a house"},
        researchers="the Household Lab",
        contact="lab@example.org",
        minutes=20,
        recruiter=Recruiter(
            kind="direct", codes={ending: f"C-{ending.value.upper()}" for ending in Ending}
        ),
        pages=pages(),
        cells=(Cell(name="robot", team=Team.parse("human=person,robot=expert"), target=10),),
        pay=Pay(base=600, hourly=1200, cap=100_000),
    )


def in_pairs() -> Study:
    """Return the same study for two people."""
    cell = Cell(name="pair", team=Team.parse("pair"), target=10)
    return replace(with_robot(), name="in-pairs", cells=(cell,))


def in_threes() -> Study:
    """Return the same study for three people with a robot's body among them."""
    cell = Cell(name="three", team=Team.parse("human=person,human=person,robot=person"), target=9)
    return replace(with_robot(), name="in-threes", cells=(cell,))


def again_in_pairs() -> Study:
    """Return the study for two people with two tries at the task."""
    return replace(in_pairs(), name="again-in-pairs", tasks=Tasks(tries=2))


def studies() -> list[Study]:
    return [with_robot(), in_pairs(), in_threes(), again_in_pairs()]
