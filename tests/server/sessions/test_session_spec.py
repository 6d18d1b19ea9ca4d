"""The specification of a session as it is written in logs and sent to workers, and its team."""

from __future__ import annotations

import msgspec
import pytest

from episodes.teams import ALIASES, Team, TeamError
from server.sessions.spec import SessionSpec

ROBOT_AND_PERSON = (
    '{{"session_id":"ses_1","seats":['
    '{{"seat":{{"seat_id":"robot_0","kind":"robot"}},"occupied":{robot},"policy":""}},'
    '{{"seat":{{"seat_id":"human_0","kind":"human"}},"occupied":true,"policy":""}}],'
    '"seed":7,"simulator":"household","profile":"cohabit","semantics":"documented",'
)


def test_the_seats_of_a_pair_and_of_one_alone_are_written_as_ever() -> None:
    pair = msgspec.json.encode(SessionSpec.pair("ses_1", 7)).decode()
    assert pair.startswith(ROBOT_AND_PERSON.format(robot="true"))
    solo = msgspec.json.encode(SessionSpec.solo("ses_1", 7)).decode()
    assert solo.startswith(ROBOT_AND_PERSON.format(robot="false"))


@pytest.mark.parametrize("alias", ALIASES)
def test_a_session_knows_its_team(alias: str) -> None:
    team = Team.parse(alias).filled(robot="cohab:fast,seed=3")
    spec = SessionSpec.of("ses_1", team, 7)
    assert spec.team == team
    assert msgspec.json.decode(msgspec.json.encode(spec), type=SessionSpec).team == team


def test_a_session_is_not_made_of_a_team_with_open_places() -> None:
    with pytest.raises(TeamError) as raised:
        SessionSpec.of("ses_1", Team.parse("human=person,robot=cohab,robot=policy"), 7)
    assert str(raised.value) == (
        "human=person,robot=cohab,robot=policy does not say which policy plays robot_1"
    )


def test_other_settings_are_passed_on() -> None:
    spec = SessionSpec.of("ses_1", Team.parse("2human"), 7, profile="partnr", finish_wait_s=0.0)
    assert (spec.profile, spec.finish_wait_s, len(spec.seats)) == ("partnr", 0.0, 2)
