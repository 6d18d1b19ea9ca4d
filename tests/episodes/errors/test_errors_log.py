"""The error log of whole episodes, and goal errors."""

from __future__ import annotations

import msgspec
import pytest

from episodes.dataset import Constraint, Proposition
from episodes.errors import CLASSES, RULES, ErrorLog, ErrorRecord, error_log, goal_errors
from episodes.evaluation import EvaluationTask, Evaluator, FactTable, unavailable
from episodes.rules import PRECONDITIONS
from episodes.trace import Attempt, Happening, SeatRecord, Sighting, Trace
from episodes.world import Change, HolderChanged, PartMoved, StateChanged, SupportChanged

SEATS = (SeatRecord("robot_0", "robot", actor="llm"), SeatRecord("human_0", "human", actor="human"))
START: tuple[Change, ...] = (
    SupportChanged("cup", "fridge|shelf"),
    SupportChanged("plate", "table|top"),
    PartMoved("fridge", 0, 0.0),
    StateChanged("lamp", "is_powered_on", False),
)


def trace(*events: Attempt | Happening | Sighting, **fields: object) -> Trace:
    return Trace(
        episode_id="epi_1",
        seats=SEATS,
        start=START,
        attempts=tuple(e for e in events if isinstance(e, Attempt)),
        happenings=tuple(e for e in events if isinstance(e, Happening)),
        sightings=tuple(e for e in events if isinstance(e, Sighting)),
        **{"verdict": unavailable("-", "documented"), "ticks": 100, **fields},  # type: ignore[arg-type]
    )


def log(*events: Attempt | Happening | Sighting) -> ErrorLog:
    things = frozenset({"cup", "plate", "fridge", "table", "lamp"})
    return error_log(trace(*events), within={"fridge|shelf": 0}, things=things)


def refused(
    tick: int, seat: str, verb: str, target: str | None, rule: str, **more: object
) -> Attempt:
    return Attempt(tick, seat, verb, target, False, rule, f"no: {rule}", **more)  # type: ignore[arg-type]


def test_every_rule_has_a_meaning() -> None:
    assert set(PRECONDITIONS) <= set(RULES)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_every_refusal_gets_a_record_or_is_no_action(rule: str) -> None:
    records = log(refused(5, "human_0", "pick", "cup", rule)).records
    if RULES[rule].meaning == "outside":
        assert records == ()
        return
    (record,) = records
    assert record.error_class in CLASSES
    assert record.error_class != "OK"
    assert record.text
    assert record.rule == rule
    assert record.primary is record.fatal


def test_close_then_pick_names_the_closer() -> None:
    found = log(
        Attempt(10, "human_0", "open", "fridge", part=0),
        Happening(10, PartMoved("fridge", 0, 1.5), "human_0"),
        Attempt(20, "robot_0", "close", "fridge", part=0),
        Happening(20, PartMoved("fridge", 0, 0.0), "robot_0"),
        refused(30, "human_0", "pick", "cup", "not_shut_in"),
        refused(40, "human_0", "pick", "cup", "not_shut_in"),
    )
    assert [r.error_class for r in found.records] == ["OK", "OK", "WRONG_ORDER", "WRONG_ORDER"]
    record = found.records[2]
    assert record.violated[0].broken_by == "robot_0"
    assert record.violated[0].last_true_t == 20
    assert "robot_0 did Close(fridge)" in record.text
    # Both are counted; only the first is what the paper would have counted.
    assert [r.primary for r in found.records] == [False, False, True, False]
    assert found.primary()["human_0"] is record
    assert found.counts()["human_0"] == {"OK": 1, "WRONG_ORDER": 2}


def test_hand_full_and_never_opened() -> None:
    found = log(
        Attempt(10, "human_0", "pick", "plate"),
        Happening(10, SupportChanged("plate", None), "human_0"),
        Happening(10, HolderChanged("plate", "human_0"), "human_0"),
        refused(20, "human_0", "pick", "lamp", "hand_free"),
        refused(30, "robot_0", "pick", "cup", "not_shut_in"),
    )
    _, full, shut = found.records
    assert full.error_class == "WRONG_ORDER"
    assert "restore it: Place(plate, ...)" in full.text
    assert shut.error_class == "MISSING_STEP"
    assert "Do Open(fridge) first" in shut.text


def test_redundant_because_of_the_partner() -> None:
    found = log(
        Attempt(10, "human_0", "power_on", "lamp"),
        Happening(10, StateChanged("lamp", "is_powered_on", True), "human_0"),
        refused(20, "robot_0", "power_on", "lamp", "not_on"),
        refused(30, "human_0", "power_on", "lamp", "not_on"),
    )
    assert [(r.error_class, r.cause, r.fatal) for r in found.records[1:]] == [
        ("ADDITIONAL_STEP", "partner_did_it", False),
        ("ADDITIONAL_STEP", None, False),
    ]


def test_known_things_were_only_not_seen() -> None:
    found = log(
        refused(5, "robot_0", "pick", "unicorn", "known"),
        refused(6, "robot_0", "pick", "cup", "known"),
        Sighting(6, "human_0", ("plate",)),
        refused(7, "human_0", "pick", "cup", "within_reach"),
        refused(8, "human_0", "pick", "plate", "within_reach"),
    )
    assert [r.error_class for r in found.records] == [
        "HALLUCINATION",
        "UNOBSERVED_OBJECT",
        "UNOBSERVED_OBJECT",
        "MISSING_STEP",
    ]


def test_an_earlier_action_proves_that_it_was_near() -> None:
    found = log(
        Attempt(5, "human_0", "open", "fridge", part=0),
        Happening(5, PartMoved("fridge", 0, 1.5), "human_0"),
        Attempt(6, "human_0", "pick", "plate"),
        Happening(6, HolderChanged("plate", "human_0"), "human_0"),
        refused(9, "human_0", "close", "fridge", "within_reach"),
    )
    assert found.records[-1].error_class == "WRONG_ORDER"


def test_skills_as_models_call_them() -> None:
    args = ("cup", "on", "table", "None", "None")
    found = log(
        refused(5, "robot_0", "Place", "cup", "holding", args=args, parent="Rearrange"),
        refused(6, "robot_0", "Fly", None, "unknown_action"),
        refused(7, "robot_0", "Navigate", "cup", "stuck_for_ever"),
    )
    assert [r.error_class for r in found.records] == [
        "MISSING_STEP",
        "HALLUCINATION",
        "EXECUTION_FAILURE",
    ]
    assert found.records[0].parent_action == "Rearrange"
    assert found.records[0].action.args == args


def test_records_are_plain_json() -> None:
    (record,) = log(refused(5, "human_0", "pick", "cup", "not_shut_in")).records
    raw = msgspec.json.decode(msgspec.json.encode(record))
    assert raw["class"] == "MISSING_STEP"
    assert msgspec.convert(raw, ErrorRecord) == record


ON = [
    Proposition("is_on_top", {"object_handles": [thing], "receptacle_handles": ["table"]})
    for thing in ("cup", "plate", "jug")
]


def test_goals() -> None:
    task = EvaluationTask(
        [*ON, Proposition("is_clean", {"object_handles": ["cup"]})],
        (),
        [
            Constraint("TemporalConstraint", {"dag_edges": [[3, 2]]}),
            Constraint("TerminalSatisfactionConstraint", {"proposition_indices": [0]}),
        ],
    )
    dirty = {"is_clean": {"cup": False}}
    evaluator = Evaluator(task)
    evaluator.observe(0, FactTable(states=dirty), {})
    both = FactTable(above={"cup": ["table"], "jug": ["table"]}, states=dirty)
    evaluator.observe(30, both, {"cup": "human_0", "jug": "human_0"})
    gone = FactTable(above={"jug": ["table"]}, states=dirty)
    evaluator.observe(60, gone, {"cup": "robot_0"})
    evaluator.finish(90)
    episode = trace(Attempt(8, "human_0", "pick", "plate"), verdict=evaluator.verdict())
    found = goal_errors(episode, task)
    assert [(r.error_class, r.cause, r.agent, r.t) for r in found] == [
        ("UNSATISFIED_RELATION", "undone", "robot_0", 60),
        ("UNSATISFIED_RELATION", "attempted_wrong", "human_0", 100),
        ("UNSATISFIED_ACTION", "attempted_wrong", "human_0", 30),
        ("UNSATISFIED_STATE", "missed", None, 100),
    ]
    assert found[2].subclass == "out_of_order"
    assert "undone at tick 60 by robot_0" in found[0].text
