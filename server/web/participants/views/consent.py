"""Consent: the text, an answer for each thing that is asked, and the two buttons."""

from __future__ import annotations

import hashlib

from starlette.responses import Response

from matchmaking.study.pages import Consent, Permission, Survey
from matchmaking.visits import Event
from server.store.visit_records import Fields, add_consent, draft_of
from server.web.forms import Form
from server.web.participants.view import UNPROCESSABLE, View, leave
from server.web.participants.visit_context import VisitContext


class ConsentView(View):
    keeps_drafts = True

    async def show(self, at: VisitContext) -> Response:
        async with at.state.database.transaction() as db:
            fields = await draft_of(db, at.visit.visit_id, at.draft_key)
        return _drawn(at, fields)

    async def submit(self, at: VisitContext, form: Form) -> Response:
        if form.get("decision") == "refuse":
            async with at.turn() as db:
                await leave(at, db, Event.REFUSED)
            return at.go_on()
        page = at.page
        assert isinstance(page, Consent)
        missing = [ask for ask in _apart(page) if form.get(f"permit.{ask}") not in ("yes", "no")]
        if missing or form.get("decision") != "agree":
            return _drawn(at, form, missing)
        given = {ask: form[f"permit.{ask}"] == "yes" for ask in _apart(page)}
        digest = hashlib.sha256(at.plain(page.text).encode()).hexdigest()
        async with at.turn() as db:
            given[Permission.RESEARCH] = True
            add_consent(db, at.visit, page.version, digest, given, at.state.now())
            await leave(at, db, Event.DONE)
        return at.go_on()


def _drawn(at: VisitContext, fields: Fields, missing: list[Permission] | None = None) -> Response:
    page = at.page
    assert isinstance(page, Consent)
    return at.render(
        "consent.html",
        status=UNPROCESSABLE if missing is not None else 200,
        asks=_apart(page),
        fields=fields,
        missing=missing or [],
        ends_inattentive=any(
            isinstance(p, Survey) and p.ends_inattentive for p in at.open_study.study.pages
        ),
    )


def _apart(page: Consent) -> list[Permission]:
    """Return what is asked for beside taking part."""
    return [ask for ask in page.asks if ask is not Permission.RESEARCH]
