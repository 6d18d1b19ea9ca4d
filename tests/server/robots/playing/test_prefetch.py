"""The next decision is asked for while a skill runs; what it had assumed wrongly does not count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak, Take
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker, ConcurrentThinker
from server.robots.policies.react.policy import React
from server.robots.policy import Decision, Do, Finished, Pause, Policy, PolicyView
from server.robots.registry.registry import POLICIES
from server.sessions.core import SessionCore
from server.sessions.policy_records import CallRecord
from server.sessions.results import EpisodeResult
from server.sessions.spec import TICK_RATE
from server.skills import SUCCESS
from server.skills.call import Call
from server.worker.unpaced_runner import run
from tests.robot_doubles.partnr import PartnrDouble
from tests.server.robots.call_recorder import CallRecorder
from tests.server.robots.passive_person import passive_person
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, in_the_open, task

Answer = Callable[[PolicyView], Decision]


class CountingPolicy(CallRecorder):
    """Policy that decides by the number of past calls; a copy notes only what the copy decides."""

    name = "plans"

    def __init__(self, answers: list[Answer], shown: list[PolicyView] | None = None) -> None:
        self.answers = answers
        self.shown = [] if shown is None else shown
        self.noted: list[str] = []
        super().__init__()
        self.refuses = ""

    def ahead(self, doing: Call) -> CountingPolicy | None:
        if str(doing).startswith(self.refuses or "-"):
            return None
        other = CountingPolicy(self.answers, self.shown)
        other.noted = list(self.noted)
        return other

    async def decide(self, view: PolicyView) -> Decision:
        self.shown.append(view)
        number = len(view.history)
        answer = self.answers[number](view) if number < len(self.answers) else Finished()
        self.noted.append(str(answer))
        self.note(answer)
        return answer


def play(
    loop: asyncio.AbstractEventLoop,
    policy: Any,
    *others: Any,
    core: SessionCore | None = None,
    latency_s: float = 1.0,
    **seating: Any,
) -> tuple[PolicyPlayer, SessionCore]:
    core = core or core_of(task(2))
    sits = SeatOptions(**{"prefetch": True, "observability": "full", **seating})
    player = PolicyPlayer(ROBOT, policy, ChargedThinker(loop, latency_s), sits)
    run(core, [player, *(others or (ScriptedPlayer(HUMAN, [Done()]),))], 12_000)
    return player, core


def rooms_of(core: SessionCore) -> list[str]:
    return [core.names.graph[r.room_id] for r in core.simulator.scene.rooms]


def walks(core: SessionCore, count: int) -> list[Answer]:
    rooms = rooms_of(core)[::-1]
    return [lambda _view, n=n: Do(f"Navigate[{rooms[n]}]") for n in range(count)]  # type: ignore[misc]


def test_the_next_call_begins_when_the_one_before_ends(loop: Any) -> None:
    core = core_of(task(2))
    policy = CountingPolicy(walks(core, 3))
    player, _ = play(loop, policy, core=core)
    one, two, three = player.take_skills()
    assert (two.began, three.began) == (one.ended + 1, two.ended + 1)
    calls = player.take_calls()
    assert [c.prefetched for c in calls] == [False, True, True, True]
    assert [c.stale for c in calls] == [""] * 4
    # The copy was asked while the call before ran, and told what that was expected to come to.
    assert one.began <= calls[1].asked_tick < one.ended
    view = policy.shown[1]
    assert (str(view.doing), view.history[-1].response) == (one.call, SUCCESS)
    assert calls[1].applied_tick == two.began
    assert player.decisions == 4


def test_without_it_every_call_waits_for_its_decision(loop: Any) -> None:
    core = core_of(task(2))
    player, _ = play(loop, CountingPolicy(walks(core, 2)), core=core, prefetch=False)
    one, two = player.take_skills()
    assert two.began - one.ended >= TICK_RATE
    assert not any(c.prefetched for c in player.take_calls())


def test_an_answer_later_than_the_call_is_waited_for(loop: Any) -> None:
    core = core_of(task(2))
    player, _ = play(loop, CountingPolicy(walks(core, 2)), core=core, latency_s=20.0)
    one, two = player.take_skills()
    assert two.began > one.ended + 1
    assert two.began == player.take_calls()[1].asked_tick + 20 * TICK_RATE


def test_after_a_failure_it_is_asked_anew(loop: Any) -> None:
    core = core_of(task(2))
    names = core.names.graph
    thing = names[next(iter(core.world.objects))]
    # That is found out only when the thing is carried there.
    flat = next(h for h, found in core.surfaces.of.items()
                if all(surface.receptacle.kind == "on" for surface in found))  # fmt: skip
    answers: list[Answer] = [
        lambda _view: Do(f"Rearrange[{thing}, within, {names[flat]}, none, none]"),
        lambda view: Pause(1) if len(policy.shown) < 3 else Finished(),
    ]
    policy = CountingPolicy(answers)
    player, _ = play(loop, policy, core=core)
    (skill,) = player.take_skills()
    assert skill.response != SUCCESS
    calls = player.take_calls()
    assert calls[1].prefetched
    assert calls[1].stale == f"{skill.call} failed"
    assert calls[1].applied_tick is None
    assert not calls[2].prefetched
    assert policy.shown[2].history[-1].response == skill.response
    # What the copy noted is gone with it.
    assert len(player.policy.noted) == len(calls) - 1  # type: ignore[attr-defined]


def test_what_is_said_meanwhile_makes_it_stale(loop: Any) -> None:
    core = core_of(task(2))
    human = ScriptedPlayer(HUMAN, [Rest(40), Speak("come here"), Rest(400), Done()])
    player, _ = play(loop, CountingPolicy(walks(core, 2)), human, core=core)
    calls = player.take_calls()
    assert calls[1].stale == "something was said"
    assert not calls[2].stale
    assert [s.call for s in player.take_skills()] == [
        f"Navigate[{room}]" for room in rooms_of(core)[:-3:-1]
    ]


def test_what_the_partner_took_meanwhile_makes_it_stale(loop: Any) -> None:
    core = core_of(task(2))
    thing = in_the_open(core)
    name = core.names.graph[thing]
    far = rooms_of(core)[-1]

    def then(view: PolicyView) -> Decision:
        held = view.graph.objects[thing].place.kind == "agent"
        return Finished() if held else Do(f"Pick[{name}]")

    policy = CountingPolicy([lambda _view: Do(f"Navigate[{far}]"), then])
    human = ScriptedPlayer(HUMAN, [Rest(640), Take(thing), Rest(900), Done()])
    player, _ = play(loop, policy, human, core=core, latency_s=20.0)
    calls = player.take_calls()
    assert calls[1].stale == "the world had changed"
    assert calls[1].overtaken
    assert [s.call for s in player.take_skills()] == [f"Navigate[{far}]"]


def test_a_policy_may_refuse_and_another_cannot(loop: Any) -> None:
    core = core_of(task(2))
    refusing = CountingPolicy(walks(core, 2))
    refusing.refuses = "Navigate"
    player, _ = play(loop, refusing, core=core)
    assert not any(c.prefetched for c in player.take_calls())

    class Plain(Policy):
        name = "plain"

        def __init__(self) -> None:
            self.left = walks(core, 2)

        async def decide(self, view: PolicyView) -> Decision:
            return self.left.pop()(view) if self.left else Finished()

        def take_calls(self) -> list[CallRecord]:
            return []

    player, _ = play(loop, Plain())
    assert len(player.take_skills()) == 2


def test_the_cap_counts_early_decisions_too(loop: Any) -> None:
    core = core_of(task(2))
    policy = CountingPolicy(walks(core, 4))
    player, _ = play(loop, policy, core=core, max_decisions=2)
    assert player.decisions == len(policy.shown) == 2
    assert len(player.take_skills()) == 2
    assert player.finished


async def test_a_dropped_decision_is_cancelled_and_its_call_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Hangs:
        async def complete(self, request: Any) -> Any:
            await asyncio.Event().wait()

    core = core_of(task(2))
    react = React(Hangs())
    player = PolicyPlayer(
        ROBOT, CountingPolicy(walks(core, 1)), ConcurrentThinker(), SeatOptions(prefetch=True)
    )
    monkeypatch.setattr(player.policy, "ahead", lambda doing: react)
    human = ScriptedPlayer(HUMAN, [Rest(20), Speak("wait"), Rest(300), Done()])
    for _ in range(400):
        run(core, [player, human], 1)
        await asyncio.sleep(0)
        if player.finished:
            break
    stale = [call for call in player.take_calls() if call.stale]
    assert [call.stale for call in stale] == ["something was said"]
    assert stale[0].error.startswith("Abandoned")
    player.close()


def react_run(loop: Any, prefetch: bool) -> tuple[EpisodeResult, list[CallRecord]]:
    core = core_of(task(2))
    model = PartnrDouble.for_tasks([core])
    sits = SeatOptions(max_decisions=60, prefetch=prefetch)
    player = PolicyPlayer(ROBOT, React(model), ChargedThinker(loop, 4.0), sits)
    person = passive_person()
    result = run(core, [player, person], 20_000)
    assert result is not None
    return result, player.take_calls()


def test_react_solves_a_task_sooner_with_it(loop: Any) -> None:
    plain, _ = react_run(loop, prefetch=False)
    early, calls = react_run(loop, prefetch=True)
    assert plain.verdict.success
    assert early.verdict.success
    assert early.ticks < plain.ticks - 4 * TICK_RATE
    counted = [call for call in calls if not call.stale]
    assert sum(call.prefetched for call in counted) >= 2


PAPERS = ("partnr", "helperx", "paper")


def test_what_is_named_after_a_paper_does_not_ask_early() -> None:
    early = {
        f"{policy}:{name}"
        for policy, spec in POLICIES.items()
        for name, configuration in spec.presets.items()
        if configuration.seating.prefetch
    }
    assert "react:default" in early
    assert not [name for name in early if name.partition(":")[2].startswith(PAPERS)]
