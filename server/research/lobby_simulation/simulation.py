"""Simulation of a lobby on a virtual clock: the queue in use, and invented people."""

from __future__ import annotations

from collections import Counter
from functools import partial

import msgspec

from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.places import SUBSTITUTED
from matchmaking.limits import MOST_UNREADY, AtDeadline
from matchmaking.matches import Match
from matchmaking.recruiting_limits import Course as Recruited
from matchmaking.recruiting_limits import Spending, cause_of_pause
from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study.planned_units import episodes_of
from matchmaking.study_groups import begin_match
from matchmaking.tickets import Pool, State, Ticket
from server.research.lobby_simulation.arrivals import (
    Arrivals,
    Person,
    answer_s,
    people,
    play_time_s,
)
from server.research.simulated_lobby import SimulatedLobby

ENDINGS = {
    State.EXPIRED: Ending.NO_PARTNER,
    State.OVER_RECRUITED: Ending.OVER_RECRUITED,
    State.UNREADY: Ending.TIMED_OUT,
    State.CANCELLED: Ending.WITHDREW,
}
"""Endings of those who got no group; of the unready when they were so for the last time."""


class Visit(msgspec.Struct, frozen=True):
    """A simulated visit and its ending."""

    number: int
    came_at: float
    waited_s: float
    has_group: bool
    """Whether it got a group, whatever became of that."""
    ending: Ending
    cost: int
    """Pay in minor units."""


class Group(msgspec.Struct, frozen=True):
    """A simulated group."""

    cell: str
    people: int
    formed_at: float
    reason: str
    is_substituted: bool
    is_complete: bool


class Course(msgspec.Struct, frozen=True):
    """Result of a simulation."""

    visits: tuple[Visit, ...]
    groups: tuple[Group, ...]
    lasted_s: float
    full_at: float | None
    """Time from which no condition took another group; None: one did to the end."""
    spent_at: float | None
    """Time at which somebody was not let in first, because of the cap or budget; None: nobody."""
    turned_away: int
    """People who came and were not let in, because conditions or money were used up."""


class Simulation(SimulatedLobby):
    """A study's lobby with invented people; `run` plays it to the end."""

    def __init__(self, study: Study, arrivals: Arrivals) -> None:
        arrivals.check()
        assignment = Assignment(study, f"simulated {arrivals.seed}", _invented_tasks(study))
        super().__init__(study, assignment, arrivals.seed)
        self._arrivals = arrivals
        self._pool = Pool.of_study(study.key)
        self._people: dict[str, Person] = {}
        """People by their tickets; who was not ready in time has a further one."""
        self._inside: dict[int, str] = {}
        """Latest tickets of those whose visits go on."""
        self._unready: Counter[int] = Counter()
        self._asks: Counter[int] = Counter()
        self._spent = self._playing = self._turned_away = 0
        self._visits: list[Visit] = []
        self._groups: list[Group] = []
        self._full_at: float | None = None
        self._spent_at: float | None = None

    def run(self) -> Course:
        """Play until everybody who came has an ending."""
        for person in people(self._arrivals):
            self.at(person.comes_at, partial(self._come, person))
        self.pass_the_day()
        assert not self._inside, "everybody who was let in has one ending"
        self._visits.sort(key=lambda visit: visit.number)
        return Course(
            tuple(self._visits),
            tuple(self._groups),
            self.now,
            self._full_at,
            self._spent_at,
            self._turned_away,
        )

    def _come(self, person: Person) -> None:
        if not self._has_money():
            self._turned_away += 1
            if self._spent_at is None:
                self._spent_at = self.now
        elif self.places.are_all_taken:
            # The first page says so, until a group breaks off.
            self._turned_away += 1
        else:
            self._join(person)
            if person.patience_s < float("inf"):
                self.at(self.now + person.patience_s, partial(self._give_up, person))

    def _has_money(self) -> bool:
        """Tell whether a study lets another one in, as its server decides."""
        most = self.study.most_of_a_visit
        spending = Spending(self._spent, None if most is None else most * len(self._inside))
        return (
            spending.takes_another(self.study)
            and cause_of_pause(self.study, Recruited(spending, (), 0.0)) is None
        )

    def _join(self, person: Person) -> None:
        ticket_id = f"tic_{person.number:06}_{self._unready[person.number]}"
        self._people[ticket_id], self._inside[person.number] = person, ticket_id
        who = f"par_{person.number:06}"
        self.queue.join(ticket_id, who, self._pool, self.now, rtt_ms=person.rtt_ms)
        self.queue.appear(ticket_id, self.now)
        self.schedule_round()

    def _give_up(self, person: Person) -> None:
        ticket_id = self._inside.get(person.number, "")
        if self.queue.cancel(ticket_id):
            self._end(ticket_id, State.CANCELLED)

    def _look_whether_full(self) -> None:
        if not self.places.are_all_taken:
            self._full_at = None
        elif self._full_at is None:
            self._full_at = self.now

    def free_homes(self) -> int:
        return self._arrivals.homes - self._playing

    def left_over(self, ticket: Ticket) -> None:
        person = self._people[ticket.ticket_id]
        if ticket.state is State.UNREADY:
            self._unready[person.number] += 1
            if self._unready[person.number] < MOST_UNREADY:
                self._join(person)
                return
        self._end(ticket.ticket_id, ticket.state)
        self._look_whether_full()

    def answers_s(self, ticket_id: str) -> float | None:
        number = self._people[ticket_id].number
        self._asks[number] += 1
        return answer_s(self._arrivals, number, self._asks[number], self.study.limits.ready_s)

    def begin(self, match: Match) -> None:
        assert match.decision is not None
        number = len(self._groups)
        plays_s, breaks_off = play_time_s(self._arrivals, number)
        self._playing += 1
        group = Group(
            match.cell,
            len(match.assignments),
            self.now,
            match.decision.reason,
            match.is_substituted,
            not breaks_off,
        )
        self._groups.append(group)
        began = {
            ticket_id: self.now - self._people[ticket_id].comes_at for ticket_id in match.ticket_ids
        }
        self.queue.settle(match)
        if match.place is not None:
            people = [a.participant_id for a in match.assignments]
            self.places.deal(match.place, people)
            begin_match(self.places, match)
        self._look_whether_full()
        self.at(self.now + plays_s, partial(self._finish, match, group, began, plays_s))

    def _finish(self, match: Match, group: Group, waited: dict[str, float], plays_s: float) -> None:
        self._playing -= 1
        if match.place is not None:
            people = [a.participant_id for a in match.assignments]
            if group.is_complete and not match.is_substituted:
                self.places.complete(match.place, people)
            else:
                reason = SUBSTITUTED if group.is_complete else "broke_off"
                self.places.leave(match.place, reason, people)
        for number, (ticket_id, waited_s) in enumerate(waited.items()):
            ending = Ending.COMPLETED
            if not group.is_complete:
                # The first of them is who left.
                ending = Ending.WITHDREW if number == 0 else Ending.PARTNER_LEFT
            self._note(ticket_id, ending, waited_s, plays_s)
        self._look_whether_full()
        if len(self.queue):
            self.schedule_round()

    def _end(self, ticket_id: str, state: State) -> None:
        self._note(ticket_id, ENDINGS[state], self.now - self._people[ticket_id].comes_at, 0.0)

    def _note(self, ticket_id: str, ending: Ending, waited_s: float, plays_s: float) -> None:
        person = self._people[ticket_id]
        del self._inside[person.number]
        goes_on = ending is Ending.NO_PARTNER and self.study.at_deadline is AtDeadline.SURVEY
        sees_all = goes_on or ending in (Ending.COMPLETED, Ending.PARTNER_LEFT)
        spent_s = person.pages_s * (1.0 if sees_all else 0.5) + waited_s + plays_s
        # Every task is done: the cost is what must be there, not what is likely.
        successes = (self.study.tasks_of_a_visit or 0) if plays_s else 0
        owed = self.study.owed(ending, spent_s=spent_s, waited_s=waited_s, successes=successes)
        visit = Visit(person.number, person.comes_at, waited_s, plays_s > 0.0, ending, owed.total)
        self._visits.append(visit)
        self._spent += owed.total


def _invented_tasks(study: Study) -> list[str]:
    """Return as many tasks as a group needs; which ones they are does not matter here."""
    return [f"task_{number}" for number in range(episodes_of(study) * len(study.cells))]


def simulate(study: Study, arrivals: Arrivals) -> Course:
    """Play a study's lobby with invented people. Raises ArrivalsError for what cannot be."""
    return Simulation(study, arrivals).run()
