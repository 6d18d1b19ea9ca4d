"""Context of a request in a visit: who asks, where they stand, and how their page is drawn."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from markupsafe import Markup
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import RedirectResponse, Response

from matchmaking.study.endings import Ending
from matchmaking.study.pages import Page
from matchmaking.study.texts import Text
from matchmaking.visits import Event, Place, Standing
from server.recruiting.open_studies import OpenStudy
from server.store.visit_models import VisitRow
from server.store.visit_records import consent_of, erase_answers
from server.store.visits import hold_visit, move_visit, standing_of
from server.web.application_state import ApplicationState
from server.web.errors import PageError
from server.web.identity import digest_of
from server.web.pages import OWN_DATA, VISIT
from server.web.participants.prose import prose
from server.web.participants.texts import Texts, texts_in
from server.web.still_here import still_here_path

VISIT_ENTRY = "src/visit/main.ts"
THE_END = "the-end"
HELP = "i-have-a-problem"
STOP = "stop-here"


class MovedError(Exception):
    """Error for a visit that another tab, or the study itself, has moved on meanwhile."""


@dataclass
class OngoingVisit:
    """Visit with its study, whether somebody asks for it or it is brought up to date."""

    state: ApplicationState
    visit: VisitRow
    open_study: OpenStudy

    @property
    def standing(self) -> Standing:
        return standing_of(self.visit)

    @property
    def page(self) -> Page | None:
        """The page at which the visit stands; None: it has ended."""
        return self.open_study.page(self.standing)

    @property
    def page_name(self) -> str:
        """Name of that page in addresses."""
        page = self.page
        return page.name if page is not None else THE_END

    @property
    def address(self) -> str:
        return f"{VISIT}/{self.page_name}"

    @property
    def occasion(self) -> str:
        """Episode that the page asks about; empty: it comes once."""
        return self.visit.occasion if self.standing.place is Place.EPISODE_SURVEY else ""

    @property
    def draft_key(self) -> str:
        return f"{self.page_name}@{self.occasion}"

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction in which nobody else moves the visit. Raises MovedError."""
        async with self.state.database.transaction() as db:
            if not await hold_visit(db, self.visit):
                raise MovedError
            yield db

    async def move(self, db: AsyncSession, event: Event, **changes: str | None) -> None:
        """Move the visit on, in its turn; at the end, who never agreed leaves no answers."""
        route, now = self.open_study.route, self.state.now()
        await move_visit(db, self.visit, event, route, now, **changes)
        if self.standing.has_ended and await consent_of(db, self.visit.visit_id) is None:
            # What the device check has measured was for taking part.
            await erase_answers(db, self.visit.visit_id)


@dataclass
class VisitContext(OngoingVisit):
    """Visit of whoever sends a request, with all that its page needs."""

    request: Request

    @property
    def texts(self) -> Texts:
        return texts_in(self.visit.language)

    def words(self, text: Text) -> Markup:
        """Return a text of the study as HTML, in the language of the visit."""
        return prose(self.plain(text))

    def plain(self, text: Text) -> str:
        """Return a text of the study as it was written."""
        return text.get(self.visit.language) or next(iter(text.values()), "")

    def go_on(self) -> Response:
        """Send on to the page at which the visit stands."""
        return RedirectResponse(self.address, 303)

    def _still_here(self, after: str) -> str:
        """Return the path at which a page between tasks keeps the session.

        ``after`` is the episode before the next one of which the page is told. Empty: there is no
        session to keep.
        """
        session_id = self.visit.session_id
        is_between = self.standing.place in (Place.PLAY, Place.EPISODE_SURVEY)
        if session_id is None or not is_between or not self.state.sessions.is_open(session_id):
            return ""
        return still_here_path(session_id, after)

    def render(self, template: str, status: int = 200, after: str = "", **values: Any) -> Response:
        """Draw a page of the visit; one between tasks is told of the next ``after`` an episode."""
        study = self.open_study.study
        return self.state.pages.show(
            self.request,
            f"visit/{template}",
            status=status,
            entry=VISIT_ENTRY,
            still_here=self._still_here(after),
            t=self.texts,
            words=self.words,
            plain=self.plain,
            visit=VisitFrame(self),
            study=study,
            page=self.page,
            **values,
        )

    def render_error(self, error: PageError) -> Response:
        """Draw the page of an error, which leads back to where the visit stands."""
        response = self.render(
            "error.html",
            status=error.status,
            heading=error.heading,
            text=error.text,
            way_on=VISIT,
        )
        if error.retry_after_s is not None:
            response.headers["retry-after"] = str(error.retry_after_s)
        return response


class VisitFrame:
    """Frame around every page of a visit: its title, how far it is, and the ways out."""

    def __init__(self, at: VisitContext) -> None:
        self.title = at.plain(at.open_study.study.title)
        self.language = at.visit.language
        self.number, self.of = at.visit.page + 1, len(at.open_study.route)
        self.has_ended = at.standing.has_ended
        # The debrief is only read: their ending and pay are theirs, whatever they press.
        self.is_done = self.has_ended or at.standing.place is Place.DEBRIEF
        self.has_withdrawn = at.visit.withdrawn_at is not None
        # Of whoever has not agreed there is nothing to withdraw.
        self.can_stop = not self.has_withdrawn and at.standing.ending is not Ending.NO_CONSENT
        # A tab that keeps what is filled in knows by it that the page is still the same somebody's.
        self.mark = digest_of(f"{at.visit.visit_id} {at.visit.n_steps}")[:16]
        self.home, self.address, self.step = VISIT, at.address, at.visit.n_steps
        self.help, self.stop = f"{VISIT}/{HELP}", f"{VISIT}/{STOP}"
        token = at.state.tokens.sign_own_data(at.visit.participant_id)
        self.own_data = f"{OWN_DATA}/{token}"
        self.models_run_by = at.open_study.study.models_run_by
        self.t = at.texts
