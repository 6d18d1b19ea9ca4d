"""Credit for what was done, the calls around an episode, and what happens when things fail."""

from __future__ import annotations

import msgspec
import pytest

from episodes.dataset import Dependency, Proposition, Task
from episodes.evaluation import (
    EVALUATOR_VERSION,
    EvaluationError,
    EvaluationTask,
    Evaluator,
    FactTable,
    SafeEvaluator,
    Verdict,
)

ON_TABLE = Proposition(
    "is_on_top", {"object_handles": ["cup_:0000", "mug_:0000"], "receptacle_handles": ["table"]}
)
CLEAN = Proposition("is_clean", {"object_handles": ["cup_:0000"]})
AWAY = FactTable(states={"is_clean": {"cup_:0000": False}})
THERE = FactTable(above={"cup_:0000": ["table"]}, states=AWAY.states)


def evaluator(*propositions: Proposition, dependencies: tuple[Dependency, ...] = ()) -> Evaluator:
    return Evaluator(EvaluationTask(propositions, dependencies))


def test_V5_the_seat_of_the_event_is_credited() -> None:
    one = evaluator(ON_TABLE)
    one.observe(0, AWAY, {})
    one.observe(4, AWAY, {"cup_:0000": "robot"})
    (change,) = one.observe(5, THERE, {"cup_:0000": "human"})
    assert (change.tick, change.index, change.holds, change.by_seat) == (5, 0, True, "human")
    (broken,) = one.observe(9, AWAY, {"cup_:0000": "robot"})
    assert broken.by_seat == "robot"
    outcome = one.verdict().propositions[0]
    assert (outcome.satisfied_tick, outcome.by_seat) == (5, "human")
    assert (outcome.broken_tick, outcome.broken_by_seat) == (9, "robot")
    assert outcome.last_changed_tick == 9
    assert outcome.satisfied
    assert not outcome.holds_now


def test_else_the_seat_that_moved_one_last() -> None:
    one = evaluator(ON_TABLE)
    one.observe(0, AWAY, {})
    one.observe(1, AWAY, {"cup_:0000": "human"})
    one.observe(2, AWAY, {"mug_:0000": "robot"})
    (change,) = one.observe(3, THERE, {"cup_:0000": None})
    assert change.by_seat == "robot"


def test_else_nobody() -> None:
    one = evaluator(ON_TABLE)
    (change,) = one.observe(0, THERE, {})
    assert change.by_seat is None


def test_what_satisfies_comes_before_what_else_is_named() -> None:
    one = evaluator(ON_TABLE)
    one.observe(0, AWAY, {})
    (change,) = one.observe(1, THERE, {"mug_:0000": "robot", "cup_:0000": "human"})
    assert change.by_seat == "human"


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(
    "names", [("cup_:0000", "mug_:0000", "jug_:0000"), ("jug_:0000", "mug_:0000", "cup_:0000")]
)
def test_who_takes_away_is_blamed_and_not_who_carries_another_thing(
    names: tuple[str, ...], number: int
) -> None:
    on_table = Proposition(
        "is_on_top",
        {"object_handles": list(names), "receptacle_handles": ["table_:0000"], "number": number},
    )
    placed = ["cup_:0000", "mug_:0000"][:number]
    there = FactTable(
        above={name: ["table_:0000"] for name in placed},
        near={(name, "table_:0000"): 0.0 for name in placed},
    )
    left = FactTable(
        above={name: ["table_:0000"] for name in placed[1:]},
        near={(name, "table_:0000"): 0.0 for name in placed[1:]},
    )
    one = evaluator(on_table)
    one.observe(0, AWAY, {})
    one.observe(3, there, dict.fromkeys(placed, "human"))
    # What goes on from a keyframe knows it, too.
    again = Evaluator(EvaluationTask((on_table,), ()), state=one.state())
    for going_on in (one, again):
        (broken,) = going_on.observe(6, left, {"cup_:0000": "robot", "jug_:0000": "human"})
        assert (broken.holds, broken.by_seat) == (False, "robot")


def test_the_credit_of_what_opens_later() -> None:
    one = evaluator(CLEAN, ON_TABLE, dependencies=(Dependency([1], [0], "after_satisfied"),))
    clean = FactTable(above=THERE.above, states={"is_clean": {"cup_:0000": True}})
    one.observe(0, AWAY, {})
    one.observe(1, clean, {"cup_:0000": "human"})
    assert one.needs_observation
    (change,) = one.observe(2, clean, {})
    assert (change.index, change.by_seat, change.cause) == (1, "human", "dependency")
    assert not one.needs_observation


def test_ticks_must_go_up_and_quiet_ones_may_be_left_out() -> None:
    one = evaluator(ON_TABLE)
    one.observe(0, AWAY, {})
    assert one.observe(0, AWAY, {}) == ()
    with pytest.raises(ValueError, match="after 0"):
        one.observe(0, AWAY, {"cup_:0000": None})
    one.observe(1_000, THERE, {"cup_:0000": None})
    assert one.satisfied_at == (1_000,)
    with pytest.raises(ValueError, match="at least 1000"):
        one.finish(999)


def test_finish_without_an_observation_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        evaluator(ON_TABLE).finish(3)


def test_finish_settles_what_was_left_open() -> None:
    """A last tick that was not observed counts as well, then the repeat."""
    stepwise = (Dependency([1], [0], "after_satisfied"), Dependency([2], [1], "after_satisfied"))
    clean = FactTable(above=THERE.above, states={"is_clean": {"cup_:0000": True}})
    for last, satisfied_at in ((0, (0, 1, -1)), (1, (0, 1, 2))):
        one = evaluator(CLEAN, ON_TABLE, CLEAN, dependencies=stepwise)
        one.observe(0, clean, {})
        one.finish(last)
        assert one.satisfied_at == satisfied_at
        assert one.last_tick == last + 1


def test_a_verdict_survives_json() -> None:
    one = evaluator(ON_TABLE, CLEAN)
    one.observe(0, THERE, {})
    verdict = one.verdict()
    assert verdict.evaluator_version == EVALUATOR_VERSION
    assert verdict.semantics == "documented"
    assert msgspec.json.decode(msgspec.json.encode(verdict), type=Verdict) == verdict


def test_texts_without_known_classes() -> None:
    """Outcomes fall back on the template's name; the explanation asks for the class."""
    known = EvaluationTask((ON_TABLE,), class_of={"cup_:0000": "cup"})
    one = Evaluator(known)
    one.observe(0, THERE, {})
    assert one.verdict().propositions[0].text == '"cup" or "mug" placed on top of the "table"'
    other = Evaluator(known)
    other.observe(0, AWAY, {})
    with pytest.raises(EvaluationError, match="known class"):
        other.verdict()


def test_a_task_comes_from_an_episode() -> None:
    task = Task(task_id="1", scene_id="s", evaluation_propositions=[CLEAN])
    one = Evaluator(EvaluationTask.from_task(task), semantics="released")
    one.observe(0, AWAY, {})
    assert one.verdict().semantics == "released"
    assert one.watched == {"cup_:0000"}
    assert [(cell.method, cell.args) for cell in one.questions] == [
        ("state", ("cup_:0000", "is_clean"))
    ]


def test_unknown_semantics_are_refused() -> None:
    with pytest.raises(ValueError, match="'documented' or 'released'"):
        Evaluator(EvaluationTask((CLEAN,)), semantics="strict")


def test_a_safe_evaluator_does_what_the_other_does() -> None:
    safe = SafeEvaluator(EvaluationTask((ON_TABLE,)))
    safe.observe(0, AWAY, {})
    assert [change.holds for change in safe.observe(1, THERE, {"cup_:0000": "human"})] == [True]
    assert safe.percent_complete == 1.0
    assert safe.state() is not None
    assert safe.finish(1) == ()
    assert not safe.needs_observation
    assert safe.verdict().status == "ok"


def test_V6_a_safe_evaluator_never_raises() -> None:
    broken = (
        EvaluationTask((Proposition("is_odd", {}),)),
        EvaluationTask((Proposition("is_clean", {}),)),
        EvaluationTask((CLEAN,), (Dependency([0], [7], "while_satisfied"),)),
        EvaluationTask((CLEAN,), class_of=lambda handle: 1 / 0),  # type: ignore[arg-type,return-value]
        EvaluationTask((Proposition("is_clean", {"object_handles": ["nothing"]}),)),
    )
    for task in broken:
        safe = SafeEvaluator(task)
        safe.observe(0, AWAY, {})
        safe.observe(1, AWAY, {"cup_:0000": "human"})
        safe.finish(1)
        verdict = safe.verdict()
        assert verdict.status == "unavailable"
        assert verdict.reason
        assert verdict.percent_complete is None
        assert verdict.success is None


def test_the_first_failure_is_the_last_observation() -> None:
    safe = SafeEvaluator(EvaluationTask((CLEAN,)))
    safe.observe(0, FactTable(), {})
    assert safe.reason is not None
    assert safe.reason.startswith("tick 0: KeyError")
    assert safe.percent_complete is None
    assert safe.evaluator is None
    assert safe.state() is None
    assert not safe.needs_observation
    assert safe.observe(1, AWAY, {"cup_:0000": "human"}) == ()
    assert safe.verdict().reason == safe.reason
