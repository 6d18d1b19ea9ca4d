"""Teams of the settings: which start, which are refused, and what people read of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.lobby.robot_partners import RobotPartners
from server.lobby.team_offers import TeamOffers
from server.settings import Settings
from server.settings_error import SettingsError


def offers(tmp_path: Path, teams: str, **changes: object) -> TeamOffers:
    settings = Settings(
        **{"data_dir": tmp_path, "teams": teams, "_env_file": None, **changes}  # type: ignore[arg-type]
    )
    return TeamOffers(settings, RobotPartners(settings))


@pytest.mark.parametrize(
    ("teams", "told"),
    [
        ("3humans", "COHABIT_TEAMS: 3humans: "),
        ("3human;least=9", "expected least from 1 to 3"),
        ("human=person,robot=nosuch", "nosuch"),
        ("2human;after=60;fill=nosuch", "nosuch"),
        ("human=person,human=person,robot=finetuned", "finetuned plays in teams of 2 bodies"),
        ("2human;fill=react:partnr-centralised", "one mind for all bodies"),
        ("human=person,robot=ghost", "a ghost needs a recording: ghost:recording=FILE"),
        ("human=person,robot=ghost:recording=/none.jsonl", "/none.jsonl"),
    ],
)
def test_a_team_that_cannot_play_is_refused_at_the_start(
    tmp_path: Path, teams: str, told: str
) -> None:
    with pytest.raises(SettingsError) as failure:
        offers(tmp_path, teams)
    assert str(failure.value).startswith("COHABIT_TEAMS: ")
    assert told in str(failure.value)


def test_a_team_whose_policy_does_not_answer_is_not_offered(tmp_path: Path) -> None:
    found = offers(tmp_path, "3human human=person,robot=react")
    assert [offer.name for offer in found.offered()] == ["3human"]


@pytest.mark.parametrize(
    ("teams", "title", "about", "beginning"),
    [
        (
            "3human",
            "Three people",
            "All of you are humans.",
            "You begin when all three are here.",
        ),
        (
            "2human+2robot;least=1;after=60;fill=expert",
            "Two people, two robots",
            "All of you are humans. Programs play two robots: Scripted partner.",
            "You begin when both are here, or after 60 seconds with one person, with programs for "
            "the others.",
        ),
        (
            "human=person,human=person,robot=person,robot=expert;least=2;after=120",
            "Three people, one program",
            "Two of you are humans, one a robot: who is what is drawn. A program plays a robot: "
            "Scripted expert.",
            "You begin when all three are here, or after 2 minutes with two people or more.",
        ),
        (
            "human+robot",
            "One person, one robot",
            "You are a human. A program plays a robot: Scripted partner.",
            "",
        ),
    ],
)
def test_what_a_card_says(
    tmp_path: Path, teams: str, title: str, about: str, beginning: str
) -> None:
    offered = offers(tmp_path, teams)
    (offer,) = offered.offered()
    (card,) = offered.cards()
    assert (card.title, card.about, card.beginning) == (title, about, beginning)
    assert len(card.looks) == offer.team.bodies


def test_titles_tell_alike_teams_apart(tmp_path: Path) -> None:
    teams = "2human+robot human=person,human=person,robot=expert 3human"
    assert [card.title for card in offers(tmp_path, teams).cards()] == [
        "Two people, one robot: Scripted partner",
        "Two people, one robot: Scripted expert",
        "Three people",
    ]


def test_a_configuration_goes_by_its_own_title(tmp_path: Path) -> None:
    partner = offers(tmp_path, "3human+robot", robot="expert:partner")
    assert "Scripted partner" in partner.cards()[0].about
    plain = offers(tmp_path, "3human+robot", robot="expert")
    assert "Scripted expert" in plain.cards()[0].about


@pytest.mark.parametrize(
    ("robot", "person"), [("expert", "expert"), ("ghost:recording=/none.jsonl", "expert:partner")]
)
def test_whoever_is_the_robot_plays_beside_a_program_that_can_be_the_person(
    tmp_path: Path, robot: str, person: str
) -> None:
    team = offers(tmp_path, "", robot=robot).menu.named["as-robot"].team
    assert team.policies == {"human_0": person}
    assert team.people == ("robot_0",)
