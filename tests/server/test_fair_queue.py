"""Queue of requests: in turn by address, a few at a time."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from server.fair_queue import FairQueue

HOLD_S = 0.05
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("ask", "ask", "begin", "done", "leave")),
        st.sampled_from("abc"),
        st.integers(0, 99),
        st.floats(0, 0.04),
    ),
    max_size=150,
)


@settings(max_examples=300)
@given(STEPS, st.integers(1, 4), st.integers(1, 6))
def test_few_begin_at_once_and_each_once(
    steps: list[tuple[str, str, int, float]], at_once: int, most: int
) -> None:
    queue: FairQueue[int] = FairQueue(at_once, HOLD_S, most)
    waiting: dict[int, str] = {}
    begun: dict[int, float] = {}
    now = 0.0
    for number, (what, group, index, later) in enumerate(steps):
        now += later
        if what == "ask":
            may = Counter(waiting.values())[group] < most
            assert queue.ask(group, number) is may
            if may:
                waiting[number] = group
        elif what == "begin":
            young = [at for at in begun.values() if now - at < HOLD_S]
            who = queue.begin(now)
            assert (who is None) is (len(young) >= at_once or not waiting)
            if who is not None:
                mine = waiting.pop(who)
                assert all(other > who for other, g in waiting.items() if g == mine), "first come"
                begun[who] = now
            elif waiting:
                due_at = queue.due_at()
                assert due_at is not None
                assert now <= due_at <= now + HOLD_S
        elif what == "done" and begun:
            who = list(begun)[index % len(begun)]
            del begun[who]
            queue.done(who)
        elif what == "leave" and waiting:
            who = list(waiting)[index % len(waiting)]
            del waiting[who]
            queue.done(who)
        assert len(queue) == len(waiting)


@given(st.integers(1, 60), st.integers(1, 50))
def test_who_asks_for_one_page_waits_for_one_of_each_other(groups: int, each: int) -> None:
    queue: FairQueue[str] = FairQueue(1, HOLD_S, 1000)
    for group in range(groups):
        for number in range(each):
            assert queue.ask(f"stranger {group}", f"{group}.{number}")
    assert queue.ask("reader", "page")
    before = 0
    while (who := queue.begin(0.0)) != "page":
        assert who is not None
        queue.done(who)
        before += 1
    assert before == groups
