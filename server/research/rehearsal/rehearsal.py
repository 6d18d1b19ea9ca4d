"""Rehearsal of a study: scripted participants on a virtual clock, and the state machines in use.

Visits move by the table of visits, the lobby is the queue with its matchmaker, conditions and tasks
come from the ledger of draws, and attempts follow a group's plan. Only pages, sockets and the
simulator are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.ledger import Ledger, replayed
from matchmaking.assignment.places import SUBSTITUTED, Places
from matchmaking.assignment.strata import strata_of
from matchmaking.matches import Match
from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study.pages import Play
from matchmaking.study_groups import begin_match
from matchmaking.tickets import Pool, State, Ticket
from matchmaking.visits import Event, Place, Standing, route_of
from server.research.rehearsal.attempts import Outcomes, attempts_of
from server.research.rehearsal.habits import Habits, Person, usual_success
from server.research.simulated_lobby import SimulatedLobby
from server.research.studies.counted_attempts import Played

CHECKS = frozenset({Place.DEVICE, Place.ELIGIBILITY, Place.TUTORIAL, Place.QUIZ})
EVENTS = {
    State.EXPIRED: Event.NO_PARTNER,
    State.OVER_RECRUITED: Event.OVER_RECRUITED,
}
"""Events that ends of a stay in the lobby are to its visit; after others people leave."""
MOST_PEOPLE = 20
"""Most people who come, in times of those that the targets need."""
MOST_AT_ONCE = 10_000
"""Most sessions at once: a rehearsal has no machine to spare."""
ANSWER_S = 3.0
"""Time after which somebody who is ready says so."""


class RehearsalError(ValueError):
    """Error for a rehearsal that cannot be; the text is a sentence for whoever asked for it."""


class Rehearsed(NamedTuple):
    """Course of a rehearsal."""

    people: Sequence[Person]
    places: Places
    attempts: Sequence[Played]
    substituted: int
    doubles: int
    """Times that somebody opened the link again, and came to the visit that they had."""
    cost: int
    lasted_s: float


class Rehearsal(SimulatedLobby):
    """A study with scripted participants; `run` plays it to the end.

    ``groups`` completes so many and then invites nobody; None: all targets. Raises RehearsalError.
    """

    def __init__(
        self,
        study: Study,
        tasks: Sequence[str],
        habits: Habits,
        *,
        groups: int | None = None,
        seed: int = 0,
    ) -> None:
        if problem := habits.problem():
            raise RehearsalError(problem)
        self._draw_seed = f"rehearsal {seed}"
        try:
            assignment = Assignment(study, self._draw_seed, tasks)
        except ValueError as error:
            raise RehearsalError(str(error)) from error
        super().__init__(study, assignment, seed)
        self._habits, self._groups = habits, groups
        self._route = route_of(study.pages)
        self._play = study.page_of(Play)
        self._outcomes = Outcomes(study, habits, seed)
        self._people: list[Person] = []
        self._standing: dict[str, Standing] = {}
        self._by_ticket: dict[str, Person] = {}
        self._attempts: list[Played] = []
        self._completed = self._substituted = self._doubles = self._cost = 0
        self._has_arrival = False
        self._gaps = Random(f"{seed}/arrivals")
        self._most = MOST_PEOPLE * sum(cell.target * cell.people for cell in study.cells)

    def run(self) -> Rehearsed:
        """Play until everybody who came has an ending. Raises RehearsalError."""
        self._invite()
        self.pass_the_day()
        if any(person.ending is None for person in self._people):
            raise AssertionError("everybody who came has one ending")
        if len(self._people) >= self._most and not self._is_done():
            raise RehearsalError(
                f"{self._most} people came, and the targets are not full: too many refuse, fail or "
                "leave with these habits"
            )
        self._check_ledger()
        return Rehearsed(
            self._people,
            self.places,
            self._attempts,
            self._substituted,
            self._doubles,
            self._cost,
            self.now,
        )

    def _check_ledger(self) -> None:
        """Check that the records alone give the same ledger again. Raises LedgerError."""
        ledger: Ledger = self.places.assignment.ledger
        seed = f"{self._draw_seed}/{self.study.seed}"
        again = replayed(seed, strata_of(self.study), ledger.records)
        assert again.states == ledger.states, "a ledger is its records"

    # Arrivals and pages

    def _is_done(self) -> bool:
        if self._groups is not None and self._completed >= self._groups:
            return True
        return self.places.are_all_taken

    def _invite(self) -> None:
        """Have the next person come, unless all that is wanted is there."""
        if self._has_arrival or self._is_done() or len(self._people) >= self._most:
            return
        self._has_arrival = True
        at = self.now + self._gaps.expovariate(self._habits.per_hour / 3600)
        self.at(at, self._come)

    def _come(self) -> None:
        self._has_arrival = False
        person = Person(len(self._people), self.now, self._habits, self._seed)
        self._people.append(person)
        self._by_ticket[person.ticket_id] = person
        self._standing[person.participant_id] = Standing.at_start(self._route)
        if person.comes_twice:
            self.at(self.now + 1.0, partial(self._come_again, person))
        self._go_on(person)
        self._invite()

    def _come_again(self, person: Person) -> None:
        """Open the link again: the recruiter's id is known, so the visit goes on where it is."""
        assert person.participant_id in self._standing
        self._doubles += 1

    def _go_on(self, person: Person) -> None:
        """Do what the page asks at which somebody stands."""
        match self._standing[person.participant_id].place:
            case Place.ENDED:
                self._end(person)
            case Place.LOBBY:
                self._join(person)
            case Place.PLAY:
                # The group moves its people on.
                pass
            case place:
                event = Event.DONE
                if place is Place.CONSENT and person.refuses:
                    event = Event.REFUSED
                elif place in CHECKS and person.fails():
                    event = Event.FAILED
                self.at(self.now + person.page_s(), partial(self._move, person, event))

    def _move(self, person: Person, event: Event) -> None:
        limit_s = self.study.visit_limit_s
        if limit_s is not None and self.now - person.comes_at > limit_s:
            event = Event.LATE
        standing = self._standing[person.participant_id]
        self._standing[person.participant_id] = standing.after(event, self._route)
        self._go_on(person)

    def _end(self, person: Person) -> None:
        standing = self._standing[person.participant_id]
        assert person.ending is None, "a visit has one ending"
        assert standing.ending is not None
        person.ending, person.ended_at = standing.ending, self.now
        self._cost += self.study.owed(
            standing.ending,
            spent_s=self.now - person.comes_at,
            waited_s=person.waited_s,
            successes=person.successes,
        ).total

    # Lobby

    def _join(self, person: Person) -> None:
        pool = Pool.of_study(self.study.key)
        self.queue.join(person.ticket_id, person.participant_id, pool, self.now, rtt_ms=60.0)
        self.queue.appear(person.ticket_id, self.now)
        if person.patience_s < float("inf"):
            self.at(self.now + person.patience_s, partial(self._give_up, person))
        self.schedule_round()

    def _give_up(self, person: Person) -> None:
        ticket = self.queue.get(person.ticket_id)
        if ticket is not None and self.queue.cancel(person.ticket_id):
            self._leave_lobby(ticket, Event.WITHDREW)

    def _leave_lobby(self, ticket: Ticket, event: Event) -> None:
        person = self._by_ticket[ticket.ticket_id]
        person.waited_s = self.now - ticket.joined_at
        self.places.leave_entry(person.participant_id, str(event))
        self._move(person, event)

    def free_homes(self) -> int:
        return MOST_AT_ONCE

    def left_over(self, ticket: Ticket) -> None:
        self._leave_lobby(ticket, EVENTS.get(ticket.state, Event.WITHDREW))

    def answers_s(self, ticket_id: str) -> float | None:
        return ANSWER_S if self._by_ticket[ticket_id].is_ready else None

    # Play

    def begin(self, match: Match) -> None:
        people = [self._by_ticket[ticket_id] for ticket_id in match.ticket_ids]
        ids = [person.participant_id for person in people]
        for person in people:
            ticket = self.queue.get(person.ticket_id)
            assert ticket is not None
            person.waited_s = self.now - ticket.joined_at
        if match.place is None:
            plan = self.places.unplaced(ids)
        else:
            dealt = self.places.deal(match.place, ids)
            assert dealt is not None, "people come once, and have met no task"
            plan = dealt
            begin_match(self.places, match)
        self.queue.settle(match)
        for person in people:
            self._move_only(person, Event.MATCHED)
        number = -1 if match.place is None else match.place
        rows: list[Played] = []
        time = self.now
        while (following := plan.next_task(attempts_of(rows, plan))) is not None:
            row = self._outcomes.attempt(number, following)
            time += row.ticks / 30
            leaver = next((person for person in people if person.drops_out()), None)
            if leaver is not None:
                self.at(time, partial(self._break_off, match, people, leaver, rows))
                return
            rows.append(row)
            if self._play is not None and self._play.after_each is not None:
                time += max(person.page_s() for person in people)
        self.at(time, partial(self._finish, match, people, rows))

    def _break_off(
        self, match: Match, people: Sequence[Person], leaver: Person, rows: Sequence[Played]
    ) -> None:
        self._note(people, rows)
        if match.place is not None:
            self.places.leave(match.place, "left", [p.participant_id for p in people])
        for person in people:
            self._move(person, Event.WITHDREW if person is leaver else Event.PARTNER_LEFT)
        self._after_group()

    def _finish(self, match: Match, people: Sequence[Person], rows: Sequence[Played]) -> None:
        self._note(people, rows)
        ids = [person.participant_id for person in people]
        if match.is_substituted and match.place is not None:
            self._substituted += 1
            self.places.leave(match.place, SUBSTITUTED, ids)
        elif match.place is not None:
            self._completed += 1
            self.places.complete(match.place, ids)
        for person in people:
            if self._play is not None and self._play.after_each is not None:
                for _ in rows:
                    self._move_only(person, Event.EPISODE_OVER)
                    self._move_only(person, Event.DONE)
            self._move(person, Event.PLAYED)
        self._after_group()

    def _note(self, people: Sequence[Person], rows: Sequence[Played]) -> None:
        self._attempts += rows
        for person in people:
            person.successes = sum(row.success for row in rows)

    def _after_group(self) -> None:
        """Let others come for a place that a group may have left."""
        self._invite()
        if len(self.queue):
            self.schedule_round()

    def _move_only(self, person: Person, event: Event) -> None:
        standing = self._standing[person.participant_id]
        self._standing[person.participant_id] = standing.after(event, self._route)


def rehearse(
    study: Study,
    tasks: Sequence[str],
    habits: Habits | None = None,
    *,
    groups: int | None = None,
    seed: int = 0,
) -> Rehearsed:
    """Play a study with scripted participants. Raises RehearsalError for what cannot be."""
    habits = habits or Habits(succeeds=usual_success(study))
    return Rehearsal(study, tasks, habits, groups=groups, seed=seed).run()


def completed(found: Rehearsed) -> dict[str, int]:
    """Return the groups that completed each condition, or order of conditions."""
    return {arm: flow.completed for (_, arm), flow in found.places.flows().items()}


def endings(found: Rehearsed) -> dict[Ending, int]:
    """Return the number of people by their endings."""
    counts: dict[Ending, int] = {}
    for person in found.people:
        assert person.ending is not None
        counts[person.ending] = counts.get(person.ending, 0) + 1
    return counts
