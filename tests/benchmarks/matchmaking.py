"""Benchmark of matchmaking: a balanced round over many tickets, and simultaneous joins.

``python -m tests.benchmarks.matchmaking`` prints milliseconds of processor time, the best and the
middle of several. The groups are the matchmakers' alone: no sessions and no database.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import median

from episodes.teams import Team
from matchmaking.matches import Match
from matchmaking.matchmakers.balanced import Balanced
from matchmaking.matchmakers.first_come import FirstCome
from matchmaking.offers import Offers
from matchmaking.pair_rules import LatencyBound
from matchmaking.queue import Queue
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.pages import Consent, Lobby, Play
from matchmaking.study.recruiter import Recruiter
from matchmaking.tickets import Pool, State, Ticket, Wish
from tests.matchmaking.made_places import places_of
from tests.matchmaking.queue_rounds import groups_in

WAITING = 10_000
JOINS = 1_000
ROUNDS = 9
NOW = 1_000_000.0


def balanced_study(latency: LatencyBound | None = None) -> Study:
    """Return a study of four conditions, two of them for a person alone with a robot."""
    pair, robot = Team.parse("pair"), Team.parse("human=person,robot=expert")
    cells = (("told", pair), ("untold", pair), ("robot", robot), ("quiet_robot", robot))
    return Study(
        name="benchmark",
        title={"en": "Benchmark"},
        recruiter=Recruiter(kind="direct"),
        pages=(Consent(version="1", text={"en": "Agree?"}), Lobby(), Play()),
        cells=tuple(Cell(name=name, team=team, target=WAITING) for name, team in cells),
        latency=latency,
    )


def waiting(count: int, rng: Random) -> list[Ticket]:
    """Return tickets of people who came within an hour, some of whom have met."""
    people = [f"par_{number:05}" for number in range(count)]
    return [
        Ticket(
            f"tic_{number:05}",
            person,
            Wish.PERSON,
            NOW - rng.uniform(0, 100),
            State.WAITING,
            rtt_ms=rng.lognormvariate(4, 0.6),
            met=frozenset(rng.sample(people, 2)),
        )
        for number, person in enumerate(people)
    ]


def timed(name: str, run: Callable[[], Sequence[Match]]) -> None:
    """Run something several times, and print how long it took and what groups came of it."""
    times_ms: list[float] = []
    for _ in range(ROUNDS):
        began = time.process_time()
        matches = run()
        times_ms.append((time.process_time() - began) * 1000)
    seated = Counter(a.participant_id for match in matches for a in match.assignments)
    assert set(seated.values()) <= {1}, "somebody is in two groups"
    print(
        f"{name}: best {min(times_ms):.1f} ms, middle {median(times_ms):.1f} ms, "
        f"{len(matches)} groups of {len(seated)} people"
    )


def simultaneous_joins() -> list[Match]:
    """Let people join a queue at one instant, and form groups once."""
    queue = Queue(matchmaker=FirstCome(Offers()))
    for number in range(JOINS):
        ticket = queue.join(f"tic_{number:04}", f"par_{number:04}", Pool(Wish.PERSON), NOW)
        queue.appear(ticket.ticket_id, NOW)
    return groups_in(queue, NOW, Random(1), JOINS)


def main() -> None:
    tickets = waiting(WAITING, Random(5))
    for name, study in (
        ("balanced", balanced_study()),
        ("balanced, latency-bounded", balanced_study(LatencyBound(most_ms=200))),
    ):
        matchmaker = Balanced(study, lambda _name: True)
        timed(
            f"{name}, {WAITING} tickets, the first round, which draws all conditions",
            lambda m=matchmaker, s=study: m(tickets, NOW, Random(1), places_of(s)),  # type: ignore[misc]
        )
        timed(
            f"{name}, {WAITING} tickets, a round after that",
            partial(matchmaker, tickets, NOW, Random(1), places_of(study)),
        )
    first_come = FirstCome(Offers())
    timed(f"first come, {WAITING} tickets", lambda: first_come(tickets, NOW, Random(1)))
    timed(f"{JOINS} simultaneous joins", simultaneous_joins)


if __name__ == "__main__":
    main()
