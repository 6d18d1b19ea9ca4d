"""Shares of people who leave, finish or are away, and claims of one thing by several."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.teams import Team
from server.robots.baselines.partner.absence import AWAY_S
from server.robots.baselines.partner.claims import Granted, absence, grant
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.scripted_player import Rest, ScriptedPlayer, Speak, Step
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did, Said
from server.sessions.intents import Intent
from server.sessions.spec import SessionSpec
from server.worker.unpaced_runner import run
from tests.server.robots.baselines.test_partner_player import QUICK, SECOND, options
from tests.server.sessions.first_house_sessions import ROBOT, episode_spec, simulator, task

BOOKS, CUP = 1, 4


def core_of_team(people: int, robots: int, number: int) -> SessionCore:
    written = ["human=person"] * people + ["robot=expert:partner"] * robots
    spec = SessionSpec.of("ses_team", Team.parse(",".join(written)), 1, naming="people")
    return SessionCore(spec, episode_spec(task(number)), task(number), simulator())


core_kept = cache(core_of_team)


def work_of(core: SessionCore) -> SharedWork:
    """Return the work of the robots of a team, shared out among all who are there."""
    work = SharedWork()
    for seat in core.state.seats:
        if seat.startswith("robot"):
            work.join(seat)
    work.prepare(core)
    return work


def fresh(people: int, robots: int, number: int) -> SessionCore:
    """Return a team of which everybody is there, without building it anew."""
    core = core_kept(people, robots, number)
    core.state.tick = 0
    core.world.holders.clear()
    core.world.held.clear()
    for seated in core.state.seats.values():
        seated.presence, seated.finished = "connected", False
    return core


def told(core: SessionCore, work: SharedWork) -> list[str]:
    say = Phrases(core, work.lead)
    return [say.inherits(i, [work.goals[n] for n in sorted(work.open)]) for i in work.settle(core)]


def thing(core: SessionCore, label: str) -> str:
    return next(h for h in core.world.objects if core.names.labels[h] == label)


def test_what_somebody_had_who_left_is_a_robot_s() -> None:
    core = fresh(2, 1, BOOKS)
    work = work_of(core)
    assert told(core, work) == []
    core.state.seats["human_0"].presence = "gone"
    assert told(core, work) == ["Person 1 has left: I take the red book."]
    assert work.owner[thing(core, "red book")] == ROBOT
    assert told(core, work) == []


def test_what_only_people_can_do_is_asked_of_somebody_who_is_there() -> None:
    core = fresh(2, 1, CUP)
    work = work_of(core)
    cup = thing(core, "cup")
    washer = work.owner[cup]
    assert washer is not None
    core.state.seats[washer].presence = "gone"
    other = {"human_0": "human_1", "human_1": "human_0"}[washer]
    (line,) = told(core, work)
    assert work.owner[cup] == other
    assert f"Could Person {int(other[-1]) + 1} wash the cup? My body cannot." in line
    core.state.seats[other].presence = "gone"
    (line,) = told(core, work)
    assert line.endswith("Nobody here can see to the cup.")
    assert work.owner[cup] is None
    # It is asked of the next person who is there.
    core.state.seats[washer].presence = "connected"
    (line,) = told(core, work)
    assert f"Could Person {int(washer[-1]) + 1} wash the cup?" in line
    assert work.owner[cup] == washer


def test_who_begins_anew_gives_nothing_to_who_has_left() -> None:
    core = fresh(2, 1, CUP)
    core.state.seats["human_0"].presence = "gone"
    assert "human_0" not in work_of(core).owner.values()


@pytest.mark.parametrize("presence", ["reconnecting", "away", "loading"])
def test_who_is_away_keeps_their_share_for_a_while(presence: str) -> None:
    core = fresh(2, 1, BOOKS)
    work = work_of(core)
    core.state.seats["human_0"].presence = presence  # type: ignore[assignment]
    assert told(core, work) == []
    core.state.tick = round((AWAY_S - 1) * SECOND)
    assert told(core, work) == []
    assert absence(core, work, ROBOT, "human_0") == (
        "Person 1 is away just now and may come back, and keeps the red book until then."
    )
    core.state.tick = round(AWAY_S * SECOND)
    assert told(core, work) == ["Person 1 is away: I take the red book."]


def test_a_finish_gives_the_share_away_once() -> None:
    core = fresh(2, 2, BOOKS)
    work = work_of(core)
    core.state.seats["human_1"].finished = True
    assert told(core, work) == ["Person 2 has finished: I take the blue book."]
    # Who asks for it all the same gets it.
    grant(core, work, ROBOT, "human_1", [thing(core, "blue book")])
    assert told(core, work) == []
    assert work.owner[thing(core, "blue book")] == "human_1"


def test_two_who_leave_are_taken_over_by_two_robots() -> None:
    core = fresh(2, 2, BOOKS)
    work = work_of(core)
    for seat in ("human_0", "human_1"):
        core.state.seats[seat].presence = "gone"
    assert told(core, work) == [
        "Person 1 has left: I take the red book.",
        "Person 2 has left: Robot 2 takes the blue book.",
    ]


def test_a_thing_has_one_owner_and_whoever_loses_it_is_told_by_name() -> None:
    core = fresh(2, 3, BOOKS)
    work = work_of(core)
    red = thing(core, "red book")
    work.hand(red, "robot_2", "human_0")
    core.world.holders[red] = "robot_2"
    held = "Robot 3 has the red book in its hand."
    assert grant(core, work, ROBOT, "human_1", [red]) == Granted([], [held])
    assert work.owner[red] == "robot_2"
    core.world.holders.clear()
    first = grant(core, work, ROBOT, "human_0", [red])
    assert first.told == [
        "All right, Person 1 takes the red book now: Robot 3 need not see to it, and has nothing "
        "else to do."
    ]
    second = grant(core, work, ROBOT, "human_1", [red])
    assert second.told == [
        "All right, Person 2 takes the red book now: Person 1 need not see to it, and has nothing "
        "else to do."
    ]
    assert grant(core, work, ROBOT, "human_1", [red]) == Granted([red], [])
    assert work.owner[red] == "human_1"


def test_a_robot_is_not_given_what_only_people_can_do() -> None:
    core = fresh(2, 2, CUP)
    work = work_of(core)
    cup, before = thing(core, "cup"), dict(work.owner)
    assert before[cup] is not None
    given = grant(core, work, ROBOT, "robot_1", [cup])
    name = f"Person {int(str(before[cup])[-1]) + 1}"
    assert given == Granted([], [f"A robot cannot wash the cup: {name} sees to it."])
    assert work.owner == before


SEATS = st.integers(0, 4)
ACTS = st.lists(
    st.tuples(st.sampled_from(["gone", "away", "back", "finish", "claim", "wait"]), SEATS, SEATS),
    max_size=12,
)


@settings(max_examples=30, deadline=None)
@given(
    team=st.sampled_from([(2, 1), (3, 1), (2, 2), (1, 2), (4, 1), (2, 3)]),
    number=st.sampled_from([BOOKS, CUP, 5]),
    acts=ACTS,
)
def test_nobody_absent_owns_anything_and_what_can_be_done_is_somebody_s(
    team: tuple[int, int], number: int, acts: list[tuple[str, int, int]]
) -> None:
    core = fresh(*team, number)
    work = work_of(core)
    seats = list(core.state.seats)
    for act, which, what in acts:
        seat = seats[which % len(seats)]
        seated = core.state.seats[seat]
        things = work.things()
        match act:
            case "gone":
                seated.presence = "gone"
            case "away" if seated.presence == "connected":
                seated.presence = "away"
            case "back" if seated.presence == "away":
                seated.presence = "connected"
            case "finish":
                seated.finished = not seated.finished
            case "wait":
                core.state.tick += 20 * SECOND
            case "claim" if things and seated.presence == "connected":
                grant(core, work, seats[-1], seat, [things[what % len(things)]])
        before = {t: work.owner.get(t) for t in things}
        moved = work.settle(core)
        here = [s for s in seats if core.state.seats[s].presence != "gone"]
        assert set(filter(None, work.owner.values())) <= set(here)
        free = [s for s in here if core.state.seats[s].presence == "connected"]
        for t in work.things():
            is_for_people = any(work.goals[n].for_people for n in work.goals_of(t))
            able = [s for s in free if s.startswith("human") or not is_for_people]
            owner = work.owner.get(t)
            assert owner is not None or not able
            assert owner is None or owner.startswith("human") or not is_for_people
        # Every thing that changes hands is told of.
        lost = {t for t in before if work.owner.get(t) != before[t]}
        assert lost == {t for i in moved for t in i.heirs}


class Leaves(ScriptedPlayer):
    """Person who leaves for good after five seconds."""

    def intents(self, core: SessionCore) -> list[Intent]:
        if core.tick == 5 * SECOND:
            core.set_presence(self.seat, "gone")
        return super().intents(core)


def test_in_a_session_the_robot_takes_over_and_gives_nothing_to_who_left() -> None:
    core = core_of_team(2, 1, BOOKS)
    said: list[str] = []
    did: list[tuple[str, str]] = []

    def watch(tick: Tick) -> None:
        said.extend(e.text for e in tick.events if isinstance(e, Said) and e.seat == ROBOT)
        acts = [e for e in tick.events if isinstance(e, Did)]
        did.extend((e.verb, core.names.labels[e.target]) for e in acts)

    asks = ("what should person 1 do?", "let person 1 take the blue book", "what should I do?")
    lines: list[Step] = [s for line in asks for s in (Rest(7 * SECOND), Speak(f"@robot {line}"))]
    players = [
        make_player(QUICK, ROBOT, options()),
        Leaves("human_0", [Rest(90 * SECOND)]),
        ScriptedPlayer("human_1", [*lines, Rest(90 * SECOND)]),
    ]
    run(core, players, 40 * SECOND, watch=watch)
    assert said[1] == "Person 1 has left: I take the red book."
    assert said.count("Person 1 has left.") == 2, said
    assert [line for line in said if line.startswith("@person 2 You could take the blue book")]
    assert ("pick", "red book") in did
    assert did[-1][0] == "place", did
    assert not [line for line in said if "Person 1 could" in line or "Could Person 1" in line]


def test_a_claim_stops_the_robot_that_was_on_its_way_and_one_answers() -> None:
    core = core_of_team(2, 2, BOOKS)
    said: list[tuple[str, str]] = []
    picked: list[tuple[str, str]] = []

    def watch(tick: Tick) -> None:
        talk = [e for e in tick.events if isinstance(e, Said) and e.seat.startswith("robot")]
        said.extend((e.seat, e.text) for e in talk)
        acts = [e for e in tick.events if isinstance(e, Did) and e.verb == "pick"]
        picked.extend((e.seat, core.names.labels[e.target]) for e in acts)

    wait = Rest(60 * SECOND)
    shared = options()
    players = [
        *(make_player(QUICK, seat, shared) for seat in ("robot_0", "robot_1")),
        ScriptedPlayer("human_0", [Rest(3 * SECOND), Speak("@robot 2 take the red book"), wait]),
        ScriptedPlayer("human_1", [Rest(4 * SECOND), Speak("I take the red book"), wait]),
    ]
    run(core, players, 20 * SECOND, watch=watch)
    assert said[1:3] == [
        ("robot_1", "I take the red book."),
        (
            "robot_0",
            "All right, Person 2 takes the red book now: Robot 2 need not see to it, and has "
            "nothing else to do.",
        ),
    ]
    assert picked == []
