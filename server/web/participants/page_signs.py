"""Signs of how a page of a visit was used, noted once somebody has agreed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from matchmaking.study.pages import Consent, Instructions, Page, questions_of
from matchmaking.visit_signs import PageUse, Sign, signs_of
from matchmaking.visits import Place
from server.store.visit_records import add_sign, consent_of
from server.web.forms import Form
from server.web.participants.visit_context import VisitContext

AUTOMATED = "seen.automated"
"""Field in which a page says that a program drives its browser."""
GAPS = "seen.gaps_ms"
"""Field with the times between the last presses."""
MOST_GAPS = 60
_UNSEEN = (Place.DEVICE, Place.TUTORIAL, Place.LOBBY, Place.PLAY)
"""Places that come before consent, or where waiting and playing take their time."""
_GAP = re.compile(r"[0-9]{1,7}(\.[0-9]{1,3})?")


class PageSigns(NamedTuple):
    """Signs of how one page was used."""

    page_name: str
    signs: Sequence[Sign] = ()


def signs_of_page(at: VisitContext, form: Form) -> PageSigns:
    """Return the signs that a form gives, before it moves the visit."""
    page = at.page
    if page is None or at.standing.place in _UNSEEN:
        return PageSigns(at.page_name)
    gaps = [text for text in form.get(GAPS, "").split(",")[:MOST_GAPS] if _GAP.fullmatch(text)]
    use = PageUse(
        words=words_to_read(page, at.visit.language),
        spent_s=(at.state.now() - at.visit.here_since).total_seconds(),
        is_automated=form.get(AUTOMATED) == "1",
        gaps_ms=[float(gap) for gap in gaps],
    )
    return PageSigns(at.page_name, signs_of(use))


async def note_signs(at: VisitContext, of: PageSigns) -> None:
    """Store signs; the visit goes on as it would without them.

    Of whoever has not agreed to anything nothing is noted.
    """
    if not of.signs:
        return
    async with at.state.database.transaction() as db:
        consent = await consent_of(db, at.visit.visit_id)
        if consent is None or not consent.research:
            return
        for sign in of.signs:
            await add_sign(db, at.visit.visit_id, sign, of.page_name, at.state.now())


def words_to_read(page: Page, language: str) -> int:
    """Return how many words a page asks somebody to read."""
    texts = [page.text] if isinstance(page, Consent | Instructions) else []
    for question in questions_of(page):
        texts += [question.text, *(option.text for option in question.options)]
    return sum(len(text.get(language, "").split()) for text in texts)
