"""Our explanation: what it says of a failure, and that it is empty exactly for a success."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from episodes.bodies import BODIES
from episodes.dataset import Constraint, Dependency, Proposition
from episodes.evaluation import (
    DOCUMENTED,
    Account,
    EvaluationTask,
    Evaluator,
    FactTable,
    Place,
    Surroundings,
    Verdict,
    WorldWhere,
    explain,
    explained,
    player_names,
    unavailable,
    without_mending,
)
from episodes.evaluation.account import Breach, Shortfall
from episodes.evaluation.final_places import RoomArea
from episodes.poses import IDENTITY, Pose
from episodes.world import (
    AgentMoved,
    AgentPose,
    HolderChanged,
    ObjectMoved,
    StateChanged,
    SupportChanged,
    WorldState,
)
from tests.episodes.evaluation.test_evaluation_online import World, stories, tasks


@dataclass
class Somewhere:
    """Things by where they are said to be."""

    places: Mapping[str, Place] = field(default_factory=dict)
    rooms: Mapping[str, str] = field(default_factory=dict)
    holders: Mapping[str, str] = field(default_factory=dict)
    state: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)

    def place(self, thing: str) -> Place | None:
        return self.places.get(thing)

    def room(self, thing: str) -> str | None:
        return self.rooms.get(thing)

    def holder(self, thing: str) -> str | None:
        return self.holders.get(thing)

    def states(self, thing: str) -> Mapping[str, bool]:
        return self.state.get(thing, {})


def on(*things: str, table: str = "table", **args: Any) -> Proposition:
    return Proposition(
        "is_on_top",
        {"object_handles": list(things), "receptacle_handles": table.split(), **args},
    )


def played(task: EvaluationTask, *rows: tuple[int, dict[str, str], str | None]) -> Verdict:
    """Return the verdict of a story: at each tick what is on what, through whom."""
    evaluator = Evaluator(task)
    evaluator.observe(0, FactTable(), {})
    tick = 0
    for tick, above, seat in rows:
        facts = FactTable(above={thing: [below] for thing, below in above.items()})
        evaluator.observe(tick, facts, dict.fromkeys(("cup", "mug", "jug"), seat))
    evaluator.finish(tick + 30)
    return evaluator.verdict()


def account(task: EvaluationTask, verdict: Verdict, where: Somewhere | None = None) -> Account:
    return explain(verdict, task, where or Somewhere(), lambda key: f"the {key}")


@settings(max_examples=80)
@given(tasks(), stories())
def test_V4_empty_iff_success(
    task: EvaluationTask, story: list[tuple[World, frozenset[str]]]
) -> None:
    evaluator = Evaluator(task, semantics=DOCUMENTED)
    for tick, (world, changed) in enumerate(story):
        evaluator.observe(tick, world.table(), dict.fromkeys(changed))
    evaluator.finish(len(story))
    verdict = evaluator.verdict()
    found = account(task, verdict)
    assert bool(found) is not verdict.success
    assert bool(found.text) is not verdict.success
    failed = {s.index for s in found.shortfalls}
    assert failed == {p.original for p in verdict.propositions if not p.satisfied}
    entries: list[Shortfall | Breach] = [*found.shortfalls, *found.breaches]
    for entry in entries:
        assert entry.text
        assert entry.mend
    # Everything referred to is there, and it survives being stored.
    for shortfall in found.shortfalls:
        found.step(shortfall.index)
        for condition in shortfall.conditions:
            assert all(found.step(i) for i in condition.on)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Account) == found


def test_missing_with_where_it_is() -> None:
    task = EvaluationTask([on("cup", "mug", number=2)])
    where = Somewhere(
        {"cup": Place("on", "table"), "mug": Place("within", "shelf")}, {"mug": "kitchen"}
    )
    found = account(task, played(task, (90, {"cup": "table"}, "human_0")), where)
    (short,) = found.shortfalls
    assert (short.how, short.reached, short.made_tick, short.made_by) == ("part", 1, 90, "human_0")
    assert short.text == (
        "The cup and the mug should be on the table. Now the cup is on the table; "
        "the mug is inside the shelf in the kitchen. 1 of 2 were done by the human at 0:03."
    )
    assert short.mend == ("Put the mug on the table.",)


def test_who_undid_it() -> None:
    terminal = Constraint("TerminalSatisfactionConstraint", {"proposition_indices": [0]})
    task = EvaluationTask([on("cup")], (), [terminal])
    verdict = played(task, (30, {"cup": "table"}, "human_0"), (60, {}, "robot_0"))
    where = Somewhere({}, {"cup": "hall"}, {"cup": "robot_0"})
    (breach,) = account(task, verdict, where).breaches
    assert breach.rule == "undone"
    assert breach.text == (
        "The cup should be on the table at the end: done by the human at 0:01, undone by the robot "
        "at 0:02. Now the cup is in the hand of the robot in the hall."
    )
    (undone,) = breach.undone
    assert (undone.made_by, undone.broken_by, undone.broken_tick) == ("human_0", "robot_0", 60)


def test_order() -> None:
    order = Constraint("TemporalConstraint", {"dag_edges": [[0, 1]]})
    task = EvaluationTask([on("cup"), on("mug")], (), [order])
    late = played(task, (30, {"mug": "table"}, "a"), (60, {"mug": "table", "cup": "table"}, "a"))
    (breach,) = account(task, late).breaches
    assert [(x.index, x.after) for x in breach.late] == [(1, (0,))]
    assert breach.mend == ("First the cup on the table; only then the mug on the table.",)
    missing = account(task, played(task, (30, {"cup": "table"}, "a")))
    assert missing.shortfalls[0].after == (0,)
    assert "only after this: the cup should be on the table" in missing.shortfalls[0].text


def test_missing_steps_and_broken_constraints_together() -> None:
    """PARTNR's text tells only of the first of these two."""
    terminal = Constraint("TerminalSatisfactionConstraint", {"proposition_indices": [0, 1]})
    task = EvaluationTask([on("cup"), on("mug")], (), [terminal])
    verdict = played(task, (30, {"cup": "table"}, "a"), (60, {}, "a"))
    assert "undone" not in verdict.explanation
    found = account(task, verdict)
    assert len(found.shortfalls) == len(found.breaches) == 1


def test_ties() -> None:
    arg_names = ["receptacle_handles", "receptacle_handles"]
    args = {"proposition_indices": [0, 1], "arg_names": arg_names}
    propositions = [on("cup", table="desk bench"), on("mug", table="desk bench")]
    task = EvaluationTask(propositions, (), [Constraint("SameArgConstraint", args)])
    verdict = played(task, (30, {"cup": "desk", "mug": "bench"}, "a"))
    (breach,) = account(task, verdict).breaches
    assert breach.rule == "same"
    assert breach.tie is not None
    assert [m.things[0].handle for m in breach.tie.members] == ["desk", "bench"]
    (short,) = account(task, played(task, (30, {"cup": "desk"}, "a"))).shortfalls
    assert [len(m.things) for m in short.ties[0].members] == [1, 0]
    assert any(text.startswith("Use the same one") for text in short.mend)


def tied(kind: str) -> EvaluationTask:
    """Return a task of two things on a desk or a bench, on the same or on different ones."""
    arg_names = ["receptacle_handles", "receptacle_handles"]
    args = {"proposition_indices": [0, 1], "arg_names": arg_names}
    propositions = [on("cup", table="desk bench"), on("mug", table="desk bench")]
    return EvaluationTask(propositions, (), [Constraint(kind, args)])


@pytest.mark.parametrize(
    ("kind", "first", "then", "word"),
    [
        ("SameArgConstraint", {"cup": "desk", "mug": "bench"}, "desk", "the same one"),
        ("DifferentArgConstraint", {"cup": "desk", "mug": "desk"}, "bench", "different ones"),
    ],
)
def test_a_tie_that_is_kept_too_late(
    kind: str, first: dict[str, str], then: str, word: str
) -> None:
    """The advice of before, *use the same one*, had been followed."""
    task = tied(kind)
    verdict = played(task, (30, first, "a"), (60, {"cup": "desk", "mug": then}, "a"))
    assert not verdict.success
    where = Somewhere({"cup": Place("on", "desk"), "mug": Place("on", then)})
    (breach,) = account(task, verdict, where).breaches
    assert breach.kept_at_end
    assert breach.text.endswith(
        "At the end they do, but it is judged when each is first so. "
        "Moving one of them afterwards changes nothing."
    )
    assert breach.mend[0].startswith(f"Use {word} for these from the start: ")
    assert breach.mend[1] == "Decide on the place before the first of them is put down."
    # Left as they were first put, they still break it.
    apart = Somewhere({thing: Place("on", table) for thing, table in first.items()})
    (breach,) = account(task, played(task, (30, first, "a")), apart).breaches
    assert not breach.kept_at_end
    assert breach.mend[0].startswith(f"Use {word} for these: ")


def test_why_a_true_thing_may_not_count() -> None:
    task = EvaluationTask([on("cup"), on("mug")], [Dependency([1], [0], "while_satisfied", "any")])
    (short,) = [
        s for s in account(task, played(task, (9, {"mug": "table"}, "a"))).shortfalls if s.index
    ]
    assert short.conditions[0].on == (0,)
    assert "It counts only while this is so: the cup should be on the table." in short.text


def test_nothing_to_blame() -> None:
    empty = EvaluationTask([])
    assert account(empty, played(empty)).note
    gone = account(empty, unavailable("no such handle", "documented"))
    assert gone.note
    assert gone.text


def test_the_verdict_keeps_it_and_nothing_is_raised() -> None:
    task = EvaluationTask([on("cup")])
    verdict = played(task)
    kept = explained(verdict, task, Somewhere(), str)
    assert kept.account == explain(verdict, task, Somewhere(), str)
    assert msgspec.json.decode(msgspec.json.encode(kept), type=Verdict) == kept

    def fails(key: str) -> str:
        raise LookupError(key)

    assert explained(verdict, task, Somewhere(), fails) is verdict


def test_without_advice() -> None:
    task = EvaluationTask([on("cup")])
    found = without_mending(account(task, played(task)))
    assert found.shortfalls[0].mend == ()
    assert "Put" not in msgspec.json.encode(found).decode()


SQUARE = ((0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (4.0, 0.0))
FAR = tuple((x + 10, z) for x, z in SQUARE)
HOME = Surroundings(
    {"k": "kitchen", "l": "bedroom", "cup": "cup", "cup2": "cup 2", "bed": "bed", "lamp": "lamp"},
    (RoomArea("k", SQUARE, 0.0, 2.5), RoomArea("l", FAR, 0.0, 2.5)),
    {"bed": "l"},
    {"bed|drawer": 0},
)


def home() -> WorldState:
    at = Pose((1.0, 0.0, 1.0), IDENTITY)
    return WorldState.from_changes(
        {"human_0": BODIES["human"]},
        [
            AgentMoved("human_0", AgentPose((11.0, 0.0, 1.0), 0.0, 0.0)),
            *(ObjectMoved(handle, at) for handle in ("cup", "cup2", "lamp")),
            SupportChanged("cup", "bed|drawer"),
            SupportChanged("cup2", "floor"),
            SupportChanged("lamp", "cup"),
            StateChanged("lamp", "is_powered_on", True),
        ],
    )


def test_where_things_are() -> None:
    world = home()
    where = WorldWhere(world, HOME)
    assert where.place("cup") == Place("within", "bed")
    assert where.room("cup") == "l"
    assert where.place("cup2") == Place("floor", None)
    assert where.room("cup2") == "k"
    assert where.place("lamp") == Place("on", "cup")
    assert where.states("lamp") == {"is_powered_on": True}
    world.apply(HolderChanged("cup2", "human_0"))
    assert where.place("cup2") is None
    assert where.holder("cup2") == "human_0"
    assert where.room("cup2") == "l"
    assert where.room("nothing") is None


def test_V4_names_tell_look_alikes_apart_by_room() -> None:
    name = player_names(HOME, WorldWhere(home(), HOME))
    assert name("cup") == "the cup in the bedroom"
    assert name("cup2") == "cup 2 in the kitchen"
    assert name("lamp") == "the lamp"
    assert name("k") == "the kitchen"
    assert name("unknown_:0000") == "unknown_:0000"
