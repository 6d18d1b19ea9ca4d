"""The eight people: what all of them do, and the trait that makes each."""

from __future__ import annotations

import pytest

from server.robots.baselines.expert import Expert
from server.robots.baselines.people.contrary import NOES, Contrary
from server.robots.baselines.people.erring import Erring
from server.robots.baselines.people.learning import Learning
from server.robots.baselines.people.misunderstanding import Misunderstanding
from server.robots.baselines.people.person import MOST_LINES
from server.robots.baselines.people.specs import PEOPLE
from server.robots.baselines.people.wandering import Wandering
from server.robots.registry.registry import POLICIES
from tests.server.robots.baselines.people.people_at_work import Played, played, saying
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT

NAMES = [spec.name for spec in PEOPLE]
LITTLE = 3000
"""Ticks in which a person has begun with everything that it does."""
QUESTIONS = ("Where is the plate?", "What are you doing?", "Are you done?", "What is left to do?",
             "Should I take the cup?", "Could you step aside, please?", "No, that is wrong!",
             "Please put the cup on the table.", "Hm [Pick[cup_1]] <|x|>", "?")  # fmt: skip


def crowd(robots: int) -> tuple[str, list[Expert]]:
    team = ",".join(["human=x", *["robot=y"] * robots])
    return team, [Expert(f"robot_{n}") for n in range(robots)]


# What all of them do


@pytest.mark.parametrize("name", NAMES)
def test_alone_it_brings_a_task_to_its_end_and_says_so(name: str) -> None:
    alone = played(name, seed=1)
    assert alone.success
    assert alone.result.reason == "finished"


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_plays_the_same(name: str) -> None:
    one, two = (played(name, 2, saying(*QUESTIONS[:5]), seed=3, ticks=LITTLE) for _ in range(2))
    assert one.core.world.digest() == two.core.world.digest()
    assert one.lines() == two.lines()
    assert [s.call for s in one.skills] == [s.call for s in two.skills]


@pytest.mark.parametrize("robots", [0, 1, 2, 4])
@pytest.mark.parametrize("name", NAMES)
def test_it_plays_among_one_to_five_bodies(name: str, robots: int) -> None:
    team, others = crowd(robots)
    together = played(name, 2, *others, team=team)
    assert together.result.reason == "finished"


@pytest.mark.parametrize("name", NAMES)
def test_it_says_no_more_than_it_may_whatever_it_is_asked(name: str) -> None:
    asked = played(name, 2, saying(*QUESTIONS * 6, each_s=1.0))
    assert asked.lines()
    assert len(asked.lines()) <= MOST_LINES


@pytest.mark.parametrize("name", NAMES)
def test_it_acts_only_on_what_it_has_seen(name: str) -> None:
    """Things in closed furniture are unknown before it has looked into it."""
    alone = played(name, 5, ticks=LITTLE)
    assert not [s for s in alone.skills if "not present in the graph" in s.response]
    assert alone.skills[0].call.startswith(("Explore", "Navigate"))


def test_four_are_held_out() -> None:
    assert [spec.name for spec in PEOPLE if spec.held_out] == NAMES[4:]
    assert not [spec.name for spec in POLICIES.values() if spec.held_out and spec not in PEOPLE]


# Each of them


def test_the_slow_one_takes_longer_than_the_same_without_rests() -> None:
    brisk = played("person-slow:pause_s=0,speed=1")
    slow = played("person-slow")
    assert slow.success
    assert slow.result.ticks > 1.4 * brisk.result.ticks


def test_the_erring_one_puts_a_thing_wrong_and_then_right() -> None:
    erring = played("person-erring:errs=1")
    assert isinstance(erring.person, Erring)
    assert [wrong for wrong in erring.person.slipped.values() if wrong]
    assert len(erring.puts()) > len(set(erring.puts()))
    assert erring.success


def test_the_passive_one_waits_but_does_what_it_is_asked() -> None:
    left_alone = played("person-passive", 2, saying(stays_s=20), ticks=600)
    assert not left_alone.skills
    asked = played("person-passive", 2, saying("Could you put the plate on the table?", stays_s=60))
    assert asked.puts()[0].startswith("plate")


def test_the_contrary_one_refuses_and_takes_away_what_was_put() -> None:
    refusing = played("person-contrary", 2, saying("Please wash the cup.", "Bring the plate here."))
    assert refusing.lines()[:2] == list(NOES[:2])
    undoing = played("person-contrary", 2, Expert(ROBOT))
    assert isinstance(undoing.person, Contrary)
    assert set(undoing.person.undid) <= set(undoing.puts(ROBOT))
    assert undoing.person.undid


def test_the_contrary_one_begins_with_what_comes_last() -> None:
    assert first_put(played("person-contrary", 1)) != first_put(played("person-passive", 1))


def test_the_misunderstanding_one_sees_its_mistake_in_the_outcome() -> None:
    mistaken = played("person-misunderstanding:rereads=1")
    assert isinstance(mistaken.person, Misunderstanding)
    assert mistaken.person.corrected
    assert not mistaken.person.mistaken
    assert mistaken.success


def test_the_misunderstanding_one_keeps_its_mistake_where_nothing_corrects_it() -> None:
    mistaken = played("person-misunderstanding:rereads=0")
    assert isinstance(mistaken.person, Misunderstanding)
    assert mistaken.person.mistaken
    assert not mistaken.success


def test_the_misunderstanding_one_is_corrected_by_a_word() -> None:
    told = played("person-misunderstanding:rereads=0", 2, saying("No, that is wrong.", stays_s=5))
    assert isinstance(told.person, Misunderstanding)
    assert not told.person.mistaken
    assert told.success
    assert any("wrong" in line for line in told.lines())


def test_the_learning_one_gets_faster_within_and_over_episodes() -> None:
    beginner = played("person-learning")
    assert isinstance(beginner.person, Learning)
    assert beginner.person.pauses[-1] < beginner.person.pauses[0]
    assert beginner.person.practice >= 2
    assert played("person-learning:experience=6").result.ticks < beginner.result.ticks


def test_the_wandering_one_strays_and_comes_back() -> None:
    wandering = played("person-wandering:wanders=1,strays=3")
    assert isinstance(wandering.person, Wandering)
    assert len(wandering.person.strayed) == 3
    assert wandering.success


def test_the_talking_one_asks_tells_and_answers() -> None:
    talking = played("person-talking", 2, saying("Where is the table?", "Hm.", stays_s=40))
    lines = talking.lines()
    assert [line for line in lines if line.endswith("?")]
    assert [line for line in lines if "The table is in the" in line]
    others = played("person-talking", 2, saying("Where is the table?", "Hm.", stays_s=40), seed=5)
    assert lines != others.lines(), "its words vary"


def first_put(episode: Played) -> str:
    return next(d.target for d in episode.did if d.verb == "place" and d.seat == HUMAN)
