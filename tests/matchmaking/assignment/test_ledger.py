"""Ledgers: targets and caps, places that go back, attrition, and replay."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from matchmaking.assignment.attrition import Flow, flows
from matchmaking.assignment.ledger import Arm, Ledger, LedgerError, State, Strata, replayed
from matchmaking.assignment.records import Drawn, GivenUp, Record

FOUR = Strata(match={"": tuple(Arm(name, 20) for name in ("solo", "pair", "react", "finetuned"))})
ACTIONS = st.lists(
    st.tuples(st.sampled_from(["draw", "begin", "complete", "leave"]), st.integers(0, 60)),
    max_size=150,
)


def played(seed: str, strata: Strata, actions: list[tuple[str, int]]) -> Ledger:
    """Return a ledger after some actions on it, sensible or not."""
    ledger = Ledger(seed, strata)
    for at, (action, number) in enumerate(actions):
        if action == "draw":
            ledger.draw("match", [f"par_{at}"], at)
        elif number < len(ledger.places):
            if action == "leave":
                ledger.leave(number, at, "withdrew")
            else:
                getattr(ledger, action)(number, at)
    return ledger


def test_a_ledger_is_full_once_no_further_group_can_count_whatever_becomes_of_the_others() -> None:
    arms = (Arm("few", 1), Arm("capped", 2, most_begun=2))
    ledger = Ledger("secret", Strata(match={"": arms}))
    places = dict[str, list[int]]()
    while (drawn := ledger.draw("match", ["p"], 0.0)) is not None:
        places.setdefault(drawn.arm, []).append(drawn.place)
        ledger.begin(drawn.place, 0.0)
    (few,), (one, _) = places["few"], places["capped"]
    ledger.leave(one, 1.0, "withdrew")
    # The one that is under way may be lost, and leave its place to another.
    assert not ledger.is_full()
    ledger.complete(few, 2.0)
    assert ledger.is_full()


def test_a_ledger_is_full_where_nobody_of_any_levels_is_wanted() -> None:
    entry = (Arm("own=a", 1), Arm("own=b", 1))
    match = {"own=a": (Arm("x", 5),), "own=b": (Arm("y", 1, most_begun=1),)}
    ledger = Ledger("secret", Strata(entry, match))
    for _ in entry:
        assert not ledger.is_full()
        who = ledger.draw("entry", ["p"], 0.0)
        assert who is not None
        group = ledger.draw("match", ["p"], 0.0, stratum=who.arm)
        assert group is not None
        for place in (who.place, group.place):
            ledger.begin(place, 0.0)
            ledger.complete(place, 0.0)
    assert ledger.is_full()


def test_four_conditions_of_twenty_groups_fill_exactly() -> None:
    ledger = Ledger("secret", FOUR)
    while (drawn := ledger.draw("match", ["p"], 0.0)) is not None:
        assert ledger.begin(drawn.place, 1.0)
        assert ledger.complete(drawn.place, 2.0)
    assert len(ledger.places) == 80
    assert {arm: flow.completed for (_, arm), flow in flows(ledger).items()} == {
        "solo": 20,
        "pair": 20,
        "react": 20,
        "finetuned": 20,
    }


@given(st.text(max_size=4), ACTIONS)
def test_a_ledger_replays_from_its_records(seed: str, actions: list[tuple[str, int]]) -> None:
    ledger = played(seed, FOUR, actions)
    written = msgspec.json.encode(ledger.records)
    records = msgspec.json.decode(written, type=list[Record])
    again = replayed(seed, FOUR, records)
    assert (again.records, again.places, again.states) == (
        ledger.records,
        ledger.places,
        ledger.states,
    )
    assert flows(again) == flows(ledger)


@given(st.text(max_size=4), ACTIONS, st.integers(1, 4), st.integers(0, 3))
def test_no_arm_passes_its_target_or_its_cap(
    seed: str, actions: list[tuple[str, int]], target: int, more: int
) -> None:
    arms = tuple(Arm(name, target, target + more) for name in "ab")
    ledger = played(seed, Strata(match={"": arms}), actions)
    for flow in flows(ledger).values():
        assert flow.completed + flow.under_way <= target
        assert flow.drawn - flow.given_up <= target + more
        assert flow.drawn == flow.given_up + flow.completed + flow.lost + flow.under_way


def test_before_the_first_task_a_place_goes_back_and_later_not() -> None:
    ledger = Ledger("secret", Strata(match={"": (Arm("a", 1), Arm("b", 1))}, multiples=(1,)))
    first = ledger.draw("match", ["p"], 0.0)
    assert first is not None
    assert ledger.leave(first.place, 1.0, "not_ready")
    assert ledger.records[-1] == GivenUp(at=1.0, place=0, reason="not_ready")
    drawn = [ledger.draw("match", [p], 2.0) for p in "qr"]
    assert {(d.block, d.arm) for d in drawn if d} == {(0, "a"), (0, "b")}
    assert ledger.draw("match", ["s"], 3.0) is None, "both are taken"
    assert ledger.begin(1, 4.0)
    assert ledger.leave(1, 5.0, "withdrew")
    assert ledger.states[1] is State.LOST
    again = ledger.draw("match", ["s"], 6.0)
    assert again is not None
    assert again.block > 0, "the lost place is not drawn again: its arm goes on in another block"
    assert again.arm == ledger.places[1].arm
    assert again.closed == (ledger.places[2].arm,)


def test_an_arm_at_its_cap_is_closed_though_its_target_is_not_reached() -> None:
    ledger = Ledger("secret", Strata(match={"": (Arm("a", 1, 2),)}))
    for place in range(2):
        assert ledger.draw("match", ["p"], 0.0)
        assert ledger.begin(place, 1.0)
        assert ledger.leave(place, 2.0, "withdrew")
    assert ledger.draw("match", ["p"], 3.0) is None, "two have begun it"


def test_what_comes_late_changes_nothing() -> None:
    ledger = Ledger("secret", FOUR)
    assert ledger.draw("match", ["p"], 0.0)
    assert not ledger.complete(0, 1.0), "it never began"
    assert ledger.begin(0, 1.0)
    assert not ledger.begin(0, 2.0)
    assert ledger.complete(0, 3.0)
    assert not ledger.leave(0, 4.0, "withdrew"), "it is complete"
    assert len(ledger.records) == 3
    with pytest.raises(LedgerError, match="no place 7"):
        ledger.begin(7, 5.0)


def test_attrition_counts_by_the_arm_that_was_assigned() -> None:
    ledger = Ledger("secret", Strata(match={"": (Arm("a", 4),)}))
    for _ in range(4):
        ledger.draw("match", ["p"], 0.0)
    ledger.leave(0, 1.0, "not_ready")
    for place in (1, 2):
        ledger.begin(place, 1.0)
    ledger.leave(1, 2.0, "withdrew")
    ledger.complete(2, 2.0)
    flow = flows(ledger)["", "a"]
    assert flow == Flow(4, 1, 2, 1, 1, {"not_ready": 1, "withdrew": 1})
    assert (flow.under_way, flow.attrition) == (1, 0.5)
    assert flows(ledger, "entry") == {}


def test_levels_of_persons_are_drawn_at_entry_and_their_conditions_at_the_match() -> None:
    strata = Strata(
        entry=(Arm("view=near", 4), Arm("view=far", 4)),
        match={"view=near": (Arm("a", 2), Arm("b", 2)), "view=far": (Arm("c", 4),)},
    )
    ledger = Ledger("secret", strata)
    entries = [ledger.draw("entry", [f"p{n}"], n) for n in range(8)]
    assert sorted(d.arm for d in entries if d) == ["view=far"] * 4 + ["view=near"] * 4
    assert ledger.draw("entry", ["late"], 9.0) is None
    groups = [ledger.draw("match", [], 1.0, stratum="view=near") for _ in range(5)]
    assert sorted(d.arm for d in groups if d) == ["a", "a", "b", "b"]
    assert ledger.next_arm("match", "view=far", unavailable=["c"]) is None
    with pytest.raises(LedgerError, match="no stratum 'view=odd' at the match"):
        ledger.draw("match", [], 1.0, stratum="view=odd")


def other_arm(drawn: Drawn) -> Drawn:
    """Return a record with an arm that was not drawn."""
    return replace(drawn, arm="pair" if drawn.arm != "pair" else "solo")


FORGERIES: list[Callable[[Drawn], Drawn]] = [
    other_arm,
    lambda drawn: replace(drawn, block=drawn.block + 1),
    lambda drawn: replace(drawn, place=drawn.place + 1),
    lambda drawn: replace(drawn, closed=(drawn.arm,)),
]


@pytest.mark.parametrize("forge", FORGERIES)
@pytest.mark.parametrize("number", [0, 2])
def test_forged_records_are_refused(number: int, forge: Callable[[Drawn], Drawn]) -> None:
    ledger = Ledger("secret", FOUR)
    honest = [record for n in range(3) if (record := ledger.draw("match", [str(n)], n))]
    assert replayed("secret", FOUR, honest).records == ledger.records
    forged = [*honest]
    forged[number] = forge(honest[number])
    with pytest.raises(LedgerError, match=f"record {number + 1} is not what the seed gives"):
        replayed("secret", FOUR, forged)


def test_another_seed_does_not_replay() -> None:
    ledger = Ledger("secret", FOUR)
    for number in range(20):
        ledger.draw("match", [str(number)], number)
    with pytest.raises(LedgerError, match="is not what the seed gives"):
        replayed("guess", FOUR, ledger.records)
