"""Offers as an operator writes them, and what they are refused for."""

from __future__ import annotations

import pytest

from episodes.teams import Team
from matchmaking.offers import Offer, OfferError, parse_offers


def test_offers_are_read_with_what_they_say_and_what_they_do_not() -> None:
    offers = parse_offers("3human 2human+robot;least=1;after=90;fill=cohab:fast", "expert")
    assert offers == {
        "3human": Offer("3human", Team.parse("3human"), 3),
        "2human+robot": Offer(
            "2human+robot",
            Team.parse("human=person,human=person,robot=expert"),
            1,
            90.0,
            "cohab:fast",
        ),
    }
    assert not offers["3human"].may_be_smaller
    assert parse_offers("3human;after=5", "expert")["3human"].least == 1
    assert parse_offers("", "expert") == {}


def test_a_team_that_is_written_out_has_a_name_that_tells_nothing_of_its_policies() -> None:
    (name,) = parse_offers("human=person,robot=/srv/private/mine.py", "expert")
    assert name.startswith("team-")
    assert "private" not in name


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("3humans", "3humans"),
        ("2robot", "expected a place for a person, and it has none"),
        ("3human;atleast=2", "expected least=NUMBER, after=SECONDS or fill=POLICY"),
        ("3human;least", "got 'least'"),
        ("3human;least=2;least=1", "each once"),
        ("3human;least=4", "expected least from 1 to 3, the people of the team"),
        ("3human;least=0", "expected least from 1 to 3"),
        ("3human;least=1.5", "expected least from 1 to 3"),
        ("3human;least=two", "expected least to be a number from 0 to 86400, got two"),
        ("3human;after=-1", "expected after to be a number from 0 to 86400, got -1"),
        ("3human;after=inf", "got inf"),
        ("3human;after=nan", "got nan"),
        ("3human;after=1e308", "got 1e308"),
        ("3human;after=86401", "expected after to be a number from 0 to 86400, got 86401"),
        ("3human;after=٣", "got ٣"),
        ("3human;fill=", "got 'fill='"),
        ("3human 3human;least=2", "3human;least=2: this team is offered already, as 3human: "),
        ("pair human=person,robot=person", "this team is offered already, as pair: leave one out"),
        ("robot=person,human=person;after=5 pair", "offered already, as robot=person,human=person"),
        ("human=person,human=person,human=person,human=person,robot=a,robot=b", "5 bodies at most"),
    ],
)
def test_an_offer_that_cannot_be_is_refused_in_a_sentence(written: str, told: str) -> None:
    with pytest.raises(OfferError) as failure:
        parse_offers(written, "expert")
    assert told in str(failure.value)


def test_the_teams_of_an_offer_are_those_with_which_it_may_begin() -> None:
    team = Team.parse("human=person,robot=person,robot=expert")
    assert Offer("x", team, 2).teams() == [team]
    smaller = [str(found) for found in Offer("x", team, 1).teams()]
    assert sorted(smaller[1:]) == sorted(["human=person,robot=expert", "robot=person,robot=expert"])
    filled = [found.written_out for found in Offer("x", team, 1, fill="cohab").teams()]
    assert "human=cohab,robot=person,robot=expert" in filled
    assert "human=person,robot=cohab,robot=expert" in filled
