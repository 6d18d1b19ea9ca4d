"""Metrics of one small episode, worked out by hand, and tables over several."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest

from episodes.dataset import Constraint, Proposition
from episodes.evaluation import EvaluationTask, Evaluator, FactTable, unavailable
from episodes.metrics import (
    METRICS,
    frames_of,
    goal_conditions,
    map_thor,
    partnr,
    path_weight,
    pooled,
    rows_of,
    seat_shares,
    summarise,
    to_csv,
)
from episodes.metrics.table import expert_lengths
from episodes.trace import Attempt, Happening, Percent, SeatRecord, Trace
from episodes.world import HolderChanged, PartMoved

PROPOSITIONS = [
    Proposition("is_on_top", {"object_handles": ["cup"], "receptacle_handles": ["table"]}),
    Proposition("is_inside", {"object_handles": ["plate"], "receptacle_handles": ["cabinet"]}),
]
TASK = EvaluationTask(
    PROPOSITIONS,
    (),
    [Constraint("TerminalSatisfactionConstraint", {"proposition_indices": [0, 1]})],
)


def episode(*, solved: bool = True, closed: bool = True) -> Trace:
    """Trace an episode: robot with the cup (tick 100), human with the plate (tick 200)."""
    evaluator = Evaluator(TASK)
    evaluator.observe(0, FactTable(), {})
    percents = [Percent(0, 0.0)]
    cup = FactTable(above={"cup": ["table"]})
    changes = evaluator.observe(100, cup, {"cup": "robot_0"})
    percents.append(Percent(100, evaluator.percent_complete))
    if solved:
        both = FactTable(above={"cup": ["table"]}, within={"plate": ["cabinet"]})
        changes += evaluator.observe(200, both, {"plate": "human_0"})
        percents.append(Percent(200, evaluator.percent_complete))
    evaluator.finish(300)
    attempts = [
        Attempt(20, "human_0", "pick", "vase"),
        Attempt(40, "human_0", "place", "vase", where="table|top"),
        Attempt(50, "robot_0", "pick", "cup"),
        Attempt(60, "human_0", "pick", "fork", accepted=False, rule="within_reach"),
        Attempt(100, "robot_0", "place", "cup", where="table|top"),
        Attempt(120, "human_0", "open", "cabinet", part=0),
        Attempt(150, "human_0", "pick", "plate"),
    ]
    doors = [Happening(120, PartMoved("cabinet", 0, 1.5), "human_0")]
    if solved:
        attempts.append(Attempt(200, "human_0", "place", "plate", where="cabinet|shelf"))
    if solved and closed:
        attempts.append(Attempt(220, "human_0", "close", "cabinet", part=0))
        doors.append(Happening(220, PartMoved("cabinet", 0, 0.0), "human_0"))
    return Trace(
        episode_id="epi_1",
        task_id="7",
        ticks=300,
        seats=(
            SeatRecord("robot_0", "robot", actor="llm", planning_cycles=4, distance_m=9.0),
            SeatRecord("human_0", "human", actor="human"),
        ),
        start=(PartMoved("cabinet", 0, 0.0),),
        attempts=tuple(attempts),
        happenings=(Happening(20, HolderChanged("vase", "human_0"), "human_0"), *doors),
        propositions=changes,
        percents=tuple(percents),
        verdict=evaluator.verdict(),
    )


def test_partnr() -> None:
    found = partnr(episode())
    assert (found.success, found.success_study, found.percent_complete) == (1.0, 1.0, 1.0)
    assert found.steps == 300
    # Ticks 0 to 19 and 221 to 299 are idle; the last frame holds the result.
    assert found.steps_study == 301 - 20 - 79
    assert found.planning_cycles == 4
    assert found.offloading == 0.5
    assert found.offloading_study == 0.5
    # Two of eight accepted actions raised percent complete.
    assert found.extraneous == pytest.approx(6 / 8)
    # Two rises, and one placement that raised nothing.
    assert found.extraneous_study == pytest.approx(1 / 3)
    assert found.exploration == 20
    assert found.exploration_study == 220 - 20


def test_partnr_of_a_failure() -> None:
    found = partnr(episode(solved=False))
    assert (found.success, found.percent_complete) == (0.0, 0.5)
    assert found.offloading is None
    assert found.offloading_study is None


def test_seats() -> None:
    robot, human = seat_shares(episode())
    assert (robot.work_share, robot.actions, robot.refused, robot.useful) == (0.5, 2, 0, 1)
    assert (human.work_share, human.actions, human.refused, human.useful) == (0.5, 6, 1, 1)
    assert (robot.first_pick, human.first_pick) == (50, 20)
    assert robot.extraneous == 0.5
    assert (robot.planning_cycles, human.planning_cycles) == (4, None)


def test_frames_have_the_form_of_the_study() -> None:
    frames = frames_of(episode())
    assert len(frames) == 301
    assert frames[0] == {}
    assert frames[100]["agent_states"][0]["events"] == [{"type": "place"}]
    assert frames[20]["users"] == [{"events": [{"type": "pick"}]}]
    assert frames[300]["task_percent_complete"] == 1.0


def test_people_in_both_seats_are_two_users() -> None:
    both = tuple(msgspec.structs.replace(s, actor="human") for s in episode().seats)
    frames = frames_of(msgspec.structs.replace(episode(), seats=both))
    assert [len(u["events"]) for u in frames[100]["users"]] == [1, 0]


def test_map_thor() -> None:
    found = map_thor(episode(), PROPOSITIONS)
    assert found.success == 1.0
    assert found.transport_rate == 1.0
    assert found.transport_rate_fine == 1.0
    assert found.coverage == 1.0
    assert found.balance == pytest.approx(1 / 1.0001)
    assert found.balance_code == pytest.approx(2 / 6)
    assert (found.steps, found.steps_to_stop) == (7, 7)
    # One missing close: 9 of 10 fine sub-tasks.
    assert map_thor(episode(closed=False), PROPOSITIONS).transport_rate_fine == 0.9
    failed = map_thor(episode(solved=False), PROPOSITIONS)
    assert (failed.success, failed.transport_rate, failed.balance) == (0.0, 0.5, 0.0)
    assert failed.steps == 30


def test_coverage_counts_successes_only() -> None:
    cup = Proposition("is_clean", {"object_handles": ["fork"]})
    found = map_thor(episode(), [cup])
    assert (found.coverage, found.coverage_attempted) == (0.0, 1.0)


def test_alone_there_is_no_balance() -> None:
    human = episode().seats[1:]
    found = map_thor(msgspec.structs.replace(episode(), seats=human), PROPOSITIONS)
    assert found.balance is None
    assert found.balance_code is None


def test_goal_conditions() -> None:
    goals = goal_conditions(episode(solved=False))
    assert goals is not None
    assert (goals.total, goals.unmet_at_start, goals.unmet_at_end) == (2, 2, 1)
    assert (goals.rate, goals.rate_of_all, goals.rate_counted) == (0.5, 0.5, 0.5)
    nothing = msgspec.structs.replace(episode(), verdict=unavailable("-", "documented"))
    assert goal_conditions(nothing) is None


def test_path_weight() -> None:
    assert path_weight(200, 100) == 0.5
    assert path_weight(50, 100) == 1.0
    assert path_weight(50, 100, capped=False) == 2.0
    assert path_weight(0, 0) == 1.0


def test_pooled() -> None:
    good, bad = goal_conditions(episode()), goal_conditions(episode(solved=False))
    assert good is not None
    assert bad is not None
    found = pooled([(good, 300, 150), (bad, 300, None)])
    assert (found.sr, found.gc, found.plw_sr, found.plw_gc) == (0.5, 0.75, 0.5, 0.5)
    assert pooled([]) == (None, None, None, None)


def test_every_metric_is_in_the_table() -> None:
    rows = rows_of(episode(), PROPOSITIONS, expert_steps=150)
    # Tested with the teams: those of a seat of more than two, among bodies that block, and of
    # policies that call skills.
    of_calls = {("map_thor", "joint_steps", "paper"), ("map_thor", "success", "in_time")}
    several = {
        ("seat", name, "") for name in ("transport_rate", "coverage", "decisions", "blocked_s")
    }
    assert {(r.family, r.metric, r.reading) for r in rows} == {
        (m.family, m.name, m.reading) for m in METRICS
    } - several - of_calls
    found = {(r.metric, r.reading, r.seat): r.value for r in rows}
    assert found["path_weighted_success", "code", ""] == 0.5
    assert found["actions", "", "human_0"] == 6
    undefined = {r.metric for r in rows_of(episode(), PROPOSITIONS) if r.value is None}
    assert "path_weighted_success" in undefined


def test_csv_is_tidy() -> None:
    rows = rows_of(episode(), PROPOSITIONS)
    read = list(csv.DictReader(io.StringIO(to_csv(rows))))
    assert len(read) == len(rows)
    assert read[0]["metric"] == "success"
    assert {r["value"] for r in read if r["metric"] == "path_weighted_success"} == {""}


def test_means_are_over_tasks_first() -> None:
    """Two episodes of one task weigh as much as one of another."""
    good, bad = episode(), msgspec.structs.replace(episode(solved=False), task_id="8")
    rows = [*rows_of(good, PROPOSITIONS), *rows_of(good, PROPOSITIONS), *rows_of(bad, PROPOSITIONS)]
    summaries = summarise(rows)
    found = {(s.metric.family, s.metric.name, s.metric.reading, s.seat): s for s in summaries}
    success = found["partnr", "success", "code", ""]
    assert (success.mean, success.tasks, success.episodes) == (0.5, 2, 3)
    assert success.episodes_interval is not None
    assert success.episodes_interval.low < 0.5 < success.episodes_interval.high
    # One house tells nothing of others.
    assert success.interval is None
    assert found["partnr", "percent_complete", "", ""].interval is None


def test_intervals_have_houses_as_units() -> None:
    """Ten tasks of five houses, of which one house is not solved, are five and not ten."""
    rows = [
        row
        for n in range(10)
        for row in rows_of(
            msgspec.structs.replace(
                episode(solved=n // 2 > 0), task_id=str(n), episode_id=f"epi_{n}"
            ),
            PROPOSITIONS,
        )
    ]
    summaries = summarise(rows, {f"epi_{n}": f"house_{n // 2}" for n in range(10)})
    success = next(s for s in summaries if s.metric.name == "success" and not s.seat)
    assert (success.mean, success.tasks, success.houses) == (0.8, 10, 5)
    assert success.interval is not None
    assert success.episodes_interval is not None
    assert success.interval.low < success.episodes_interval.low - 0.1


def test_the_best_success_stands_in_for_an_expert() -> None:
    fast = msgspec.structs.replace(episode(), ticks=120)
    failed = msgspec.structs.replace(episode(solved=False), ticks=10)
    assert expert_lengths([episode(), fast, failed]) == {"7": 120}
