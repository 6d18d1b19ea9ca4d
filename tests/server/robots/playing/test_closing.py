"""End of a seat's part: beside partners who have finished nobody waits for anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from episodes.seats import PAIR
from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy import LET_GO, Decision, Do, Pause
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore
from server.sessions.intents import Finish
from server.sessions.spec import TICK_RATE, Ending, EpisodeSpec, SeatSpec, SessionSpec
from server.skills.registry import WAIT_TICKS
from server.worker.unpaced_runner import run
from tests.benchmarks.robots import LATENCY_S, double_for, write_library
from tests.server.robots.prepared_policy import PreparedPolicy, play
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, simulator, task

MOST_S = 5.0
POLICIES = (
    "expert", "expert:partner", "react", "react-rag:library={library}", "finetuned", "helper",
    "cohab", "llamar",
)  # fmt: skip
BRINGING = ("Rearrange", "Place")
PERSON_DONE = 600
"""Tick at which a prepared person finishes."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "traces.json"
    write_library(path)
    return path


def core_of_seats(number: int, policy: str, person: str) -> SessionCore:
    chosen, played = task(number), {ROBOT: policy, HUMAN: person}
    seats = tuple(SeatSpec(seat, True, played[seat.seat_id]) for seat in PAIR)
    # As long as they want: nothing but the policy ends the episode.
    spec = SessionSpec("ses_1", seats, 1, finish_wait_s=0.0, ending=Ending(robot_wait_s=None))
    return SessionCore(spec, EpisodeSpec("epi_1", "first", chosen.task_id), chosen, simulator())


@pytest.mark.parametrize("number", [1, 2, 3, 6])
@pytest.mark.parametrize("policy", POLICIES)
def test_with_nothing_left_a_policy_finishes_soon_after_the_person(
    loop: Any, library: Path, policy: str, number: int
) -> None:
    """The person in the seat is one for the session, too, as in live play."""
    name = policy.format(library=library)
    core = core_of_seats(number, name, "")
    making = PlayerOptions(ChargedThinker(loop, LATENCY_S), double_for(name, core))
    robot, person = make_player(name, ROBOT, making), make_player("scripted", HUMAN, making)
    result = run(core, [robot, person], 20_000)
    assert result is not None
    assert result.verdict.success
    done = core.seats[HUMAN].finished_tick
    assert done is not UNSET
    if isinstance(robot, PolicyPlayer):
        # What it has begun to bring somewhere it brings there.
        told = [c for c in robot._history if c.succeeded and c.text.startswith(BRINGING)]
        done = max([done, *(call.ended for call in told)])
    assert result.ticks - done <= MOST_S * TICK_RATE


@pytest.mark.parametrize("waits", [Pause(90), Do("Wait[]")])
def test_who_only_waits_has_finished_with_the_others(loop: Any, waits: Any) -> None:
    policy = PreparedPolicy([waits] * 100)
    person = ScriptedPlayer(HUMAN, [Rest(PERSON_DONE), Done()])
    core = core_of_seats(2, "", "")
    player, _ = play(loop, policy, person, core=core, closes_s=2.0)
    assert player.finished
    assert 0 <= core.tick - PERSON_DONE - 2 * TICK_RATE <= TICK_RATE


def test_who_may_wait_as_long_as_it_likes_does(loop: Any) -> None:
    policy = PreparedPolicy([Do("Wait[]")])
    person = ScriptedPlayer(HUMAN, [Rest(30), Done()])
    core = core_of_seats(2, "", "")
    play(loop, policy, person, core=core, closes_s=None)
    assert core.tick >= WAIT_TICKS


def test_what_only_looks_is_asked_again_when_the_others_have_finished(loop: Any) -> None:
    def explore(view: Any) -> Do:
        return Do(f"Explore[{view.graph.names.graph[view.graph.scene.rooms[0].room_id]}]")

    policy = PreparedPolicy([explore])
    person = ScriptedPlayer(HUMAN, [Rest(30), Done()])
    core = core_of_seats(2, "", "")
    play(loop, policy, person, core=core, closes_s=2.0)
    (call,) = policy.views[1].history
    assert call.response.endswith(LET_GO)
    assert policy.views[1].finished == (HUMAN,)


def test_who_works_on_is_left_to_it(loop: Any) -> None:
    """Short pauses between works are no end: each work begins the wait anew."""
    decisions: list[Decision] = [Pause(45), Do("Juggle[cup_1]")]
    policy = PreparedPolicy(decisions * 6)
    person = ScriptedPlayer(HUMAN, [Done()])
    core = core_of_seats(2, "", "")
    play(loop, policy, person, core=core, closes_s=2.0)
    assert len(policy.views) == 6 * len(decisions) + 1


def test_a_partner_who_takes_its_finish_back_is_waited_for_again(loop: Any) -> None:
    class Undecided(ScriptedPlayer):
        def script(self, body: Any) -> Any:
            yield from super().script(body)
            yield from ([] for _ in range(30))
            yield [Finish(False)]
            yield from ([] for _ in range(PERSON_DONE))
            yield [Finish()]

    policy = PreparedPolicy([Pause(90)] * 100)
    core = core_of_seats(2, "", "")
    play(loop, policy, Undecided(HUMAN, [Done()]), core=core, closes_s=2.0)
    assert core.tick > PERSON_DONE


def test_how_long_it_waits_is_checked() -> None:
    with pytest.raises(ValueError, match="closes_s of 0 or more or none, got -1"):
        SeatOptions(closes_s=-1.0)
