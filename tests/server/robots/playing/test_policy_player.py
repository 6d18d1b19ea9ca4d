"""Policy in a seat: what it is shown, what becomes of its decisions, and that nothing waits."""

from __future__ import annotations

import asyncio
import gc
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from episodes.evaluation import Verdict
from episodes.evaluation.evaluator import Evaluator
from episodes.seats import PAIR
from episodes.world import WorldState
from server.recording.log_records import ModelCalled
from server.recording.log_writer import LogWriter
from server.recording.recordings import read_recording
from server.recording.traces import trace_of
from server.robots.baselines.random_moves import RandomMoves
from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak, Take
from server.robots.models.request import UnavailableError
from server.robots.playing.failures import NO_ANSWER, RETRY_TICKS, in_brief
from server.robots.playing.knowledge import LOOK_TICKS
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import CancelledItselfError, ChargedThinker, ConcurrentThinker
from server.robots.policies.cohab.policy import Cohab
from server.robots.policies.cohab.settings import CohabSettings
from server.robots.policies.react.policy import React
from server.robots.policy import Decision, Do, Finished, Pause, PolicyView, SayLine
from server.sessions.core import SessionCore
from server.sessions.spec import TICK_RATE, SeatSpec
from server.skills import SUCCESS, failure
from server.skills.registry import WAIT_TICKS
from server.worker.unpaced_runner import run
from tests.server.robots.prepared_policy import PreparedPolicy, play
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, in_the_open, task


def cup_of(view: PolicyView) -> str:
    names = view.graph.names.graph
    return next(n for h, n in names.items() if h in view.graph.objects)


def first_room(view: PolicyView) -> str:
    return view.graph.names.graph[view.graph.scene.rooms[0].room_id]


def test_decisions_become_calls_whose_results_are_shown(loop: Any) -> None:
    policy = PreparedPolicy(
        [
            lambda view: Do(
                f"Explore[{view.graph.names.graph[view.graph.scene.rooms[0].room_id]}]"
            ),
            lambda view: Do(f"Navigate[{cup_of(view)}]"),
            Do("Juggle[cup_1]"),
            Do("Clean[cup_1]"),
        ]
    )
    player, core = play(loop, policy)
    assert player.finished
    assert core.phase == "ended"
    last = policy.views[-1].history
    assert [p.response for p in last][:2] == [SUCCESS, SUCCESS]
    assert last[2].response == failure('Tool "Juggle" not found')
    # A robot has no hands for that.
    assert last[3].response == failure('Tool "Clean" not found')
    assert last[0].ended > last[0].began
    assert policy.views[0].instruction == core.task_text


def test_latency_is_charged_in_ticks(loop: Any) -> None:
    slow = PreparedPolicy([Pause(1)])
    play(loop, slow, latency_s=2.0)
    asked = [view.tick for view in slow.views]
    assert asked[1] - asked[0] >= 2 * TICK_RATE


def test_a_failing_policy_is_asked_again_later_and_later(loop: Any) -> None:
    policy = PreparedPolicy([RuntimeError("no"), RuntimeError("no"), Finished()])
    player, _ = play(loop, policy)
    ticks = [view.tick for view in policy.views]
    assert ticks[1] - ticks[0] >= RETRY_TICKS
    assert ticks[2] - ticks[1] >= 2 * RETRY_TICKS
    assert player.finished
    assert [c.error for c in player.take_calls()][:2] == ["RuntimeError('no')"] * 2


def test_who_only_fails_gives_up_where_it_may(loop: Any) -> None:
    told: dict[float | None, str] = {}
    for most_s in (None, 30.0):
        policy = PreparedPolicy([RuntimeError("no")] * 40)
        human = ScriptedPlayer(HUMAN, [Rest(4000), Done()])
        player, _ = play(loop, policy, human, max_ticks=3000, gives_up_s=most_s)
        assert player.status == NO_ANSWER
        assert player.trouble is not None
        assert player.trouble.times == len(policy.views)
        told[most_s] = player.gave_up
    assert told == {None: "", 30.0: "no decision for 30 s: RuntimeError('no')"}


def test_an_error_has_a_place_only_where_a_program_is_wrong() -> None:
    told = []
    for error in (UnavailableError("nobody answers\nat all"), ValueError("no number")):
        try:
            raise error
        except type(error) as raised:
            told.append(in_brief(raised))
    assert told[0] == "nobody answers"
    assert re.fullmatch(r"ValueError: no number \(test_policy_player.py, line \d+\)", told[1])


def test_one_decision_that_does_not_fail_begins_anew(loop: Any) -> None:
    wrong = [RuntimeError("no")] * 4
    policy = PreparedPolicy([*wrong, Pause(1), *wrong, Pause(1000)])
    human = ScriptedPlayer(HUMAN, [Rest(4000), Done()])
    player, _ = play(loop, policy, human, max_ticks=2400, gives_up_s=40.0)
    assert player.gave_up == ""
    assert player.trouble is None
    assert player.status == "waiting"


def test_a_pause_ends_when_the_partner_does_something(loop: Any) -> None:
    policy = PreparedPolicy([Pause(3000)])
    human = ScriptedPlayer(HUMAN, [Rest(100), Speak("come here"), Done()])
    play(loop, policy, human)
    assert [h.text for h in policy.views[1].chat] == ["come here"]
    assert policy.views[1].tick - policy.views[0].tick < 200


def test_a_pause_that_something_came_before_is_none(loop: Any) -> None:
    """The partner speaks after the policy was asked and before its answer counts."""
    policy = PreparedPolicy([Pause(3000)])
    human = ScriptedPlayer(HUMAN, [Rest(30), Speak("come here"), Rest(4000), Done()])
    play(loop, policy, human, latency_s=4.0)
    assert [h.text for h in policy.views[1].chat] == ["come here"]
    assert policy.views[1].tick - policy.views[0].tick == 4 * TICK_RATE + 1


def test_what_it_says_is_heard(loop: Any) -> None:
    _, core = play(loop, PreparedPolicy([SayLine("I take the plate")]))
    assert [c.text for c in core.chat] == ["I take the plate"]


def test_the_partners_acts_are_seen_as_calls(loop: Any) -> None:
    core = core_of(task(2))
    thing = in_the_open(core)
    policy = PreparedPolicy([Pause(100)] * 8)
    play(loop, policy, ScriptedPlayer(HUMAN, [Take(thing), Done()]), core=core)
    acts = [a.text for a in policy.views[-1].partner_acts]
    assert f"Pick[{core.names.graph[thing]}]" in acts


def test_what_cannot_be_seen_is_not_known(loop: Any) -> None:
    policy = PreparedPolicy([Pause(10)])
    _, core = play(loop, policy, shares_views=False, partner="seen")
    view = policy.views[0]
    assert set(view.graph.objects) < set(core.world.objects)
    unseen = set(core.world.objects) - set(view.graph.objects)
    # It is not known even by name.
    assert not unseen & set(view.graph.names.graph)
    for handle in unseen:
        assert view.graph.find(core.names.graph[handle]) is None


def test_full_observability_knows_everything(loop: Any) -> None:
    policy = PreparedPolicy([])
    _, core = play(loop, policy, observability="full")
    assert set(policy.views[0].graph.objects) == set(core.world.objects)


def test_nothing_of_the_session_can_be_reached_from_a_view(loop: Any) -> None:
    policy = PreparedPolicy([Pause(5)])
    play(loop, policy)
    seen: set[int] = set()
    todo: list[Any] = [policy.views[0]]
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, type):
            continue
        seen.add(id(thing))
        assert not isinstance(thing, SessionCore | Evaluator | Verdict | WorldState), thing
        if not callable(thing) and type(thing).__name__ != "module":
            todo += gc.get_referents(thing)
    assert len(seen) > 100


def test_the_cap_of_decisions_ends_it(loop: Any) -> None:
    policy = PreparedPolicy([Pause(1)] * 50)
    player, _ = play(loop, policy, max_decisions=7)
    assert len(policy.views) == 7
    assert player.finished


def test_an_answer_that_the_world_has_overtaken_is_noted(loop: Any) -> None:
    core = core_of(task(2))
    thing = in_the_open(core)
    name = core.names.graph[thing]
    policy = PreparedPolicy([Do(f"Navigate[{name}]"), Do(f"Navigate[{name}]")])
    human = ScriptedPlayer(HUMAN, [Take(thing), Rest(600), Done()])
    player, _ = play(loop, policy, human, core=core, latency_s=12.0, observability="full")
    calls = player.take_calls()
    assert calls[0].overtaken
    assert calls[0].applied_tick is not None
    assert calls[0].applied_tick - calls[0].asked_tick >= 12 * TICK_RATE
    # The model is not asked again where that is not wanted (`test_overtaken`).
    assert calls[0].stale == ""
    assert policy.views[-1].history[0].response.startswith("Unexpected failure!")


def test_beside_the_loop_nothing_waits() -> None:
    class Slow(PreparedPolicy):
        async def decide(self, view: PolicyView) -> Decision:
            await asyncio.sleep(30.0)
            return Finished()

    async def session() -> int:
        core = core_of(task(2))
        player = PolicyPlayer(ROBOT, Slow([]), ConcurrentThinker())
        human = ScriptedPlayer(HUMAN, [Rest(300), Done()])
        run(core, [player, human], 400)
        await asyncio.sleep(0)
        assert player.status == "thinking"
        player.close()
        await asyncio.sleep(0)
        return core.tick

    assert asyncio.run(session()) == 400


def test_a_call_does_not_go_on_after_the_end(loop: Any) -> None:
    core = core_of(task(2))
    player = PolicyPlayer(ROBOT, PreparedPolicy([Do("Wait[]")]), ChargedThinker(loop, 0.0))
    run(core, [player, ScriptedPlayer(HUMAN, [Rest(300), Done()])], 60)
    core.end("operator")
    for _ in range(WAIT_TICKS + 1):
        player.see(core.step())
    assert core.phase == "ended"
    assert player.take_skills() == []


def test_a_decision_that_cancels_itself_has_failed() -> None:
    class Confused(PreparedPolicy):
        async def decide(self, view: PolicyView) -> Decision:
            self.views.append(view)
            raise asyncio.CancelledError

    async def beside() -> PolicyPlayer:
        player = PolicyPlayer(ROBOT, Confused([]), ConcurrentThinker())
        core = core_of(task(2))
        for _ in range(20):
            run(core, [player, ScriptedPlayer(HUMAN, [Rest(300), Done()])], 1)
            await asyncio.sleep(0)
        return player

    assert isinstance(asyncio.run(beside()).last_failure, CancelledItselfError)
    inner = asyncio.new_event_loop()
    try:
        player, _ = play(inner, Confused([]), max_ticks=20)
    finally:
        inner.close()
    assert isinstance(player.last_failure, CancelledItselfError)


def test_nobody_complains_of_a_failure_that_nobody_waited_for() -> None:
    complaints: list[dict[str, Any]] = []

    async def session() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))

        async def fails() -> Decision:
            raise RuntimeError("no")

        thought = ConcurrentThinker().start(fails(), 0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert thought.is_over()
        del thought
        gc.collect()

    asyncio.run(session())
    assert complaints == []


def test_random_moves_play_to_their_end(loop: Any) -> None:
    player, core = play(loop, RandomMoves(3, moves=6), max_ticks=12_000)
    assert player.finished
    assert player.decisions == 7
    assert core.phase == "ended"


def test_P5_model_calls_are_in_the_log_and_in_the_metrics(loop: Any, tmp_path: Path) -> None:
    core = core_of(
        task(2),
        seats=tuple(SeatSpec(s, True, "told" if s.kind == "robot" else "scripted") for s in PAIR),
    )
    policy = PreparedPolicy([Pause(1), Pause(1)])
    player = PolicyPlayer(ROBOT, policy, ChargedThinker(loop, 0.5))
    path = tmp_path / "ses_1.jsonl"
    with path.open("wb") as file:
        log = LogWriter(file)
        log.open_episode(core, 0.0)
        run(core, [player, ScriptedPlayer(HUMAN, [Done()])], 3000, log=log)
        log.close(100.0)
    (recording,) = read_recording(path)
    calls = [line.call for line in recording.decoded() if isinstance(line, ModelCalled)]
    assert [c.completion for c in calls] == ["Pause(ticks=1)", "Pause(ticks=1)", "Finished()"]
    assert all(c.seat == ROBOT and c.applied_tick is not None for c in calls)
    assert all((c.applied_tick or 0) - c.asked_tick == 15 for c in calls)
    robot, human = trace_of(recording).seats
    assert (robot.actor, robot.planning_cycles) == ("llm", 3)
    assert (human.actor, human.planning_cycles) == ("program", None)


def test_a_call_tells_how_old_was_what_it_was_shown(loop: Any) -> None:
    """Bodies look around several times a second; answers that take long change nothing of it."""
    policy = PreparedPolicy([Pause(n) for n in range(1, 12)])
    player, _ = play(loop, policy, latency_s=1.0)
    calls = player.take_calls()
    ages = [call.asked_tick - call.observed_tick for call in calls]
    assert [call.observed_tick for call in calls] == [v.observed_tick for v in policy.views]
    assert set(ages) <= set(range(LOOK_TICKS))
    assert len(set(ages)) > 1


def test_what_is_asked_first_is_about_the_home_as_it_is_then(loop: Any) -> None:
    """The policy came long before its partner had loaded."""
    core = core_of(task(2))
    policy = PreparedPolicy([])
    player = PolicyPlayer(ROBOT, policy, ChargedThinker(loop, 0.0))
    for _ in range(100):
        for intent in player.intents(core):
            core.submit(ROBOT, intent)
        player.see(core.step())
    assert policy.views == []
    run(core, [player, ScriptedPlayer(HUMAN, [Done()])], 60)
    (view,) = policy.views
    assert 0 <= view.tick - view.observed_tick <= LOOK_TICKS


@pytest.mark.parametrize("policy", [React, partial(Cohab, options=CohabSettings(sets_out=False))])
async def test_what_is_asked_when_an_episode_ends_is_in_the_log_all_the_same(policy: Any) -> None:
    class Hangs:
        async def complete(self, request: Any) -> Any:
            await asyncio.Event().wait()

    core = core_of(task(2))
    player = PolicyPlayer(ROBOT, policy(Hangs()), ConcurrentThinker())
    human = ScriptedPlayer(HUMAN, [Rest(300), Done()])
    for number in range(40):
        if number == 30:
            core.end("operator")
        run(core, [player, human], 1)
        await asyncio.sleep(0)
    (call,) = player.take_calls()
    assert (call.stale, call.applied_tick) == ("the episode is over", None)
    assert call.error.startswith("Abandoned")
    assert call.prompt
    assert call.latency_s > 0
