"""The session core: how an episode starts and ends, and what comes next."""

from __future__ import annotations

import pytest

from episodes.world import (
    AgentMoved,
)
from server.robots.baselines.expert import solve
from server.robots.baselines.scripted_player import Done, Rest
from server.sessions.core import SessionCore
from server.sessions.events import (
    FinishChanged,
    PhaseChanged,
    PresenceChanged,
    Refused,
    Said,
)
from server.sessions.intents import Act, Drive, Finish, Ready, Say
from server.sessions.spec import TICK_RATE, Ending
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    ask,
    core_of,
    episode_spec,
    play,
    started,
    task,
)


def _kinds(core: SessionCore) -> tuple[str, str]:
    """Return a cup and a plate of task 2."""
    cup = next(h for h in core.world.objects if h.startswith("cup"))
    plate = next(h for h in core.world.objects if h.startswith("plate_"))
    return cup, plate


# Start


def test_nobody_moves_or_acts_before_everybody_is_ready() -> None:
    core = core_of()
    cup, _ = _kinds(core)
    before = core.world.digest()
    core.submit(HUMAN, Ready())
    core.submit(HUMAN, Drive(1.5, 0.0))
    refused = ask(core, HUMAN, Act(1, "pick", cup))
    assert refused is not None
    assert (refused.rule, refused.reason) == (
        "started",
        "It has not begun yet: wait for your partner",
    )
    for _ in range(30):
        assert core.step().changes == ()
    assert core.phase == "gathering"
    assert core.world.digest() == before
    core.submit(ROBOT, Ready())
    tick = core.step()
    assert PhaseChanged("running") in tick.events
    assert core.started_tick == tick.tick == core.tick == 32
    # The drive that was held all the while counts from here on.
    assert [type(c) for c in core.step().changes] == [AgentMoved]


def test_solo_starts_with_one_and_the_empty_body_never_moves() -> None:
    core = core_of(solo=True)
    robot = core.world.agents[ROBOT]
    refused = core.state.seats[ROBOT]
    assert (refused.occupied, refused.presence) == (False, "empty")
    core.submit(ROBOT, Drive(1.0, 0.0))
    core.submit(HUMAN, Ready())
    core.step()
    assert core.phase == "running"
    core.submit(ROBOT, Drive(1.0, 0.0))
    core.submit(ROBOT, Finish())
    tick = core.step()
    assert all(h.refusal is not None for h in tick.intents)
    assert core.world.agents[ROBOT] == robot
    assert core.phase == "running"


def test_who_leaves_for_good_is_not_waited_for() -> None:
    core = core_of()
    core.submit(HUMAN, Ready())
    core.step()
    core.set_presence(ROBOT, "gone")
    core.step()
    assert core.phase == "running"


def test_reconnecting_while_gathering_takes_readiness_back() -> None:
    core = core_of()
    core.submit(HUMAN, Ready())
    core.set_presence(HUMAN, "reconnecting", 20.0)
    tick = core.step()
    assert PresenceChanged(HUMAN, "reconnecting", 20.0) in tick.events
    core.set_presence(HUMAN, "connected")
    core.submit(ROBOT, Ready())
    core.step()
    assert core.phase == "gathering"
    assert core.seats[HUMAN].presence == "loading"


def test_everybody_gone_ends_the_episode_before_it_started() -> None:
    core = core_of()
    core.set_presence(HUMAN, "gone")
    core.set_presence(ROBOT, "gone")
    tick = core.step()
    assert PhaseChanged("ended", "left") in tick.events
    result = core.result()
    assert (result.reason, result.ticks, result.verdict.percent_complete) == ("left", 0, 0.0)
    assert result.verdict.finished


# End


def test_finish_can_be_withdrawn_until_all_have_finished() -> None:
    core = started()
    core.submit(HUMAN, Finish())
    assert FinishChanged(HUMAN, True) in core.step().events
    core.submit(HUMAN, Finish(False))
    assert FinishChanged(HUMAN, False) in core.step().events
    core.submit(ROBOT, Finish())
    core.step()
    phase = core.phase
    assert phase == "running"
    core.submit(HUMAN, Finish())
    tick = core.step()
    assert tick.events[-1] == PhaseChanged("ended", "finished")
    assert core.phase == "ended"
    assert ask(core, HUMAN, Finish(False)) is not None
    assert core.result().verdict.finished


def test_a_seat_that_is_gone_need_not_finish() -> None:
    core = started()
    core.submit(HUMAN, Finish())
    core.step()
    core.set_presence(ROBOT, "reconnecting", 30.0)
    core.step()
    assert core.phase == "running"
    core.set_presence(ROBOT, "gone")
    core.step()
    assert core.result().reason == "finished"


@pytest.mark.parametrize("phase", ["gathering", "running", "paused"])
def test_an_episode_that_nobody_follows_is_abandoned_in_any_phase(phase: str) -> None:
    core = (
        core_of(pause_while_away=True) if phase == "gathering" else started(pause_while_away=True)
    )
    if phase == "paused":
        core.set_presence(HUMAN, "reconnecting", 20.0)
        core.step()
    assert core.phase == phase
    core.end("abandoned")
    assert PhaseChanged("ended", "abandoned") in core.step().events
    result = core.result()
    assert (result.reason, result.verdict.status) == ("abandoned", "ok")
    core.end("abandoned")
    core.step()
    assert core.result() == result


def test_who_is_away_themselves_is_not_told_to_wait_for_the_partner() -> None:
    core = started(pause_while_away=True)
    core.set_presence(HUMAN, "away", 60.0)
    core.step()
    core.submit(HUMAN, Finish())
    core.submit(ROBOT, Finish())
    told = {e.to: e.reason for e in core.step().events if isinstance(e, Refused)}
    assert told == {HUMAN: "You were away: do it again", ROBOT: "It waits for your partner"}
    core.set_presence(HUMAN, "connected")
    core.submit(HUMAN, Finish())
    core.step()
    assert core.seats[HUMAN].finished


def test_all_seats_gone_end_the_episode() -> None:
    core = started()
    core.set_presence(ROBOT, "gone")
    core.step()
    assert core.phase == "running"
    core.set_presence(HUMAN, "gone")
    core.step()
    assert core.result().reason == "left"


def test_time_limit() -> None:
    core = started(time_limit_s=2.0)
    assert core.time_limit_ticks == 2 * TICK_RATE
    steps = 0
    while core.phase == "running":
        core.step()
        steps += 1
    assert steps == 2 * TICK_RATE
    assert (core.result().reason, core.result().ticks) == ("time_limit", 60)


def test_operator_ends_the_episode() -> None:
    core = started()
    core.end("operator")
    core.step()
    assert core.result().reason == "operator"


@pytest.mark.parametrize("end_on_success", [False, True])
def test_success_ends_the_episode_only_as_an_option(end_on_success: bool) -> None:
    core = core_of(task(5), solo=True, end_on_success=end_on_success)
    steps = [s for s in solve(core) if not isinstance(s, Done)]
    play(core, {HUMAN: [*steps, Rest(60), Done()]})
    assert core.result().reason == ("success" if end_on_success else "finished")
    assert core.result().verdict.success


def test_result_needs_an_ended_episode() -> None:
    with pytest.raises(ValueError, match="phase is running"):
        started().result()


def test_nothing_happens_after_the_end_but_talk() -> None:
    core = started()
    cup, _ = _kinds(core)
    core.submit(HUMAN, Drive(1.0, 0.0))
    core.end("operator")
    core.step()
    digest = core.world.digest()
    refused = ask(core, HUMAN, Act(1, "pick", cup))
    assert (refused and refused.reason) == "The task is over"
    core.submit(HUMAN, Say("well done"))
    assert Said(HUMAN, "well done") in core.step().events
    assert core.world.digest() == digest


# The next episode


def test_next_episode_of_a_session() -> None:
    core = started()
    with pytest.raises(ValueError, match="phase is running"):
        core.begin(episode_spec(task(3), "epi_2"), task(3))
    core.submit(HUMAN, Say("ready?"))
    core.submit(HUMAN, Finish())
    core.set_presence(ROBOT, "gone")
    core.step()
    tick = core.tick
    core.begin(episode_spec(task(3), "epi_2"), task(3))
    phase = core.phase
    assert phase == "gathering"
    assert core.task_text == task(3).instruction
    assert (core.tick, core.started_tick) == (tick, None)
    assert [c.text for c in core.chat] == ["ready?"]
    assert {s: v.presence for s, v in core.seats.items()} == {ROBOT: "gone", HUMAN: "loading"}
    assert not core.seats[HUMAN].finished
    core.submit(HUMAN, Ready())
    core.step()
    assert core.phase == "running"
    assert core.started_tick == tick + 1
    assert core.state.chat_shown_after < 0
    # Another try at the same task: what was said in the first one is shown no more.
    core.submit(HUMAN, Finish())
    core.step()
    core.begin(episode_spec(task(3), "epi_3", try_index=1), task(3))
    assert core.state.chat_shown_after == core.tick


def test_whoever_was_gone_before_an_episode_never_came_to_it() -> None:
    core = core_of(ending=Ending())
    for seat in (HUMAN, ROBOT):
        core.submit(seat, Ready())
    core.step()
    core.set_presence(ROBOT, "gone")
    core.submit(HUMAN, Finish())
    core.step()
    assert set(core.result().gone) == {ROBOT}
    core.begin(episode_spec(task(3), "epi_2"), task(3))
    core.submit(HUMAN, Ready())
    for _ in range(40):
        core.step()
    core.submit(HUMAN, Finish())
    core.step()
    result = core.result()
    assert result.reason == "finished"
    assert result.gone == {ROBOT: result.ticks}


def test_close_is_idempotent() -> None:
    core = core_of()
    core.close()
    core.close()
