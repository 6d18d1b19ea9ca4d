"""Context of an export: the study's rows with what several tables ask of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

from matchmaking.study import Study
from matchmaking.study.pages import questions_of
from matchmaking.study.questions import Kind, Question
from server.research.exports.pseudonyms import Pseudonyms
from server.research.exports.stored_study import StoredStudy
from server.research.exports.study_groups import Group, groups_of, left_out_of
from server.research.measures.measure import Measure
from server.research.measures.registry import MEASURES
from server.store.models import EpisodeRow, OccupancyRow
from server.store.readings import PAGE as READINGS
from server.store.shown_explanations import PAGE as SHOWN
from server.store.visit_models import AnswerRow, VisitRow


class ExportContext:
    """A study as it is exported; ``with_texts``: with chat and answers in words.

    ``is_shared``: for everybody, so that those are left out, too, who did not agree to that, and
    that pseudonyms are others than in exports. Answers to the questions ``without`` are left out.
    """

    def __init__(
        self,
        stored: StoredStudy,
        secret_key: str,
        *,
        with_texts: bool = False,
        measures: Sequence[Measure] = MEASURES,
        is_shared: bool = False,
        without: frozenset[str] = frozenset(),
    ) -> None:
        self.stored, self.with_texts, self.measures = stored, with_texts, tuple(measures)
        self.study: Study = stored.manifest.study
        self.is_shared, self.without = is_shared, without
        self.groups = groups_of(stored)
        self.left_out = left_out_of(stored, is_shared=is_shared)
        """Participants of whom nothing is exported, or only how their visits went."""
        purpose = f"releases/{self._contents()}" if is_shared else "exports"
        self.pseudonym = Pseudonyms(secret_key, stored.key, purpose)

    def _contents(self) -> str:
        """Return a digest of whom and what a release has.

        Its ids follow from it: they are no others when the same is released again, but two
        releases with somebody or something between them have none in common.
        """
        people = {visit.participant_id for visit in self.stored.visits} - self.left_out
        episodes = (e.episode_id for e in self.stored.episodes if self._is_kept(e))
        named = "\n".join([*sorted(people), *sorted(episodes), *sorted(self.without)])
        return hashlib.sha256(named.encode()).hexdigest()

    @cached_property
    def visits(self) -> list[VisitRow]:
        """Visits that are told of, in the order of arrival, which shared data do not tell."""
        visits = list(self.stored.visits)
        if self.is_shared:
            visits = [v for v in visits if v.participant_id not in self.left_out]
            visits.sort(key=lambda visit: self.pseudonym(visit.participant_id))
        return visits

    @cached_property
    def answers(self) -> list[AnswerRow]:
        """Answers, visit by visit; shared data do not tell the order in which people came."""
        return [answer for answer in self._told if answer.page not in (READINGS, SHOWN)]

    @cached_property
    def readings(self) -> list[AnswerRow]:
        """Times of reading that pages told, which are stored among the answers."""
        return [answer for answer in self._told if answer.page == READINGS]

    @cached_property
    def shown_explanations(self) -> dict[str, list[AnswerRow]]:
        """Explanations as people were shown them, by the episode."""
        found: dict[str, list[AnswerRow]] = {}
        for answer in self._told:
            if answer.page == SHOWN:
                found.setdefault(answer.occasion, []).append(answer)
        return found

    @cached_property
    def people(self) -> dict[str, str]:
        """Participants by their visits."""
        return {visit.visit_id: visit.participant_id for visit in self.stored.visits}

    @cached_property
    def _told(self) -> list[AnswerRow]:
        answers = list(self.stored.answers)
        if self.is_shared:
            answers.sort(key=lambda answer: self.pseudonym(answer.visit_id))
        return answers

    @cached_property
    def told_groups(self) -> list[Group]:
        """Groups in the order in which they were drawn, which shared data do not tell."""
        groups = list(self.groups)
        if self.is_shared:
            groups.sort(key=lambda group: self.pseudonym(group.group_id))
        return groups

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """Names of the study's factors."""
        return tuple(factor.name for factor in self.study.factors)

    @cached_property
    def questions(self) -> dict[str, Question]:
        """Questions of the study by their names."""
        return {q.name: q for page in self.study.pages for q in questions_of(page)}

    @cached_property
    def group_of_session(self) -> dict[str, Group]:
        """Groups by the ids of their sessions."""
        return {g.session.session_id: g for g in self.groups if g.session is not None}

    @cached_property
    def group_of_person(self) -> dict[str, Group]:
        """Groups of participants: the last that they played in, or else were drawn for."""
        found: dict[str, Group] = {}
        for group in sorted(self.groups, key=lambda group: group.session is not None):
            found |= dict.fromkeys(group.people, group)
        return found

    @cached_property
    def occupancies(self) -> dict[str, list[OccupancyRow]]:
        """Occupants of the seats of each session, seat by seat in the order of time."""
        found: dict[str, list[OccupancyRow]] = {}
        for row in self.stored.occupancies:
            found.setdefault(row.session_id, []).append(row)
        return found

    @cached_property
    def people_of_session(self) -> dict[str, frozenset[str]]:
        """Participants who had a seat in each session, if only for a while."""
        found: dict[str, set[str]] = {}
        for row in self.stored.occupancies:
            if row.participant_id is not None:
                found.setdefault(row.session_id, set()).add(row.participant_id)
        return {session_id: frozenset(people) for session_id, people in found.items()}

    @cached_property
    def episodes(self) -> list[EpisodeRow]:
        """Episodes that are exported: of those who have not withdrawn."""
        kept = [e for e in self.stored.episodes if self._is_kept(e)]
        if self.is_shared:
            kept.sort(key=lambda e: (self.pseudonym(e.session_id), e.order_index))
        return kept

    @cached_property
    def withheld_episodes(self) -> list[EpisodeRow]:
        """Episodes that are left out, because somebody of their session is."""
        withheld = [e for e in self.stored.episodes if not self._is_kept(e)]
        if self.is_shared:
            withheld.sort(key=lambda e: self.pseudonym(e.episode_id))
        return withheld

    def _is_kept(self, episode: EpisodeRow) -> bool:
        people = self.people_of_session.get(episode.session_id, frozenset())
        return self.left_out.isdisjoint(people)

    def condition_of(self, episode: EpisodeRow) -> str:
        """Return the condition that an episode was played in; empty: none."""
        group = self.group_of_session[episode.session_id]
        played = None if group.plan is None else group.plan.condition_of(episode.task_id)
        if played is not None:
            return played.cell
        return "" if group.match is None else group.match.cell or ""

    def is_practice(self, episode: EpisodeRow) -> bool:
        """Tell whether an episode was for practice."""
        plan = self.group_of_session[episode.session_id].plan
        return plan is not None and plan.is_practice(episode.task_id)

    def is_told(self, question: str, *, is_identifying: bool) -> bool:
        """Tell whether answers to a question are exported: never who somebody is."""
        if question in self.without:
            return False
        asked = self.questions.get(question)
        is_words = asked is not None and asked.kind is Kind.WORDS
        return not is_identifying and (self.with_texts or not is_words)
