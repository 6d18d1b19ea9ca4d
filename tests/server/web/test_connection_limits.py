"""Limits of connections: how many, from whom, and who makes room when all places are taken."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from server.web.connection_limits import (
    DEBT,
    FEW,
    KEPT_FROM_PROXIES,
    NEW_CONNECTIONS,
    PATIENCE_S,
    ConnectionLimits,
    Kind,
    Peer,
    Place,
)

KINDS: dict[str, Kind] = {"a": "address", "b": "address", "p": "proxy", "x": "exempt"}
PEERS = [Peer(group, kind) for group, kind in KINDS.items()]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("open", "open", "open", "begins", "busy", "waits", "close", "move")),
        st.sampled_from(PEERS),
        st.integers(0, 1000),
        st.floats(0, 2),
    ),
    max_size=200,
)


def visitor(number: int) -> Peer:
    return Peer(f"visitor {number}", "address")


@settings(max_examples=300)
@given(STEPS, st.integers(2, 12), st.integers(1, 8))
def test_places_are_never_more_than_there_are_and_nobody_loses_a_request(
    steps: list[tuple[str, Peer, int, float]], total: int, per_address: int
) -> None:
    limits, now = ConnectionLimits(total, per_address), 0.0
    most = {"address": min(per_address, total), "proxy": max(1, total - KEPT_FROM_PROXIES)}
    places: dict[Place, bool] = {}
    """Places that are open, and whether they wait for a request."""
    unfinished: set[Place] = set()
    """Those of which none has come whole since the last was answered."""
    for what, peer, number, later in steps:
        now += later
        place = list(places)[number % len(places)] if places else None
        if what == "open":
            since = {p: p.since for p in places}
            before = Counter(p.peer.group for p, waits in places.items() if waits)
            entry = limits.admit(peer, now)
            if entry is None:
                continue
            if entry.evicted is not None:
                evicted = entry.evicted
                assert places.pop(evicted), "it was answering a request"
                assert not evicted.is_open
                if evicted in unfinished and evicted.peer == peer and peer.kind != "exempt":
                    held = 1 + sum(p.peer.group == peer.group for p in places)
                    assert held == most[peer.kind] or len(places) + 1 == total
                    assert now - since[evicted] >= PATIENCE_S or len(places) + 1 == total
                else:
                    assert len(places) + 1 == total
                    is_old = now - since[evicted] >= PATIENCE_S
                    assert is_old or before[evicted.peer.group] > before[peer.group] + 1
            places[entry.place] = True
            unfinished.add(entry.place)
        elif place is None:
            continue
        elif what == "begins":
            limits.begins(place, now)
            places[place] = True
            unfinished.add(place)
        elif what == "busy":
            limits.busy(place)
            places[place] = False
            unfinished.discard(place)
        elif what == "waits":
            unfinished.discard(place)
            limits.waits(place, now)
            places[place] = True
        elif what == "close":
            limits.close(place)
            limits.close(place)
            del places[place]
        elif place.peer.kind == "proxy":
            limits.busy(place)
            places[place] = False
            unfinished.discard(place)
            held, since = limits.held("a"), {p: p.since for p in unfinished}
            moved = limits.move(place, "a", now)
            if moved is None:
                assert held == most["address"]
                assert place.peer.kind == "proxy"
            else:
                assert place.peer == Peer("a", "address")
            if moved is not None and moved.evicted is not None:
                assert held == most["address"]
                assert moved.evicted.peer == place.peer
                assert now - since[moved.evicted] >= PATIENCE_S
                assert places.pop(moved.evicted)
        assert len(limits) == len(places) <= total
        groups = Counter(p.peer.group for p in places)
        for group, kind in KINDS.items():
            assert limits.held(group) == groups[group]
            assert kind != "address" or groups[group] <= min(per_address, total)
    for place in places:
        limits.close(place)
    assert len(limits) == 0
    assert all(limits.held(group) == 0 for group in KINDS)


def test_a_laboratory_behind_one_address_is_never_refused() -> None:
    """Sixty people open the game in the same second, each with six connections and a socket."""
    limits, campus = ConnectionLimits(1960, 600), Peer("campus", "address")
    for _ in range(60):
        for number in range(7):
            entry = limits.admit(campus, 0.5)
            assert entry is not None
            assert entry.evicted is None
            limits.busy(entry.place)
            if number:
                limits.close(entry.place)
    assert len(limits) == 60


def test_open_and_close_from_fifty_addresses_costs_little_and_shuts_nobody_out() -> None:
    limits = ConnectionLimits(1960, 600)
    opened = asked = 0
    for millisecond in range(20_000):
        now = millisecond / 1000
        for _ in range(10):
            asked += 1
            entry = limits.admit(visitor(asked % 50), now)
            if entry is not None:
                opened += 1
                limits.close(entry.place)
        if millisecond % 500 == 0:
            # Somebody loads a page now and then.
            for _ in range(6):
                entry = limits.admit(Peer(f"reader {millisecond}", "address"), now)
                assert entry is not None
                limits.close(entry.place)
        assert limits.rest_s(now) == 0
    assert asked == 200_000
    assert opened <= NEW_CONNECTIONS.burst + 20 * NEW_CONNECTIONS.per_s + 50 * FEW.burst


def test_strangers_with_a_network_each_make_everybody_wait_and_no_longer_than_needed() -> None:
    limits = ConnectionLimits(10_000, 600)
    opened = 0
    while limits.rest_s(0.0) == 0:
        entry = limits.admit(visitor(opened), 0.0)
        assert entry is not None
        limits.close(entry.place)
        opened += 1
    assert opened == NEW_CONNECTIONS.burst + DEBT
    assert limits.admit(visitor(-1), 0.0) is None
    rest_s = limits.rest_s(0.0)
    assert 0 < rest_s <= 1 / NEW_CONNECTIONS.per_s
    assert limits.admit(visitor(-1), rest_s + 1e-9) is not None


def test_who_holds_most_makes_room_for_who_holds_few() -> None:
    limits, stranger = ConnectionLimits(50, 50), Peer("stranger", "address")
    held = [limits.admit(stranger, 0.0) for _ in range(50)]
    assert all(held)
    assert limits.admit(stranger, 0.5) is None
    entry = limits.admit(Peer("reader", "address"), 0.5)
    assert entry is not None
    assert held[0] is not None
    assert entry.evicted is held[0].place


def test_strangers_do_not_push_out_a_laboratory_in_which_many_play() -> None:
    limits, lab = ConnectionLimits(50, 50), Peer("laboratory", "address")
    for _ in range(20):
        entry = limits.admit(lab, 0.0)
        assert entry is not None
        limits.busy(entry.place)
    for number in range(30):
        assert limits.admit(visitor(number % 15), 0.0) is not None
    newcomer = limits.admit(lab, 2.0)
    assert newcomer is not None
    for number in range(100):
        limits.admit(visitor(number), 2.0 + number / 1000)
    assert newcomer.place.is_open


def test_proxies_leave_places_for_this_machine() -> None:
    limits, proxy = ConnectionLimits(100, 100), Peer("proxy", "proxy")
    opened = [e for _ in range(200) if (e := limits.admit(proxy, 0.0))]
    assert len(opened) == 100 - KEPT_FROM_PROXIES
    for entry in opened:
        limits.busy(entry.place)
    assert limits.admit(Peer("127.0.0.1", "address"), 0.0) is not None


def test_the_oldest_of_an_address_that_never_asked_makes_room_for_its_next() -> None:
    limits, campus = ConnectionLimits(100, 8), Peer("campus", "address")
    entries = [e for second in range(8) if (e := limits.admit(campus, float(second)))]
    playing, loaded, *half = [entry.place for entry in entries]
    limits.busy(playing)
    limits.busy(loaded)
    limits.waits(loaded, 8.0)
    for second, expected in enumerate(half, start=10):
        entry = limits.admit(campus, float(second))
        assert entry is not None
        assert entry.evicted is expected
        limits.busy(entry.place)
    assert limits.held("campus") == 8
    assert limits.admit(campus, 30.0) is None, "all of them have asked"
    assert playing.is_open
    assert loaded.is_open


def test_the_oldest_half_request_of_a_proxy_makes_room_for_its_next() -> None:
    limits, proxy = ConnectionLimits(KEPT_FROM_PROXIES + 4, 600), Peer("proxy", "proxy")
    entries = [e for second in range(4) if (e := limits.admit(proxy, float(second)))]
    asking, waiting, *halves = [entry.place for entry in entries]
    limits.busy(asking)
    limits.waits(waiting, 4.0)
    for place in halves:
        limits.begins(place, 5.0)
    assert limits.admit(proxy, 5.5) is None, "they have only just begun"
    for half in halves:
        entry = limits.admit(proxy, 6.0)
        assert entry is not None
        assert entry.evicted is half
        limits.busy(entry.place)
    assert limits.admit(proxy, 60.0) is None
    assert asking.is_open
    assert waiting.is_open


def test_a_visitors_oldest_half_makes_room_for_the_next_that_a_proxy_hands_on() -> None:
    limits, proxy = ConnectionLimits(100, 2), Peer("proxy", "proxy")
    moved: list[Place] = []
    for second in range(3):
        entry = limits.admit(proxy, float(second))
        assert entry is not None
        limits.busy(entry.place)
        answer = limits.move(entry.place, "visitor", float(second))
        assert answer is not None
        assert answer.evicted is (moved[0] if second == 2 else None)
        limits.begins(entry.place, float(second))
        moved.append(entry.place)
    for place in moved[1:]:
        limits.busy(place)
    entry = limits.admit(proxy, 60.0)
    assert entry is not None
    assert limits.move(entry.place, "visitor", 60.0) is None, "both have said hello"
    assert limits.held("visitor") == 2


def test_who_has_gone_waits_for_nothing() -> None:
    limits, stranger = ConnectionLimits(2, 2), Peer("stranger", "address")
    entry = limits.admit(stranger, 0.0)
    assert entry is not None
    limits.close(entry.place)
    limits.begins(entry.place, 0.0)
    limits.waits(entry.place, 0.0)
    assert all(limits.admit(stranger, 60.0) for _ in range(2))
    assert limits.admit(Peer("other", "address"), 60.5) is not None
    assert len(limits) == 2
