"""Draws of studies: their ledgers in memory, stored before a group that was drawn begins."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple, Protocol

import structlog
from msgspec.structs import replace

from episodes.dataset import DatasetError
from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.exposure import Exposures
from matchmaking.assignment.ledger import LedgerError, State
from matchmaking.assignment.places import NOT_OPENED, SUBSTITUTED, Places
from matchmaking.assignment.records import Record
from matchmaking.matches import Match
from matchmaking.study import Study
from matchmaking.study_groups import begin_match
from matchmaking.study_key import StudyKey
from server.lobby.contracts import SessionOpener
from server.lobby.lobby_rules import LobbyRules
from server.store.matches import MatchRefusedError
from server.store.study_groups import Course, Started

log = structlog.get_logger(__name__)

READ_S = 1.0
"""Seconds between two looks at what became of groups."""


class NoTasksError(MatchRefusedError):
    """Error for a group whose people have met too many of the study's tasks.

    ``ticket_ids`` are those of the people because of whom no task is left.
    """

    def __init__(self, ticket_ids: frozenset[str]) -> None:
        super().__init__(ticket_ids)
        self.args = ("the people of this group have met too many of the study's tasks",)


class NoGroupsError(Exception):
    """Error for somebody who would wait in vain: their study forms no groups here."""


class Stored(NamedTuple):
    """Draws of a study as they are stored, with what a ledger is made from."""

    seed: str
    tasks: Sequence[str]
    records: Sequence[Record]
    started: Sequence[Started]
    closed: frozenset[str] = frozenset()
    """Conditions that an operator closed."""


class DrawRecords(Protocol):
    """Store of draws; `server.lobby.draw_records.StoredDraws`."""

    async def load(self, study: Study) -> Stored:
        """Return the draws of a study so far."""
        ...

    async def append(self, key: StudyKey, first: int, records: Sequence[Record]) -> None:
        """Store further records, the first of which has the number ``first``."""
        ...

    async def exposures(self, study: Study, people: Iterable[str]) -> Exposures:
        """Return what some participants have met of the set of a study's tasks."""
        ...

    async def courses(self, study: Study, places: Sequence[int]) -> dict[int, Course]:
        """Return the courses of groups by their places."""
        ...

    async def closed(self, key: StudyKey) -> frozenset[str]:
        """Return the conditions of a study that an operator closed."""
        ...

    async def ended(self, people: Sequence[str]) -> dict[str, str]:
        """Return those of some participants whose visits have ended, with their endings."""
        ...


class StudyDraws:
    """Draws of the studies of a server; call `start`, then run `watch` in a task.

    ``places`` is filled with those of each study whose ledger can be read.
    """

    def __init__(
        self,
        rules: LobbyRules,
        records: DrawRecords | None,
        places: dict[StudyKey, Places],
        clock: Callable[[], float],
        sessions: SessionOpener,
    ) -> None:
        self._studies = {study.key: study for study in rules.studies}
        self.places, self._answers, self._clock = places, rules.answers, clock
        self._sessions = sessions
        if records is not None:
            self._records = records
        elif rules.studies:
            raise ValueError("expected a store of draws, because there are studies")
        self._n_stored: dict[StudyKey, int] = {}
        self._faults: dict[StudyKey, str] = {}
        self._storing, self._closing = asyncio.Lock(), asyncio.Lock()
        self._unsettled: set[StudyKey] = set()
        """Studies whose cells may be stored otherwise than they are here."""

    async def start(self) -> None:
        """Read the ledgers; a study whose ledger is not what its seed gives forms no groups."""
        for key, study in self._studies.items():
            # Those that were taken up before are read.
            if key not in self.places and key not in self._faults:
                await self._load(study)

    async def take_up(self, study: Study) -> None:
        """Read the ledger of a study that was opened meanwhile."""
        self._studies[study.key] = study
        self._faults.pop(study.key, None)
        await self._load(study)

    async def _load(self, study: Study) -> None:
        try:
            stored = await self._records.load(study)
            assignment = Assignment(study, stored.seed, stored.tasks, stored.records)
        except (LedgerError, DatasetError, ValueError) as error:
            if isinstance(error, LedgerError):
                fault = f"its ledger of draws cannot be read ({error}). Bring back the key of the "
                fault += "server and restart it, or open another version"
            else:
                fault = f"its tasks cannot be dealt ({error}). Bring back the data of the server "
                fault += "and restart it"
            self._faults[study.key] = f"the study {study.name} forms no groups: {fault}"
            log.error("study.no_ledger", study=study.name, reason=str(error))
            return
        self._n_stored[study.key] = len(stored.records)
        places = Places(study, assignment, self._clock, self._answers)
        for group in stored.started:
            if assignment.ledger.states[group.place] is State.DRAWN:
                # The process died between the session and the note of it.
                places.begin(group.place, group.people, group.waits_s, group.others_s)
            else:
                places.note_waits(group.place, group.waits_s, group.others_s)
        for number in places.dealt:
            # Its session was to be opened when the process died, and was not.
            places.leave(number, NOT_OPENED)
        places.close(stored.closed)
        self.places[study.key] = places

    @asynccontextmanager
    async def closing(
        self, key: StudyKey, condition: str, *, is_closed: bool
    ) -> AsyncIterator[bool]:
        """Take no more groups into a condition, or take them again, once a block is done.

        In it the change is stored; where that breaks off, `read` looks what came of it. Yields
        whether there is anything to change. Raises NoGroupsError for a study that forms none, and
        ValueError as `Places.check_closing` does.
        """
        async with self._closing:
            self.check(key)
            if (places := self.places.get(key)) is None:
                raise NoGroupsError(f"the study {key.name} forms no groups here")
            closed = places.closed | {condition} if is_closed else places.closed - {condition}
            places.check_closing(closed)
            self._unsettled.add(key)
            yield closed != places.closed
            places.close(closed)
            self._unsettled.discard(key)

    def problems(self) -> list[str]:
        """Return a sentence for each study that forms no groups."""
        return list(self._faults.values())

    def fault_of(self, key: StudyKey) -> str:
        """Return why a study forms no groups, in a sentence; empty: it does."""
        return self._faults.get(key, "")

    def is_full(self, key: StudyKey) -> bool | None:
        """Tell whether a study has all the groups that it wants; None: its draws are not read."""
        places = self.places.get(key)
        return None if places is None else places.is_full

    def are_all_taken(self, key: StudyKey) -> bool:
        """Tell whether a study has no place for anybody who comes now."""
        return (places := self.places.get(key)) is not None and places.are_all_taken

    def check(self, key: StudyKey | None) -> None:
        """Check that groups are formed for a study; None: open play. Raises NoGroupsError."""
        if key in self._faults:
            raise NoGroupsError(self._faults[key])

    async def deal(self, match: Match) -> Match:
        """Return a match with its tasks, once all that was drawn for it is stored.

        Raises NoTasksError, or what the store raises.
        """
        places = None if match.study is None else self.places.get(match.study)
        if places is None or match.study is None:
            return match
        people = [a.participant_id for a in match.assignments]
        places.assignment.exposures = await self._records.exposures(
            self._studies[match.study], people
        )
        if match.place is None:
            return replace(match, plan=places.unplaced(people))
        plan = places.deal(match.place, people)
        if plan is None:
            # Whoever has met too many of them alone can be in no other group either.
            found = [
                a.ticket_id
                for a in match.assignments
                if not places.has_tasks_for(match.place, [a.participant_id])
            ]
            raise NoTasksError(frozenset(found or match.ticket_ids))
        await self.store(match.study)
        return replace(match, plan=plan)

    async def start_match(self, match: Match, seed: int, n_waiting: int) -> str:
        """Open the session of a match, which has its tasks then; return its id.

        Raises what `deal` does, and what the opener of sessions raises.
        """
        return await self._sessions.start(await self.deal(match), seed, n_waiting)

    def begin(self, match: Match) -> None:
        """Note that a match has its session."""
        places = None if match.study is None else self.places.get(match.study)
        if places is not None and match.place is not None:
            begin_match(places, match)

    async def store(self, key: StudyKey) -> None:
        """Store all records of a study that are not stored yet."""
        async with self._storing:
            places = self.places[key]
            first = self._n_stored[key]
            new = places.assignment.ledger.records[first:]
            if new:
                await self._records.append(key, first, new)
                self._n_stored[key] = first + len(new)

    async def watch(self, on_news: Callable[[], None]) -> None:
        """Look now and then what became of groups, and store it; runs until cancelled."""
        while True:
            try:
                await self.read()
            except Exception as error:
                # One reading that fails must not be the last; what was read holds meanwhile.
                log.warning("study.draws_not_kept", reason=repr(error))
            on_news()
            await asyncio.sleep(READ_S)

    async def read(self) -> None:
        """Note which groups have done all their tasks, or are over, and store the draws."""
        for key, places in list(self.places.items()):
            courses = await self._records.courses(self._studies[key], places.playing)
            for place, course in courses.items():
                _note(places, place, course)
            for person, ending in (await self._records.ended(places.entered)).items():
                places.leave_entry(person, ending)
            if key in self._unsettled:
                async with self._closing:
                    places.close(await self._records.closed(key))
                    self._unsettled.discard(key)
            await self.store(key)


def _note(places: Places, place: int, course: Course) -> None:
    if course.is_complete and not course.is_substituted:
        places.complete(place, course.people)
    elif course.is_complete:
        places.leave(place, SUBSTITUTED, course.people)
    elif course.closed is not None:
        places.leave(place, course.closed, course.people)
