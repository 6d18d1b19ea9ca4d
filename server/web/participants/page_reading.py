"""Reading of an explanation, as the page between two attempts tells it."""

from __future__ import annotations

import re
from datetime import datetime

from server.store.readings import add_reading
from server.store.visit_records import may_be_noted
from server.store.visits import held_visit
from server.web.forms import Form
from server.web.participants.visit_context import VisitContext

READ_MS = "seen.reading_ms"
"""Field with the time of reading since the page told last."""
READ_OF = "seen.reading_of"
"""Field with the episode whose explanation was read."""
_NUMBER = re.compile(r"[0-9]{1,9}")


async def note_reading(at: VisitContext, form: Form) -> None:
    """Store a time of reading that can be true: it ends now, and began after the episode's end.

    None at all is one, too. The visit may have gone on meanwhile. Of whoever has not agreed to
    anything nothing is noted.
    """
    told, episode_id = form.get(READ_MS, ""), form.get(READ_OF, "")
    if not _NUMBER.fullmatch(told) or at.visit.session_id is None:
        return
    episode = await at.state.sessions.episode(episode_id)
    if episode is None or episode.session_id != at.visit.session_id or episode.ended_at is None:
        return
    now = at.state.now()
    read_ms = min(int(told), _since_ms(episode.ended_at, now))
    async with at.state.database.transaction() as db:
        visit = await held_visit(db, at.visit.visit_id)
        if read_ms >= 0 and await may_be_noted(db, visit):
            await add_reading(db, at.visit.visit_id, episode_id, read_ms, now)


def _since_ms(ended_at: datetime, now: datetime) -> int:
    return int((now - ended_at).total_seconds() * 1000)
