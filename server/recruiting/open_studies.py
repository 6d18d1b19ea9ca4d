"""Studies that a server runs: the versions that links lead to, and those that visits are in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study import Study, StudyError
from matchmaking.study.endings import Ending
from matchmaking.study.opening import obstacles
from matchmaking.study.pages import Page, Play
from matchmaking.study.problems import Problem
from matchmaking.visits import Place, Standing, route_of
from server.recruiting.recruiter import Recruiter
from server.recruiting.registry import recruiter_of
from server.store.studies import opened_version
from server.store.visit_models import VisitRow
from server.store.visits import study_key_of

log = structlog.get_logger(__name__)


class OpenStudy:
    """A study with what is derived from it. Raises StudyError for one that cannot open.

    One that is closed is not asked: its people go on by the rules under which they came.
    """

    def __init__(self, study: Study, secret_key: str, is_closed: bool = False) -> None:
        if not is_closed and (problems := list(obstacles(study))):
            raise StudyError(problems)
        self.study, self.is_closed = study, is_closed
        self.recruiter: Recruiter = recruiter_of(study, secret_key)
        self.route = route_of(study.pages)

    def page(self, standing: Standing) -> Page | None:
        """Return the page at which a visit stands; None: it has ended.

        Between tasks that is the survey which follows each.
        """
        if standing.has_ended or standing.page >= len(self.study.pages):
            return None
        page = self.study.pages[standing.page]
        if standing.place is Place.EPISODE_SURVEY and isinstance(page, Play):
            return page.after_each
        return page

    def language(self, wanted: Sequence[str]) -> str:
        """Return the language of the study that somebody likes best, of those in their order."""
        for language in wanted:
            for offered in self.study.languages:
                same_base = language.partition("-")[0] == offered.partition("-")[0]
                if language == offered or same_base:
                    return offered
        return self.study.languages[0]

    def code(self, ending: Ending) -> str | None:
        return self.study.recruiter.codes.get(ending)


class OpenStudies:
    """Studies by name, and each version of them that visits are in.

    Newcomers come to the version that was taken up last; a visit stays with the one that it began
    in. ``closed`` are the names of those that invite nobody any more; their people may come back.
    Raises StudyError for two of one name.
    """

    def __init__(
        self, studies: Sequence[Study], secret_key: str, closed: Collection[str] = ()
    ) -> None:
        self._secret_key = secret_key
        self._studies = {
            study.name: OpenStudy(study, secret_key, study.name in closed) for study in studies
        }
        self._versions = {opened.study.key: opened for opened in self}
        if len(self._studies) < len(studies):
            names = [study.name for study in studies]
            raise StudyError([Problem(("name",), f"expected names of their own, got {names}")])

    def __iter__(self) -> Iterator[OpenStudy]:
        return iter(self._studies.values())

    def __len__(self) -> int:
        return len(self._studies)

    def take_up(self, study: Study) -> None:
        """Open the doors of a study, in place of another version of it. Raises StudyError.

        People of the other version go on in it.
        """
        opened = OpenStudy(study, self._secret_key)
        self.close(study.name)
        self._studies[study.name] = self._versions[study.key] = opened

    def close(self, name: str) -> None:
        """Let nobody new into a study any more."""
        if name in self._studies:
            self._studies[name].is_closed = True

    def drop(self, name: str) -> None:
        """Forget a study that was removed with all that it had."""
        self._studies.pop(name, None)
        for key in [key for key in self._versions if key.name == name]:
            del self._versions[key]

    def get(self, name: str) -> OpenStudy | None:
        """Return the version of a study to which its link leads; None: it is not run here."""
        return self._studies.get(name)

    async def of_visit(self, db: AsyncSession, visit: VisitRow) -> OpenStudy | None:
        """Return the version of a study that a visit began in; None: the study is not run here.

        One that was closed before the server started is read from the store.
        """
        key = study_key_of(visit)
        if key not in self._versions and key.name in self._studies:
            study = await opened_version(db, key)
            if study is None:
                log.error("study.version_lost", visit=visit.visit_id, version=key.version)
                return None
            self._versions[key] = OpenStudy(study, self._secret_key, is_closed=True)
        return self._versions.get(key)
