"""The scripted partner in sessions: it shares, talks, stops, and leaves people their part."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import pytest

from episodes.poses import Vec3
from episodes.teams import Team
from server.robots.baselines.expert.goals import plan
from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.player import PartnerPlayer
from server.robots.baselines.partner.sharing import shares
from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak, Step
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did, Said
from server.sessions.intents import Intent, Say
from server.sessions.player import Player
from server.sessions.spec import SessionSpec
from server.skills.making_way import blocks
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    core_of,
    episode_spec,
    simulator,
    task,
)

NAME = "expert:partner"
QUICK = "expert:partner,pause_s=0.1,answers_after_s=0.1,speed=1"
SECOND = 30
ONE_APPLE = 7


def options() -> PlayerOptions:
    """Return the options of the players of one episode: they share what is in them."""
    return PlayerOptions(ChargedThinker(asyncio.new_event_loop()))


class Played(NamedTuple):
    core: SessionCore
    said: list[str]
    did: list[tuple[int, str, str, str]]
    """Tick, seat, verb and label."""
    partner: Player

    def verbs(self, seat: str) -> list[str]:
        return [verb for _, who, verb, _ in self.did if who == seat]


def played(number: int, person: Sequence[Step], seconds: int = 120, name: str = QUICK) -> Played:
    """Play a first task beside somebody who follows steps."""
    return play(core_of(task(number), naming="people"), person, seconds, name)


def play(
    core: SessionCore, person: Sequence[Step] | Player, seconds: int, name: str = QUICK
) -> Played:
    """Play an episode beside a person, or somebody who follows steps."""
    partner = make_player(name, ROBOT, options())
    human = person if isinstance(person, Player) else ScriptedPlayer(HUMAN, person)
    said: list[str] = []
    did: list[tuple[int, str, str, str]] = []

    def watch(tick: Tick) -> None:
        for event in tick.events:
            if isinstance(event, Said) and event.seat == ROBOT:
                said.append(event.text)
            elif isinstance(event, Did):
                label = core.names.labels[event.target]
                did.append((tick.tick, event.seat, event.verb, label))

    run(core, [partner, human], seconds * SECOND, watch=watch)
    return Played(core, said, did, partner)


def talk(*lines: str, every_s: int = 6) -> list[Step]:
    return [step for line in lines for step in (Rest(every_s * SECOND), Speak(line))]


def test_it_shares_the_work_aloud_and_leaves_the_person_their_share() -> None:
    game = played(1, [Rest(100 * SECOND)])
    first = game.said[0]
    assert first in {
        "I take the red book, you take the blue book.",
        "I take the blue book, you take the red book.",
    }
    mine = first.split("I take the ")[1].split(" book")[0]
    assert {label for _, who, _, label in game.did if who == ROBOT and "book" in label} == {
        f"{mine} book"
    }
    assert game.verbs(ROBOT)[-1] == "place"
    # The other book is the person's: it is offered, not taken.
    assert any(line.startswith("My part is done. Shall I take") for line in game.said)
    assert not game.core.verdict().success


def test_it_takes_more_when_the_person_says_yes_or_leaves_the_task_to_it() -> None:
    for lines in (["yes please"], ["you take it"], ["help me"], ["are we done?", "yes"]):
        game = played(1, [Rest(80 * SECOND), *talk(*lines), Rest(60 * SECOND)], 170)
        assert game.core.verdict().success, lines
    finished = played(1, [Done()], 90)
    assert finished.core.verdict().success


def test_what_has_come_undone_is_not_called_done() -> None:
    """A book that stood where it belongs, and was fetched away on request, is left to do."""
    own = played(1, [Rest(1)], 5).said[0].split("I take the ")[1].split(" book")[0]
    asked = [f"bring me the {own} book", "what is left to do?", "how's it going?"]
    game = played(1, [Rest(60 * SECOND), *talk(*asked, every_s=25), Rest(10 * SECOND)], 180)
    assert [label for _, _, verb, label in game.did if verb == "pick"] == [f"{own} book"] * 2
    after = game.said[next(i for i, line in enumerate(game.said) if "I bring you" in line) + 1 :]
    assert isinstance(game.partner, PartnerPlayer)
    theirs = [game.core.names.labels[thing] for thing in game.partner.work.things(HUMAN)]
    assert f"{own} book" in theirs
    assert not any("everything is done" in line or "nothing left" in line for line in after), after


def test_it_asks_for_washing_and_brings_what_is_to_be_washed() -> None:
    game = played(4, [Rest(90 * SECOND)])
    assert "Could you wash the cup? My body cannot." in game.said[0]
    assert game.verbs(ROBOT)[:2] == ["pick", "place"]
    (cup,) = (h for h in game.core.world.objects if "cup" in h)
    here = game.core.view.receptacle_of(cup)
    assert here is not None
    assert game.core.view.template(here.furniture.handle).faucet is not None
    assert "clean" not in game.verbs(ROBOT)


def test_stop_holds_it_and_go_on_lets_it_go() -> None:
    stopped = played(2, [*talk("stop!", every_s=1), Rest(40 * SECOND)])
    assert phrases.STOPPED in stopped.said
    assert stopped.verbs(ROBOT) == []
    going = played(2, [*talk("stop!", "ok, continue", every_s=1), Rest(40 * SECOND)])
    assert going.verbs(ROBOT) == ["pick", "place"]


def test_it_says_what_it_does_and_why_and_where_things_are() -> None:
    game = played(
        2, talk("what are you doing?", "where is the plate?", "where is my cup", every_s=3)
    )
    told = game.said[1:]
    assert told[0].startswith("I am going to fetch the plate for the dining table")
    assert "because it belongs there" in told[0]
    assert told[1].startswith("The plate is ")
    assert "The cup is in the left kitchen counter in the kitchen." in told


def test_it_does_what_it_is_asked_to_and_says_what_it_cannot() -> None:
    game = played(
        4,
        [
            *talk("open the fridge", "please bring me the laptop", "wash the cup", every_s=12),
            Rest(25 * SECOND),
        ],
    )
    did = [(verb, label) for _, who, verb, label in game.did if who == ROBOT]
    assert ("open", "fridge") in did
    assert ("pick", "laptop") in did
    assert any(line.startswith("My body cannot wash the cup") for line in game.said)


def test_what_the_person_takes_it_leaves_alone() -> None:
    game = played(2, [Speak("I take the plate"), Rest(60 * SECOND)])
    assert "All right, the plate is yours." in game.said
    assert game.verbs(ROBOT) == []


def test_who_asks_for_the_way_is_told_it_and_keeps_their_share() -> None:
    said = played(1, [*talk("i am lost, how do i get to the kitchen?"), Rest(5 * SECOND)], 30).said
    assert "The kitchen is on the map: press M." in said
    assert not any(line.startswith("I take") for line in said[1:])


def test_it_says_so_when_it_does_not_understand() -> None:
    game = played(2, [*talk("colourless green ideas"), Rest(5 * SECOND)], 30)
    assert phrases.NOT_UNDERSTOOD in game.said


def test_it_finishes_when_the_task_is_done() -> None:
    core = core_of(task(1), naming="people")
    shared = options()
    both = [make_player(QUICK, seat, shared) for seat in (ROBOT, HUMAN)]
    result = run(core, both, 120 * SECOND)
    assert result is not None
    assert result.verdict.success


@pytest.mark.parametrize("robots", [0, 1, 2, 4])
def test_teams_of_one_to_five_share_one_plan(robots: int) -> None:
    written = ",".join([f"human={NAME}", *[f"robot={NAME}"] * robots])
    spec = SessionSpec.of("ses_team", Team.parse(written), 1, naming="people")
    core = SessionCore(spec, episode_spec(task(1)), task(1), simulator())
    shared = options()
    players = [make_player(QUICK, s.seat.seat_id, shared) for s in spec.seats]
    said: list[str] = []

    def watch(tick: Tick) -> None:
        said.extend(e.text for e in tick.events if isinstance(e, Said))

    result = run(core, players, 240 * SECOND, watch=watch)
    assert result is not None
    assert result.verdict.success
    # One speaks for all, and says what each of them takes.
    assert len([line for line in said if line.startswith("I take")]) <= 1


def test_shares_are_people_s_first_and_nobody_s_where_no_body_can() -> None:
    core = core_of(task(2))
    owners = shares(core, plan(core), [HUMAN, ROBOT])
    assert sorted(filter(None, owners.values())) == [HUMAN, ROBOT]
    washing = core_of(task(5))
    assert set(shares(washing, plan(washing), [HUMAN, ROBOT]).values()) == {HUMAN}
    alone = shares(washing, plan(washing), [ROBOT])
    # The lamp can only be switched on by a person; the vase can at least be carried.
    assert sorted(map(str, alone.values())) == ["None", ROBOT]


def test_expert_stays_as_it_is() -> None:
    assert type(make_player("expert", ROBOT, options())).__name__ == "Expert"
    named = make_player("expert:partner,speed=0.5", ROBOT, options())
    assert msgspec.to_builtins(named.manner)["speed"] == 0.5  # type: ignore[attr-defined]


def test_who_is_in_the_way_steps_aside_when_asked_and_does_not_come() -> None:
    game = played(1, talk("stop", "please move, you are in my way"), 20)
    assert "Sorry, I step aside." in game.said
    assert "I come." not in game.said


def in_a_passage(core: SessionCore) -> Vec3:
    """Return a place from which a body parts the floor around it."""
    rooms = [room.polygon for room in core.simulator.scene.rooms]
    floor = core.simulator.scene.rooms[0].floor_y
    for x, z in {corner for polygon in rooms for corner in polygon}:
        for step in range(1, 40):
            for point in ((x + 0.1 * step, floor, z), (x, floor, z + 0.1 * step)):
                near = core.simulator.nearest_walkable(point)
                if near is not None and math.dist(near, point) < 0.05 and blocks(core, near):
                    return near
    raise LookupError("the house has no passage")


def test_it_waits_in_no_passage() -> None:
    core = core_of(task(ONE_APPLE), naming="people")
    passage = in_a_passage(core)
    agents = core.world.agents
    agents[ROBOT] = agents[ROBOT]._replace(position=passage)
    assert blocks(core, core.world.agents[ROBOT].position)
    # It has nothing to do, so that nothing else leads it away.
    game = play(core, [Rest(15 * SECOND)], 15)
    assert game.verbs(ROBOT) == []
    here = core.world.agents[ROBOT].position
    assert math.dist(here, passage) > 0.3
    assert not blocks(core, here)


class StopsOnceItCarries(ScriptedPlayer):
    """Scripted person who cries stop as soon as the robot holds something, and notes when."""

    def __init__(self, words: str) -> None:
        super().__init__(HUMAN, [Rest(60 * SECOND)])
        self.words = words
        self.cried: int | None = None
        self.at: list[Vec3] = []

    def intents(self, core: SessionCore) -> list[Intent]:
        wanted = super().intents(core)
        if self.cried is None and ROBOT in core.world.held and self._is_off(core):
            self.cried = core.tick
            return [*wanted, Say(self.words)]
        if self.cried is not None and core.tick > self.cried + 2 * SECOND:
            self.at.append(core.world.agents[ROBOT].position)
        return wanted

    def _is_off(self, core: SessionCore) -> bool:
        """Tell whether the robot is on its way with what it holds."""
        x, _, z = core.world.agents[ROBOT].position
        self.before, before = (x, z), getattr(self, "before", (x, z))
        return math.dist(before, self.before) > 0.01


@pytest.mark.parametrize("words", ["whoa wait", "stop!", "hold on a second"])
def test_a_stop_is_not_lost_while_it_carries(words: str) -> None:
    person = StopsOnceItCarries(words)
    game = play(core_of(task(1), naming="people"), person, 60)
    assert person.cried is not None, "it never carried anything"
    assert phrases.STOPPED in game.said
    late = [verb for tick, who, verb, _ in game.did if who == ROBOT and tick > person.cried]
    assert late == []
    # It stands still where it was stopped, with the thing in its hand.
    assert ROBOT in game.core.world.held
    assert len(person.at) > 10 * SECOND
    assert max(math.dist(person.at[0], at) for at in person.at) < 0.05


def test_it_says_when_nothing_need_be_done() -> None:
    said = played(1, [*talk("are we done?"), Rest(3 * SECOND)], 20).said
    assert any(line.startswith("Not yet: somebody has to") for line in said)
