"""Groups of any size: who plays with whom, when, in which seats, and with which policies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.teams import Team
from matchmaking.invitations import InviteError
from matchmaking.limits import Limits
from matchmaking.matches import Match
from matchmaking.matchmakers.first_come import FirstCome
from matchmaking.offers import PAIR, Offer, Offers
from matchmaking.queue import Queue
from matchmaking.tickets import Pool, State, Ticket, Wish
from tests.matchmaking.old_pairs import OldMatch, old_robot_after
from tests.matchmaking.queue_rounds import groups_in

NOW = 1000.0
TEAMS = (
    "pair",
    "2human",
    "3human",
    "5human",
    "human=person,human=person,robot=expert",
    "human=person,robot=person,robot=person",
    "human=person,human=person,robot=person,robot=expert",
    "robot=person,robot=person,robot=person",
)
CODES = ("", "a", "b")


@st.composite
def offers_of(draw: st.DrawFn) -> Offer:
    team = Team.parse(draw(st.sampled_from(TEAMS)))
    least = draw(st.integers(1, len(team.people)))
    after_s = draw(st.sampled_from([0.0, 30.0, 90.0]))
    return Offer("team", team, least, after_s, draw(st.sampled_from(["", "cohab"])))


@st.composite
def tickets_of(draw: st.DrawFn, offer: Offer) -> list[Ticket]:
    """Draw tickets that a queue lets in: places that a link names are taken once."""
    tickets: list[Ticket] = []
    for number in range(draw(st.integers(0, 14))):
        code = draw(st.sampled_from(CODES))
        holders = [ticket for ticket in tickets if code and ticket.code == code]
        if len(holders) == offer.people:
            continue
        free = set(offer.team.people) - {ticket.seat for ticket in holders}
        seat = draw(st.sampled_from(["", *sorted(free)])) if code else ""
        tickets.append(
            Ticket(
                f"tic_{number:02}",
                f"par_{number:02}",
                Wish.INVITE if code else Wish.PERSON,
                NOW - draw(st.floats(0.0, 120.0)),
                State.WAITING,
                code,
                team="team",
                seat=seat,
                wants_to_begin=bool(code) and draw(st.booleans()),
            )
        )
    return tickets


@st.composite
def lobbies(draw: st.DrawFn) -> tuple[Offer, list[Ticket], int]:
    offer = draw(offers_of())
    return offer, draw(tickets_of(offer)), draw(st.integers(0, 999))


def match(offer: Offer, tickets: Sequence[Ticket], seed: int) -> list[Match]:
    return FirstCome(Offers({"team": offer}))(tickets, NOW, Random(seed))


def by_pool(tickets: Sequence[Ticket]) -> dict[Pool, list[Ticket]]:
    pools: defaultdict[Pool, list[Ticket]] = defaultdict(list)
    for ticket in sorted(tickets, key=lambda t: t.place):
        pools[ticket.pool].append(ticket)
    return pools


def is_impatient(offer: Offer, first: Ticket, group: Sequence[Ticket]) -> bool:
    """Tell whether a group begins without those who have not come."""
    if first.wish is Wish.INVITE:
        return any(ticket.wants_to_begin for ticket in group)
    return NOW - first.joined_at >= offer.after_s


@given(lobbies())
def test_nobody_is_in_two_groups_or_two_seats_and_groups_are_of_one_pool(
    lobby: tuple[Offer, list[Ticket], int],
) -> None:
    offer, tickets, seed = lobby
    matches = match(offer, tickets, seed)
    seated = Counter(a.participant_id for m in matches for a in m.assignments)
    assert set(seated.values()) <= {1}
    pool_of = {ticket.ticket_id: ticket.pool for ticket in tickets}
    for found in matches:
        assert len({pool_of[ticket_id] for ticket_id in found.ticket_ids}) == 1
        assert sorted(a.seat_id for a in found.assignments) == sorted(found.team.people)


@given(lobbies())
def test_nobody_waits_while_a_group_can_begin(lobby: tuple[Offer, list[Ticket], int]) -> None:
    offer, tickets, seed = lobby
    used = {t for m in match(offer, tickets, seed) for t in m.ticket_ids}
    for group in by_pool(tickets).values():
        left = [ticket for ticket in group if ticket.ticket_id not in used]
        # First come, first served: who is left came after all who play.
        assert left == group[len(group) - len(left) :]
        assert len(left) < offer.people
        if len(left) >= offer.least:
            assert not is_impatient(offer, left[0], left)


@given(lobbies())
def test_fewer_begin_only_as_the_offer_says_and_policies_fill_their_places(
    lobby: tuple[Offer, list[Ticket], int],
) -> None:
    offer, tickets, seed = lobby
    of_id = {ticket.ticket_id: ticket for ticket in tickets}
    for found in match(offer, tickets, seed):
        group = [of_id[ticket_id] for ticket_id in found.ticket_ids]
        missing = offer.people - len(group)
        if not missing:
            assert found.team == offer.team
            continue
        assert len(group) >= offer.least
        assert is_impatient(offer, group[0], group)
        policies = Counter(found.team.policies.values())
        policies.subtract(offer.team.policies.values())
        assert +policies == (Counter({offer.fill: missing}) if offer.fill else Counter())
        assert found.team.bodies == offer.team.bodies - (0 if offer.fill else missing)
        if all(not ticket.seat for ticket in group):
            humans = sum(seat.startswith("human") for seat in offer.team.people)
            kept = sum(seat.startswith("human") for seat in found.team.people)
            assert kept == min(len(group), humans), "people get the human bodies first"


@given(st.lists(lobbies(), min_size=2, max_size=3), st.integers(0, 3))
def test_the_group_that_could_begin_first_gets_a_scarce_home(
    lobbies_of: list[tuple[Offer, list[Ticket], int]], free: int
) -> None:
    offers, waiting = {}, []
    for number, (offer, tickets, _) in enumerate(lobbies_of):
        name = f"team{number}"
        offers[name] = msgspec.structs.replace(offer, name=name)
        waiting += [
            msgspec.structs.replace(
                ticket,
                ticket_id=f"{ticket.ticket_id}_{number}",
                participant_id=f"{ticket.participant_id}_{number}",
                team=name,
            )
            for ticket in tickets
        ]
    matches = FirstCome(Offers(offers))(waiting, NOW, Random(0))
    of_id = {ticket.ticket_id: ticket for ticket in waiting}

    def ready_at(found: Match) -> float:
        group = sorted((of_id[t] for t in found.ticket_ids), key=lambda t: t.joined_at)
        offer = offers[group[0].team]
        if len(group) == offer.people or group[0].wish is Wish.INVITE:
            return group[-1].joined_at
        return max(group[offer.least - 1].joined_at, group[0].joined_at + offer.after_s)

    times = [ready_at(found) for found in matches]
    assert all(served <= left for served in times[:free] for left in times[free:])


@given(lobbies())
def test_who_came_by_a_link_for_a_place_gets_it(lobby: tuple[Offer, list[Ticket], int]) -> None:
    offer, tickets, seed = lobby
    of_id = {ticket.ticket_id: ticket for ticket in tickets}
    for found in match(offer, tickets, seed):
        # Bodies that are left out change the numbers of others, never their kinds.
        is_whole = found.team.seats == offer.team.seats
        for assignment in found.assignments:
            asked = of_id[assignment.ticket_id].seat
            if asked and is_whole:
                assert assignment.seat_id == asked
            elif asked:
                assert assignment.seat_id.partition("_")[0] == asked.partition("_")[0]


def test_the_places_of_a_group_are_drawn() -> None:
    offer = Offer("team", Team.parse("human=person,human=person,robot=person"), 3)
    tickets = [
        Ticket(f"tic_{n}", f"par_{n}", Wish.PERSON, 0.0, State.WAITING, team="team")
        for n in range(3)
    ]
    robots: Counter[str] = Counter()
    for seed in range(300):
        (found,) = match(offer, tickets, seed)
        robots.update(a.ticket_id for a in found.assignments if a.seat_id == "robot_0")
    assert all(70 < robots[f"tic_{n}"] < 130 for n in range(3))


PAIR_WISHES = st.tuples(
    st.sampled_from(
        [
            (Wish.SOLO, "", ""),
            (Wish.PERSON, "", ""),
            (Wish.INVITE, "a", ""),
            (Wish.INVITE, "b", ""),
            (Wish.ROBOT, "", "cohab"),
        ]
    ),
    st.floats(0.0, 120.0),
)


@given(st.lists(PAIR_WISHES, max_size=20), st.integers(0, 999), st.sampled_from([0.0, 45.0]))
def test_pairs_are_matched_and_drawn_as_before_there_were_groups(
    wishes: list[tuple[tuple[Wish, str, str], float]], seed: int, after_s: float
) -> None:
    tickets = [
        Ticket(f"tic_{n:02}", f"par_{n:02}", wish, NOW - age, State.WAITING, code, robot)
        for n, ((wish, code, robot), age) in enumerate(wishes)
    ]
    old_rng, new_rng = Random(seed), Random(seed)
    old = old_robot_after(after_s or NOW * 2, "expert", tickets, NOW, old_rng)
    pair = Offer("", PAIR.team, 1, after_s, "expert") if after_s else PAIR
    new = FirstCome(Offers(pair=pair))(tickets, NOW, new_rng)
    assert sorted(map(_as_old, new)) == sorted(old)
    assert new_rng.getstate() == old_rng.getstate()


def _as_old(found: Match) -> OldMatch:
    people = tuple((a.ticket_id, a.seat_id) for a in found.assignments)
    return OldMatch(people, tuple(found.team.policies.items()))


@given(st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=1, max_size=12), offers_of())
def test_nobody_is_left_without_an_outcome(arrivals: list[tuple[int, bool]], offer: Offer) -> None:
    """Each stay ends once: in a home where there is room, or after the longest wait."""
    limits = Limits(wait_s=300.0)
    offers = Offers({"team": offer})
    queue = Queue(limits, FirstCome(offers), offers)
    now, ended, rng = 0.0, Counter[str](), Random(1)
    for number, (pause_s, comes) in enumerate(arrivals):
        now += pause_s
        ticket = queue.join(
            f"tic_{number:02}", f"par_{number:02}", Pool(Wish.PERSON, team="team"), now
        )
        if comes:
            queue.appear(ticket.ticket_id, now)
        _play(queue, now, rng, ended)
    last = now
    while now <= last + limits.wait_s:
        now += 10.0
        _play(queue, now, rng, ended)
        if offer.least == 1 and now >= last + max(offer.after_s, limits.arrival_s):
            assert len(queue) == 0
    assert len(queue) == 0
    assert ended == Counter({f"tic_{number:02}": 1 for number in range(len(arrivals))})


def _play(queue: Queue, now: float, rng: Random, ended: Counter[str]) -> None:
    for found in queue.round(now, rng, 99):
        if isinstance(found, Ticket):
            ended[found.ticket_id] += 1
            continue
        queue.settle(found)
        ended.update(found.ticket_ids)


@pytest.mark.parametrize(
    ("seat", "kind"), [("human_0", "taken"), ("human_7", "no_such_place"), ("", "full")]
)
def test_an_invitation_of_a_team_has_its_places(seat: str, kind: str) -> None:
    offers = Offers({"3human": Offer("3human", Team.parse("3human"), 3)})
    queue, pool = Queue(offers=offers), Pool(Wish.INVITE, "code", team="3human")
    queue.join("tic_1", "par_1", pool, 0.0, "human_0")
    queue.join("tic_2", "par_2", pool, 1.0)
    if kind == "full":
        queue.join("tic_3", "par_3", pool, 2.0, "human_2")
    with pytest.raises(InviteError) as failure:
        queue.join("tic_4", "par_4", pool, 3.0, seat)
    assert failure.value.kind == kind


def test_friends_are_waited_for_until_one_of_them_says_otherwise() -> None:
    offers = Offers({"team": Offer("team", Team.parse("3human"), 2, 0.0)})
    queue, pool = Queue(Limits(), FirstCome(offers), offers), Pool(Wish.INVITE, "code", team="team")
    for number in range(2):
        ticket = queue.join(f"tic_{number}", f"par_{number}", pool, 0.0)
        assert not queue.begin_now("tic_0"), "the least are not here"
        queue.appear(ticket.ticket_id, 0.0)
    queue.vanish("tic_1", 400.0)
    assert not queue.begin_now("tic_0"), "one of the least is away"
    queue.appear("tic_1", 400.0)
    assert groups_in(queue, 500.0, Random(1), 9) == []
    assert not queue.begin_now("tic_of_nobody")
    assert queue.begin_now("tic_1")
    (found,) = groups_in(queue, 500.0, Random(1), 9)
    assert found.team == Team.parse("2human")


def test_a_team_waits_while_one_of_its_policies_does_not_answer() -> None:
    offers = Offers({"team": Offer("team", Team.parse("human=person,robot=cohab"), 1)})
    ticket = Ticket("tic_1", "par_1", Wish.ROBOT, 0.0, State.WAITING, team="team")
    assert FirstCome(offers, lambda name: name != "cohab")([ticket], NOW, Random(1)) == []
    assert len(FirstCome(offers)([ticket], NOW, Random(1))) == 1
