"""Lines about others, and for others, in a team with a scripted partner."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from episodes.teams import Team
from server.robots.baselines.partner.third_person import hear, in_third_person
from server.robots.baselines.partner.words import Name
from server.robots.baselines.scripted_player import Rest, ScriptedPlayer, Speak
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Said
from server.sessions.spec import SessionSpec
from server.worker.unpaced_runner import run
from tests.server.robots.baselines.test_partner_player import QUICK, SECOND, options
from tests.server.sessions.first_house_sessions import ROBOT, episode_spec, simulator, task

TEAM = {"human_0": "person 1", "human_1": "person 2", "human_2": "person 3", "robot_0": "robot"}
PAIR = {"human_0": "person", "robot_0": "robot"}
NAMES = (Name("apple_1", False, ("apple",)), Name("book_1", False, ("red book",)))


@pytest.mark.parametrize(
    "text",
    [
        "hello all",
        "hi everybody",
        "Hello everyone!",
        "Person 2, where are you? I am in the office",
        "hey person 3 stop",
        "person 3, can you take the apple?",
        "where is person 2?",
    ],
)
def test_what_is_for_others_is_not_answered(text: str) -> None:
    assert hear(text, "human_0", ROBOT, TEAM, NAMES, is_addressed=False) is None


@pytest.mark.parametrize(
    ("text", "seat", "kind"),
    [
        ("let person 3 take the apple", "human_2", "i_take"),
        ("Person 3 takes the apple", "human_2", "i_take"),
        ("leave the apple to Person 3", "human_2", "i_take"),
        ("tell person 3 to take the apple", "human_2", "i_take"),
        ("help Person 3", "human_2", "help"),
        ("help person 1", "human_0", "help"),
        ("bring the apple to person 3", "human_2", "do"),
        ("what should Person 2 do?", "human_1", "suggest"),
        ("where is person 2?", "human_0", "unknown"),
        ("help person 2 and person 3", "human_0", "unknown"),
        ("take the apple", "human_0", "you_take"),
        ("I take the apple, person 2 takes the red book", "human_0", "i_take"),
        ("hello", "human_0", "hello"),
        ("stop", "human_0", "stop"),
    ],
)
def test_what_is_said_of_somebody_is_theirs(text: str, seat: str, kind: str) -> None:
    heard = hear(text, "human_0", ROBOT, TEAM, NAMES, is_addressed=True)
    assert heard is not None
    assert (heard.seat, heard.request.kind) == (seat, kind)
    assert heard.name == ("" if seat == "human_0" else TEAM[seat])


def test_in_a_pair_all_is_for_the_robot() -> None:
    for text, kind in (("hello all", "hello"), ("take the apple", "you_take")):
        heard = hear(text, "human_0", ROBOT, PAIR, NAMES, is_addressed=False)
        assert heard is not None
        assert (heard.seat, heard.request.kind, heard.name) == ("human_0", kind, "")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("All right, the apple is yours.", "All right, the apple is Person 3's."),
        ("You could take the cup to the shelf.", "Person 3 could take the cup to the shelf."),
        ("I bring you the apple.", "I bring Person 3 the apple."),
        ("You have the apple in your hand.", "Person 3 has the apple in Person 3's hand."),
    ],
)
def test_the_answer_names_whoever_is_meant(said: str, told: str) -> None:
    assert in_third_person(said, "person 3") == told


def chat_of(lines: Sequence[str]) -> list[str]:
    """Return what the robot of a team of four says when Person 2 says some lines."""
    team = Team.parse(f"human=person,human=person,human=person,robot={QUICK.partition(',')[0]}")
    spec = SessionSpec.of("ses_team", team, 1, naming="people")
    core = SessionCore(spec, episode_spec(task(1)), task(1), simulator())
    said: list[str] = []

    def watch(tick: Tick) -> None:
        said.extend(e.text for e in tick.events if isinstance(e, Said) and e.seat == ROBOT)

    talk = [step for line in lines for step in (Rest(4 * SECOND), Speak(line))]
    players = [
        make_player(QUICK, ROBOT, options()),
        ScriptedPlayer("human_0", [Rest(60 * SECOND)]),
        ScriptedPlayer("human_1", talk),
        ScriptedPlayer("human_2", [Rest(60 * SECOND)]),
    ]
    run(core, players, 25 * SECOND, watch=watch)
    return said


def test_a_thing_is_handed_to_whom_somebody_names() -> None:
    said = chat_of(
        ["hello all", "Person 3, where are you?", "@robot let person 3 take the blue book"]
    )
    told = [line for line in said if line.startswith("All right, Person 3 takes the ")]
    # Whoever had it is told so by name.
    assert [line for line in told if "Person 2 need not see to it" in line], said
    assert not [line for line in said if "understand" in line or line.startswith("Hello")], said
