"""Teams: what may be written, what it means, and each sentence about what may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.bodies import SeatKind
from episodes.seats import PAIR
from episodes.teams import (
    ALIASES,
    MOST_BODIES,
    NOBODY,
    PERSON,
    Occupant,
    Team,
    TeamError,
)

NAMES = ("", "cohab", "cohab:fast,seed=3", "my_policies/fetch.py:Fetch", "react:size=3,way=a+b")
KINDS: st.SearchStrategy[SeatKind] = st.sampled_from(("human", "robot"))
OCCUPANTS = st.one_of(
    st.just(PERSON), st.just(NOBODY), st.sampled_from([Occupant("policy", n) for n in NAMES])
)
TEAMS = (
    st.lists(st.tuples(KINDS, OCCUPANTS), min_size=1, max_size=MOST_BODIES)
    .filter(lambda bodies: any(occupant != NOBODY for _, occupant in bodies))
    .map(Team.of)
)


@given(TEAMS)
def test_a_team_is_read_as_it_is_written(team: Team) -> None:
    assert Team.parse(str(team)) == team
    assert Team.parse(team.written_out) == team
    assert Team.parse(f" {team.written_out} ".replace(",robot", " , robot ")) == team


@given(TEAMS)
def test_robots_come_first_and_are_numbered_within_their_kind(team: Team) -> None:
    kinds = [seat.kind for seat in team.seats]
    assert kinds == sorted(kinds, key=lambda kind: kind != "robot")
    for kind in ("robot", "human"):
        ordinals = [seat.ordinal for seat in team.seats if seat.kind == kind]
        assert ordinals == list(range(len(ordinals)))
    assert team.bodies == len(team.people) + len(team.policies) == len(team.occupied)


@given(TEAMS, st.data())
def test_a_smaller_team_keeps_who_is_left_in_order(team: Team, data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.sampled_from([seat.seat_id for seat in team.seats])))
    left = [m for m in team.members if m.seat.seat_id not in gone]
    if all(member.occupant == NOBODY for member in left):
        with pytest.raises(TeamError):
            team.without(gone)
        return
    smaller = team.without(gone)
    assert [m.occupant for m in smaller.members] == [m.occupant for m in left]
    assert Team.parse(str(smaller)) == smaller


@pytest.mark.parametrize("alias", ALIASES)
def test_a_short_name_means_what_it_says(alias: str) -> None:
    team = Team.parse(alias)
    assert team.written_out == ALIASES[alias]
    assert str(team) == alias
    if alias in ("solo", "pair"):
        assert team.seats == PAIR
        return
    counted = {"human": 0, "robot": 0}
    for part in alias.split("+"):
        counted[part.lstrip("12345")] = int(part[0]) if part[0].isdigit() else 1
    assert len(team.people) == counted["human"]
    assert len(team.policies) == counted["robot"]


def test_the_pair_and_one_alone() -> None:
    assert Team.parse("pair").people == ("robot_0", "human_0")
    alone = Team.parse("solo")
    assert (alone.people, alone.policies, alone.bodies) == (("human_0",), {}, 1)
    assert alone.seats == PAIR


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("  ", "expected a team such as pair or human=person,robot=cohab, got no text"),
        ("trio", "no team has the short name 'trio'; a team has five bodies at most, and there"),
        ("6robot", "no team has the short name '6robot'; a team has five bodies at most, "),
        (
            "cat=expert",
            "a team has no body 'cat': write human=OCCUPANT or robot=OCCUPANT for each body, got "
            "'cat=expert'",
        ),
        ("=person", "a team has no body '': write human=OCCUPANT or robot=OCCUPANT for each "),
        (
            "human==person",
            "expected human=person, human=nobody or human=POLICY, and ,human= or ,robot= before "
            "the next body, got 'human==person'",
        ),
        ("human=person=person", "expected human=person, human=nobody or human=POLICY, and "),
        (
            "robot=expert,cat=expert",
            "a team has no body 'cat': write human=OCCUPANT or robot=OCCUPANT for each body, and a "
            "colon before the options of a policy, got 'robot=expert,cat=expert'",
        ),
        ("robot=cohab,human=person,cat=expert", "expected human=person, human=nobody or "),
        (
            "human=,robot=cohab",
            "human= names nobody: write human=person, human=nobody or human=POLICY",
        ),
        (",".join(["robot=policy"] * 6), "a team has 5 bodies at most, this one has 6"),
        ("human=nobody,robot=nobody", "a team needs somebody who plays, this one has nobody"),
    ],
)
def test_what_is_no_team_is_said_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(TeamError) as raised:
        Team.parse(text)
    assert str(raised.value).startswith(sentence)


def test_whole_names_keep_their_commas() -> None:
    team = Team.parse("human=scripted:slow,seed=3,robot=react:a=b,c=d")
    assert team.policies == {"robot_0": "react:a=b,c=d", "human_0": "scripted:slow,seed=3"}
    assert team.is_complete


def test_open_places_are_filled() -> None:
    team = Team.parse("human=policy,robot=policy,robot=cohab,robot=policy")
    assert not team.is_complete
    some = team.filled(robot="expert")
    assert str(some) == "human=policy,robot=expert,robot=cohab,robot=expert"
    assert some.filled(human="scripted").is_complete
    one = team.with_policies({"robot_2": "helper"})
    assert one.policies == {"robot_0": "", "robot_1": "cohab", "robot_2": "helper", "human_0": ""}


@pytest.mark.parametrize("seat_id", ["robot_1", "robot_7", "human_0"])
def test_only_open_places_take_a_policy(seat_id: str) -> None:
    team = Team.parse("human=person,robot=policy,robot=cohab")
    with pytest.raises(TeamError) as raised:
        team.with_policies({seat_id: "expert"})
    assert str(raised.value) == (
        f"{seat_id} is no place for a policy in human=person,robot=policy,robot=cohab; "
        "open are: robot_0"
    )
