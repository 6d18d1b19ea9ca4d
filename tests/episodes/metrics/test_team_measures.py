"""Measures of teams: of three by hand, and for a pair the formulas that were a pair's own."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from episodes.evaluation import Evaluator, FactTable
from episodes.evaluation.verdict import PropositionChange
from episodes.metrics import (
    balance,
    frames_of,
    map_thor,
    partnr,
    rows_of,
    seat_shares,
    summarise,
    team_measures,
)
from episodes.metrics.team import offloading, useful_actions
from episodes.trace import Attempt, Percent, SeatRecord, Trace
from tests.episodes.metrics.test_metrics_values import PROPOSITIONS, TASK, episode

ROBOT, SECOND, HUMAN = "robot_0", "robot_1", "human_0"


def by(*seats: str | None) -> Trace:
    """Return the hand-made episode with its two propositions credited to these seats."""
    trace = episode()
    outcomes = tuple(
        msgspec.structs.replace(p, by_seat=seat)
        for p, seat in zip(trace.verdict.propositions, seats, strict=True)
    )
    return msgspec.structs.replace(
        trace, verdict=msgspec.structs.replace(trace.verdict, propositions=outcomes)
    )


def three(*seats: str | None) -> Trace:
    """Return the same, in which a second robot does what the person did up to the open cabinet."""
    trace = by(*seats)
    attempts = [
        msgspec.structs.replace(a, seat=SECOND) if a.seat == HUMAN and a.tick <= 120 else a
        for a in trace.attempts
    ]
    robot, human = trace.seats
    second = SeatRecord(SECOND, "robot", actor="program")
    return msgspec.structs.replace(trace, attempts=tuple(attempts), seats=(robot, second, human))


def test_a_team_of_three_by_hand() -> None:
    found = team_measures(three(ROBOT, HUMAN), PROPOSITIONS)
    robot, second, human = found.seats
    assert found.bodies == 3
    assert (found.transport_rate, found.coverage, found.offloading) == (1.0, 1.0, 0.5)
    assert found.extraneous == pytest.approx(6 / 8)
    # The second robot completed nothing.
    assert found.balance == 0.0
    assert found.decisions == 4
    assert [s.credit_share for s in found.seats] == [0.5, 0.0, 0.5]
    assert [s.transport_rate for s in found.seats] == [0.5, 0.0, 0.5]
    # Cup and table; table and cabinet; plate and cabinet: of four.
    assert [s.coverage for s in found.seats] == [0.5, 0.5, 0.5]
    assert [(s.actions, s.useful, s.decisions) for s in found.seats] == [
        (2, 1, 2),
        (3, 0, 4),
        (3, 1, 3),
    ]
    assert (robot.extraneous, second.extraneous) == (0.5, 1.0)
    assert human.extraneous == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("calls", "solved", "expected"),
    [
        ((12, 30, 7), True, (30, 1.0)),
        # Success that came later than LLaMAR's horizon.
        ((12, 31, 7), True, (30, 0.0)),
        ((2, 3, 4), False, (30, 0.0)),
        # A person's log has no calls, a script's neither.
        ((12, 30, None), True, (None, None)),
    ],
)
def test_the_paper_s_length_is_in_calls_of_skills(
    calls: tuple[int | None, ...], solved: bool, expected: tuple[int | None, float | None]
) -> None:
    trace = three(ROBOT, HUMAN)
    trace = msgspec.structs.replace(
        trace,
        seats=tuple(
            msgspec.structs.replace(s, calls=n) for s, n in zip(trace.seats, calls, strict=True)
        ),
        verdict=msgspec.structs.replace(trace.verdict, success=solved),
    )
    found = map_thor(trace, PROPOSITIONS)
    assert (found.joint_steps, found.success_in_time) == expected
    rows = {(r.metric, r.reading): r.value for r in rows_of(trace, PROPOSITIONS)}
    assert rows.get(("joint_steps", "paper")) == expected[0]
    assert rows.get(("success", "in_time")) == expected[1]


def test_tables_have_more_of_each_seat_of_three_and_a_pair_s_are_as_they_were() -> None:
    pair = {(r.family, r.metric) for r in rows_of(by(ROBOT, HUMAN), PROPOSITIONS)}
    rows = rows_of(three(ROBOT, HUMAN), PROPOSITIONS)
    more = {"transport_rate", "coverage", "decisions"}
    assert {(r.family, r.metric) for r in rows} - pair == {("seat", name) for name in more}
    found = {r.seat: r.value for r in rows if (r.family, r.metric) == ("seat", "decisions")}
    assert found == {ROBOT: 2, SECOND: 4, HUMAN: 3}
    summaries = [s for s in summarise(rows) if s.metric.name == "coverage" and s.seat]
    assert [(s.seat, s.mean) for s in summaries] == [(HUMAN, 0.5), (ROBOT, 0.5), (SECOND, 0.5)]


def test_all_robots_are_the_agent_of_the_study() -> None:
    frames = frames_of(three(ROBOT, SECOND))
    assert frames[100]["agent_states"][0]["events"] == [{"type": "place"}]
    assert frames[120]["agent_states"][0]["events"] == [{"type": "open"}]
    assert frames[120]["users"] == [{"events": []}]
    assert frames[150]["users"] == [{"events": [{"type": "pick"}]}]
    found = partnr(three(ROBOT, SECOND))
    assert found.offloading == 1.0
    assert found.offloading_study == 0.5


def test_what_nobody_did_is_credited_to_nobody() -> None:
    found = team_measures(three(None, SECOND), PROPOSITIONS)
    assert found.transport_rate == 1.0
    assert [s.credit_share for s in found.seats] == [0.0, 1.0, 0.0]
    nobody = team_measures(three(None, None), PROPOSITIONS)
    assert (nobody.offloading, nobody.seats[0].credit_share) == (None, None)


def test_one_body_has_no_balance() -> None:
    trace = by(HUMAN, HUMAN)
    alone = msgspec.structs.replace(trace, seats=trace.seats[1:])
    found = team_measures(alone, PROPOSITIONS)
    assert (found.bodies, found.balance, found.offloading) == (1, None, 0.0)
    assert [s.credit_share for s in found.seats] == [1.0]


SEATS = [ROBOT, SECOND, HUMAN, "robot_2", "human_1"]


@st.composite
def traces(draw: st.DrawFn, most: int = 5) -> Trace:
    number = draw(st.integers(1, most))
    seats = [ROBOT, HUMAN][:number] if most == 2 else SEATS[:number]
    anybody = st.sampled_from(seats)
    trace = by(*(draw(st.none() | anybody) for _ in range(2)))
    tried = draw(
        st.lists(
            st.tuples(
                st.integers(0, 300),
                anybody,
                st.sampled_from(["pick", "place", "open"]),
                st.sampled_from(["cup", "plate", "cabinet", "vase"]),
                st.booleans(),
            ),
            max_size=12,
        )
    )
    attempts = tuple(Attempt(t, s, v, x, accepted=ok) for t, s, v, x, ok in sorted(tried))
    records = tuple(SeatRecord(s, "robot" if "robot" in s else "human") for s in seats)
    return msgspec.structs.replace(trace, seats=records, attempts=attempts)


@example(by(ROBOT, HUMAN))
@example(by(HUMAN, HUMAN))
@example(three(ROBOT, SECOND))
@given(traces())
def test_measures_are_what_counting_by_hand_gives(trace: Trace) -> None:
    """Both propositions hold at the end; the robot's rise is at tick 100, the person's at 200."""
    seats = [seat.seat for seat in trace.seats]
    credited = [p.by_seat for p in trace.verdict.propositions if p.by_seat is not None]
    accepted = [a for a in trace.attempts if a.accepted]
    rises = ((ROBOT, 100), (HUMAN, 200))
    useful = [s for s, rise in rises if any(a.seat == s and a.tick <= rise for a in accepted)]

    def by_hand(mine: list[Attempt], good: int) -> tuple[float | None, float, int]:
        done = [a for a in mine if a.accepted]
        named = {a.target for a in done} | {(a.where or "").partition("|")[0] for a in done}
        touched = named & {"cup", "table", "plate", "cabinet"}
        return 1 - good / len(done) if done else None, len(touched) / 4, good

    found, study, paper = (
        team_measures(trace, PROPOSITIONS),
        partnr(trace),
        map_thor(trace, PROPOSITIONS),
    )
    robots = [seat for seat in credited if seat.startswith("robot")]
    offloaded = len(robots) / len(credited) if credited else None
    completed = [credited.count(seat) for seat in seats]
    even = min(completed) / (max(completed) + 1e-4) if len(seats) > 1 else None
    wasted, covered, _ = by_hand(list(trace.attempts), len(useful))
    most = max(sum(a.seat == seat for a in trace.attempts) for seat in seats)
    assert (found.offloading, study.offloading) == (offloaded, offloaded)
    assert (found.balance, paper.balance) == (even, even)
    assert (found.extraneous, study.extraneous) == (wasted, wasted)
    assert (found.coverage, paper.coverage) == (covered, covered)
    assert (found.decisions, paper.steps_to_stop) == (most, most)
    assert (found.transport_rate, paper.transport_rate) == (1.0, 1.0)
    for seat, share, one in zip(seats, seat_shares(trace), found.seats, strict=True):
        mine = [a for a in trace.attempts if a.seat == seat]
        assert (share.seat, one.seat) == (seat, seat)
        part = credited.count(seat) / len(credited) if credited else None
        assert (one.credit_share, share.work_share) == (part, part)
        assert (one.extraneous, one.coverage, one.useful) == by_hand(mine, useful.count(seat))
        assert (share.extraneous, share.useful) == (one.extraneous, one.useful)
        assert one.transport_rate == credited.count(seat) / 2
        assert (one.actions, one.decisions) == (sum(a.accepted for a in mine), len(mine))


@given(traces(most=2))
def test_for_a_pair_the_formulas_are_the_pair_s(trace: Trace) -> None:
    """The references are the formulas as they were written for a robot and a person."""
    done = [p for p in trace.verdict.propositions if p.satisfied and p.valid]
    credited = [p.by_seat for p in done if p.by_seat is not None]
    expected = credited.count(ROBOT) / len(credited) if credited else None
    assert offloading(trace) == expected
    counts = [sum(p.by_seat == seat for p in done) for seat in trace.occupied]
    pair = None if len(counts) < 2 else min(counts) / (max(counts) + 1e-4)
    assert team_measures(trace, PROPOSITIONS).balance == balance(counts) == pair
    assert frames_of(trace) == frames_of_a_pair(trace)


def frames_of_a_pair(trace: Trace) -> list[dict[str, Any]]:
    """Return the study's frames of one robot, one person, or both."""
    frames: list[dict[str, Any]] = [{} for _ in range(trace.ticks + 1)]
    robot = next((s.seat for s in trace.seats if s.kind == "robot"), "")
    human = next((s.seat for s in trace.seats if s.kind == "human"), robot)
    accepted = [a for a in trace.attempts if a.accepted]
    for tick in {a.tick for a in accepted} | {h.tick for h in trace.happenings} | {trace.ticks}:
        events = {
            seat: [{"type": a.verb} for a in accepted if (a.tick, a.seat) == (tick, seat)]
            for seat in (robot, human)
        }
        mine, other = {"events": events[human]}, {"events": events[robot]}
        if human == robot:
            other = {"events": []}
        known = [p.value for p in trace.percents if p.tick <= tick]
        value = trace.verdict.percent_complete if tick == trace.ticks else known[-1]
        frames[tick] = {
            "users": [mine],
            "agent_states": [other, mine],
            "task_percent_complete": value,
            "t": tick,
        }
    return frames


def test_blocked_seconds_are_a_seat_s_where_bodies_block_and_in_no_other_table() -> None:
    trace = by(ROBOT, HUMAN)
    assert [s.blocked_s for s in team_measures(trace, PROPOSITIONS).seats] == [None, None]
    assert not [r for r in rows_of(trace, PROPOSITIONS) if r.metric == "blocked_s"]
    seats = tuple(
        msgspec.structs.replace(s, blocked_s=seconds)
        for s, seconds in zip(trace.seats, (0.0, 2.5), strict=True)
    )
    rows = rows_of(msgspec.structs.replace(trace, seats=seats), PROPOSITIONS)
    found = [(r.seat, r.value) for r in rows if r.metric == "blocked_s"]
    assert found == list(zip((s.seat for s in seats), (0.0, 2.5), strict=True))
    assert [s.mean for s in summarise(rows) if s.metric.name == "blocked_s"] != []


def carried(*, over_its_table: bool, put_there: bool) -> Trace:
    """Return an episode in which a robot carries a cup, perhaps over the table where it belongs."""
    evaluator = Evaluator(TASK)
    there, elsewhere = FactTable(above={"cup": ["table"]}), FactTable()
    evaluator.observe(0, elsewhere, {})
    changes: list[PropositionChange] = []
    percents = [Percent(0, 0.0)]
    seen = [(70, there if over_its_table else elsewhere), (80, elsewhere)]
    for tick, facts in (*seen, (100, there if put_there else elsewhere)):
        changes += evaluator.observe(tick, facts, {"cup": ROBOT})
        percents.append(Percent(tick, evaluator.percent_complete))
    evaluator.finish(120)
    where = "table|top" if put_there else "floor"
    return Trace(
        episode_id="epi_1",
        ticks=120,
        seats=(SeatRecord(ROBOT, "robot", actor="program"),),
        attempts=(
            Attempt(50, ROBOT, "pick", "cup"),
            Attempt(55, ROBOT, "open", "cabinet", part=0),
            Attempt(100, ROBOT, "place", "cup", where=where),
        ),
        propositions=tuple(changes),
        percents=tuple(percents),
        verdict=evaluator.verdict(),
    )


@pytest.mark.parametrize("put_there", [True, False])
def test_the_way_over_which_a_thing_is_carried_changes_no_effort(put_there: bool) -> None:
    over = carried(over_its_table=True, put_there=put_there)
    past = carried(over_its_table=False, put_there=put_there)
    wanted = ["place"] if put_there else []
    for trace in (over, past):
        assert [a.verb for a in useful_actions(trace)] == wanted
        assert team_measures(trace, PROPOSITIONS).extraneous == pytest.approx(1 - len(wanted) / 3)
