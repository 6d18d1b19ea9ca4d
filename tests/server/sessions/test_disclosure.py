"""Disclosure: of which seats players are told that a program drives them."""

from __future__ import annotations

from episodes.teams import Team
from server.sessions.disclosure import told_programs
from server.sessions.spec import SessionSpec

TEAM = Team.parse("human=person,human=expert,robot=cohab,robot=nobody")


def test_programs_are_told_of_and_people_and_empty_bodies_are_not() -> None:
    spec = SessionSpec.of("ses_1", TEAM, 1)
    assert told_programs(spec) == {"human_1", "robot_0"}


def test_nothing_is_told_where_the_session_does_not_tell() -> None:
    assert told_programs(SessionSpec.of("ses_1", TEAM, 1, tells_doing=False)) == frozenset()


def test_who_stands_in_for_a_participant_is_not_told_of() -> None:
    spec = SessionSpec.of("ses_1", TEAM, 1, when_gone="policy", stand_in="expert")
    assert "human_0" not in told_programs(spec)
