"""Facts: those of the simulator at every tick, though almost nothing is asked again."""

from __future__ import annotations

import math
import random

import pytest

from episodes.evaluation import Cell
from episodes.world import AgentPose, HolderChanged, SupportChanged
from server.robots.baselines.expert import solve
from server.robots.baselines.scripted_player import ScriptedPlayer
from server.sessions.core import SessionCore
from server.sessions.facts import FactChanged, FactTable, LiveFacts, Question, questions_of
from server.sessions.intents import Drive, Look
from server.simulators.household import HouseholdSimulator
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    core_of,
    simulator,
    started,
    task,
    teleport,
)


def _direct(core: SessionCore, question: Question) -> bool:
    """Ask the simulator without any short cut."""
    sim, a = core.simulator, question.args[0]
    match question.method:
        case "is_above":
            return question.args[1] in sim.above(a)
        case "is_within":
            return question.args[1] in sim.within(a)
        case "in_room":
            return sim.in_room(a, question.args[1])
        case "on_floor":
            return sim.on_floor(a)
        case "gap":
            assert question.threshold is not None
            return sim.gap(a, question.args[1]) <= question.threshold
        case _:
            return core.world.states[a, question.args[1]]


def _check(core: SessionCore, table: FactTable) -> None:
    for number, question in enumerate(table.questions):
        assert table.values[number] == _direct(core, question), question


@pytest.mark.parametrize("number", [1, 2, 4, 6])
def test_facts_are_the_simulators_at_every_tick(number: int) -> None:
    core = core_of(task(number), solo=True)
    ticks = 0

    def check(_: object) -> None:
        nonlocal ticks
        ticks += 1
        if ticks % 3 == 0:
            _check(core, core.scorer.facts)

    run(core, [ScriptedPlayer(HUMAN, solve(core))], 4000, watch=check)
    assert core.verdict().success


def test_all_kinds_of_questions_while_things_are_carried_about() -> None:
    core = started(task(6))
    objects = list(core.world.objects)[:5]
    rooms = [r.room_id for r in core.simulator.scene.rooms]
    furniture = [f.handle for f in core.simulator.scene.furniture]
    questions = [Question("on_floor", (o,)) for o in objects]
    questions += [Question("in_room", (o, r)) for o in objects for r in rooms]
    questions += [Question(m, (o, f)) for o in objects for f in furniture
                  for m in ("is_above", "is_within")]  # fmt: skip
    questions += [Question("gap", (o, f), 0.5) for o in objects for f in furniture]
    questions += [Question("gap", (objects[0], o), t) for o in objects[1:] for t in (0.2, 1.0)]
    questions += [Question("is_above", (objects[0], o)) for o in objects[1:]]
    table = LiveFacts(questions, core.simulator, core.world)
    table.ask_all()
    _check(core, table)
    for seat, handle in zip((HUMAN, ROBOT), objects[:2], strict=True):
        core.state.change(SupportChanged(handle, None))
        core.state.change(HolderChanged(handle, seat))
        core.simulator.set_pose(handle, core.world.pose(handle))
    rng = random.Random(3)
    for step in range(400):
        if step % 20 == 0:
            for seat in (HUMAN, ROBOT):
                core.submit(seat, Drive(1.5, 0.0))
                core.submit(seat, Look(rng.uniform(-3, 3), 0.0))
        core.step()
        table.refresh(objects[:2])
        if step % 8 == 0:
            _check(core, table)


def test_opening_a_part_asks_again_about_its_furniture() -> None:
    core = started(task(1))
    handle = next(h for h in core.world.objects if core.shut_in(h))
    surface = core.view.receptacle_of(handle)
    assert surface is not None
    assert surface.part is not None
    chest = surface.furniture.handle
    questions = [Question("is_within", (handle, chest)), Question("is_above", (handle, chest))]
    table = LiveFacts(questions, core.simulator, core.world)
    table.ask_all()
    core.effects.begin()
    core.effects.set_part(HUMAN, chest, surface.part.index, True)
    table.refresh(core.effects.by)
    _check(core, table)


def test_only_answers_that_differ_are_told() -> None:
    core = started(task(2))
    handle = next(h for h in core.world.objects if h.startswith("plate_"))
    room = next(r.room_id for r in core.simulator.scene.rooms if r.class_name == "bedroom")
    table = LiveFacts([Question("in_room", (handle, room))], core.simulator, core.world)
    assert table.ask_all() == [FactChanged(0, False)]
    assert table.refresh([handle]) == []
    assert table.refresh(["something else"]) == []
    teleport(core, HUMAN, _in_room(core, room))
    core.state.change(HolderChanged(handle, HUMAN))
    core.simulator.set_pose(handle, core.world.pose(handle))
    assert table.refresh([handle]) == [FactChanged(0, True)]
    assert table.everything() == [FactChanged(0, True)]


def _in_room(core: SessionCore, room_id: str) -> AgentPose:
    room = next(r for r in core.simulator.scene.rooms if r.room_id == room_id)
    x = sum(p[0] for p in room.polygon) / len(room.polygon)
    z = sum(p[1] for p in room.polygon) / len(room.polygon)
    point = core.simulator.nearest_walkable((x, 0.0, z))
    assert point is not None
    return AgentPose(point, 0.0, 0.0)


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        (Question("is_above", ("ghost_1_:0000", "couch_1_:0000")), "the scene has no 'ghost_1_"),
        (Question("is_above", ("{cup}", "ghost_1_:0000")), "the scene has no 'ghost_1_"),
        (Question("in_room", ("{cup}", "attic.000")), "the scene has no room 'attic.000'"),
        (Question("state", ("{cup}", "is_powered_on")), "cannot have the state 'is_powered_on'"),
    ],
)
def test_questions_without_an_answer_raise_when_asked(question: Question, problem: str) -> None:
    core = started(task(2))
    cup = next(h for h in core.world.objects if h.startswith("cup"))
    question = Question(question.method, tuple(a.replace("{cup}", cup) for a in question.args))
    table = LiveFacts([question], core.simulator, core.world)
    (change,) = table.ask_all()
    assert change.value is None
    with pytest.raises(LookupError, match=problem):
        getattr(table, question.method)(*question.args)
    # A record of it says the same, word for word.
    record = FactTable([question])
    record.learn([change])
    with pytest.raises(LookupError, match=problem):
        getattr(record, question.method)(*question.args)


def test_a_broken_simulator_does_not_end_the_session() -> None:
    class Broken(HouseholdSimulator):
        def above(self, entity: str) -> frozenset[str]:
            raise RuntimeError("no rays today")

    core = core_of(task(1))
    broken = Broken(simulator()._library)
    core = SessionCore(core.spec, core.episode_spec, core.task, broken)
    for _ in range(3):
        core.step()
    core.end("operator")
    core.step()
    verdict = core.result().verdict
    if verdict.status == "unavailable":
        assert "no rays today" in (verdict.reason or "")


def test_gap_answers_with_the_smallest_threshold_kept() -> None:
    cells = [Cell("gap", ("a", "b"), t) for t in (0.5, 0.2, 1.0)]
    table = FactTable(questions_of(cells))
    by_threshold = {q.threshold: i for i, q in enumerate(table.questions)}
    table.learn([FactChanged(i, t == 1.0) for t, i in by_threshold.items()])
    assert table.gap("a", "b") == table.gap("b", "a") == 1.0
    table.learn([FactChanged(by_threshold[0.5], True)])
    assert table.gap("a", "b") == 0.5
    table.learn([FactChanged(i, False) for i in by_threshold.values()])
    assert table.gap("a", "b") == math.inf


def test_negated_and_repeated_cells_share_a_question() -> None:
    cells = [
        Cell("state", ("a", "is_clean")),
        Cell("state", ("a", "is_clean"), negated=True),
        Cell("is_above", ("a", "b")),
    ]
    assert questions_of(cells) == (
        Question("state", ("a", "is_clean")),
        Question("is_above", ("a", "b")),
    )
