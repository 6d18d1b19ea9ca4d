"""Whole tasks: solved, not done, done in the wrong order, done in part."""

from __future__ import annotations

import pytest

from server.robots.baselines.expert import solve
from server.robots.baselines.scripted_player import Change, Done, Put, Rest, Speak, Step, Take, Turn
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, play, task

TASKS = range(1, 7)


@pytest.mark.parametrize("number", TASKS)
def test_scripted_player_solves_the_task(number: int) -> None:
    core = core_of(task(number), solo=True)
    player = play(core, {HUMAN: solve(core)})[HUMAN]
    assert player.failure is None
    result = core.result()
    assert result.reason == "finished"
    assert result.verdict.percent_complete == 1.0
    assert result.verdict.success
    assert result.verdict.explanation == ""
    # The one person there did it all.
    assert {p.by_seat for p in result.verdict.propositions} == {HUMAN}


@pytest.mark.parametrize("number", TASKS)
def test_doing_nothing_achieves_nothing(number: int) -> None:
    core = core_of(task(number), solo=True)
    play(core, {HUMAN: [Rest(5), Done()]})
    verdict = core.result().verdict
    assert verdict.percent_complete == 0.0
    assert not verdict.success
    assert verdict.explanation_structure.category == "missing_steps"


def _put_away(steps: list[Step]) -> tuple[list[Step], list[Step]]:
    """Return the steps of a two-object task, by object."""
    second = [i for i, s in enumerate(steps) if isinstance(s, Take)][1]
    return steps[:second], [s for s in steps[second:] if not isinstance(s, Done)]


def test_wrong_order_is_a_broken_constraint_that_names_the_step() -> None:
    core = core_of(task(3), solo=True)
    first, second = _put_away(solve(core))
    player = play(core, {HUMAN: [*second, *first, Done()]})[HUMAN]
    assert player.failure is None
    verdict = core.result().verdict
    assert 0.0 < (verdict.percent_complete or 0.0) < 1.0
    assert verdict.explanation_structure.category == "constraints_broken"
    assert "Steps were completed out of order" in verdict.explanation
    assert '"hat" placed on top of the "bench"' in verdict.explanation


def test_a_step_left_out_is_a_missing_step() -> None:
    core = core_of(task(3), solo=True)
    first, _ = _put_away(solve(core))
    play(core, {HUMAN: [*first, Done()]})
    verdict = core.result().verdict
    assert verdict.percent_complete == 0.5
    assert verdict.explanation_structure.category == "missing_steps"
    assert '"hat" should have been placed on top of the "bench"' in verdict.explanation


def test_two_seats_share_a_task_and_are_credited() -> None:
    core = core_of(task(2))
    steps = solve(core)
    first, second = _put_away(steps)
    players = play(
        core,
        {
            HUMAN: [*first, Speak("the plate is there"), Done()],
            ROBOT: [Rest(500), *second, Done()],
        },
    )
    assert all(p.failure is None for p in players.values())
    verdict = core.result().verdict
    assert verdict.success
    assert {p.by_seat for p in verdict.propositions} == {HUMAN, ROBOT}
    assert [c.text for c in core.chat] == ["the plate is there"]


def test_the_robot_asks_in_vain() -> None:
    core = core_of(task(4))
    steps = solve(core)
    wash = next(s for s in steps if isinstance(s, Change))
    players = play(core, {ROBOT: [wash, Done()], HUMAN: [Rest(3000), Done()]}, max_ticks=3500)
    failure = players[ROBOT].failure
    assert failure is not None
    assert "Your robot cannot wash things: ask your partner" in str(failure)


def test_drawer_carries_what_lies_in_it_and_what_is_put_on_that() -> None:
    core = core_of(task(1), solo=True)
    book = next(h for h in core.world.objects if "book" in h and core.shut_in(h))
    surface = core.view.receptacle_of(book)
    assert surface is not None
    assert surface.receptacle.moves
    furniture, part = surface.furniture.handle, surface.receptacle.part
    closed = core.world.objects[book]
    play(core, {HUMAN: [Turn(furniture, True, part)]}, max_ticks=900)
    opened = core.world.objects[book]
    travel = surface.part.open_value if surface.part else 0.0
    moved = sum((a - b) ** 2 for a, b in zip(closed.position, opened.position, strict=True))
    assert moved**0.5 == pytest.approx(travel)
    assert core.simulator.pose(book) == opened
    assert core.shut_in(book) is None


def test_scripted_player_tells_why_it_stopped() -> None:
    core = core_of(task(1), solo=True)
    player = play(core, {HUMAN: [Put("couch_1_:0000", "on")]}, max_ticks=50)[HUMAN]
    assert player.finished
    assert str(player.failure) == "human_0 has nothing to put down"
