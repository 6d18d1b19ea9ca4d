"""Acts in a session: to end it, to write to its people, and to remove one of them."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.identifiers import is_id
from matchmaking.visits import Event
from server.store.matches import study_of_session
from server.store.sessions import leave_sessions, session_row
from server.store.visit_models import VisitRow
from server.store.visits import visit_of
from server.web.application_state import ApplicationState
from server.web.errors import PageError
from server.web.open_homes import leave_for_good, open_home_of
from server.web.operators.acts import Deed, OperatorAct, Subject
from server.web.participants.visit_context import MovedError, OngoingVisit
from server.web.participants.visit_lookup import release

LONGEST_MESSAGE = 300
"""Most characters of a message: it stands in a line across the top of a scene."""
MOST_TRIES = 10
"""Most tries to remove somebody while their own pages move their visit."""

_EVENTS = {
    "broke": Event.BROKE,
    "withdrew": Event.WITHDREW,
    "late": Event.LATE,
}
"""Events that remove somebody from a study, by the choice that stands for each."""


async def find_session(state: ApplicationState, target: str) -> Subject | None:
    if not is_id("ses", target) or not state.sessions.is_open(target):
        return None
    async with state.database.transaction() as db:
        return Subject(target, f"session {target}", await study_of_session(db, target))


async def _end(deed: Deed) -> None:
    if await deed.state.sessions.operator_ends.end(deed.subject.target):
        await deed.tell("done")
    else:
        await deed.tell("too late", "it had ended, or somebody else was faster")


async def _write(deed: Deed) -> None:
    text = " ".join(deed.said.text.split())[:LONGEST_MESSAGE]
    if not text:
        await deed.tell("refused", "there was no message")
    elif reached := deed.state.host.tell(deed.subject.target, text):
        await deed.tell("done", f"shown to {reached}: {text}")
    else:
        await deed.tell("too late", f"nobody was there to read: {text}")


async def _find_person(state: ApplicationState, target: str) -> Subject | None:
    """Look up somebody by their visit, or by their seat as ``<session>.<seat>``."""
    session_id, _, seat = target.partition(".")
    async with state.database.transaction() as db:
        if await _participant(db, target) is None:
            return None
        if is_id("vis", target):
            visit = await db.get_one(VisitRow, target)
            return Subject(target, f"visit {target}", visit.study)
        study = await study_of_session(db, session_id)
        return Subject(target, f"{seat} from session {session_id}", study)


async def _participant(db: AsyncSession, target: str) -> str | None:
    """Return whose visit or seat this is; None: the visit has ended, or they have left."""
    if is_id("vis", target):
        visit = await db.get(VisitRow, target)
        return None if visit is None or visit.ended_at is not None else visit.participant_id
    session_id, _, seat = target.partition(".")
    row = await session_row(db, session_id) if is_id("ses", session_id) else None
    if row is None or row.state != "open":
        return None
    here = [o.participant_id for o in row.occupancies if o.seat_id == seat and o.until is None]
    return here[0] if here else None


async def _remove(deed: Deed) -> None:
    """Take somebody out of the lobby and the session, and end their visit if they have one."""
    state, event = deed.state, _EVENTS[deed.said.choice]
    for _ in range(MOST_TRIES):
        async with state.database.transaction() as db:
            participant = await _participant(db, deed.subject.target)
            visit = await visit_of(db, participant)
            study = None if visit is None else await state.studies.of_visit(db, visit)
        if participant is None:
            await deed.tell("too late", "they had left, or their visit had ended")
            return
        if visit is None:
            await _remove_from_open_play(deed, participant)
            return
        if study is None:
            await deed.tell("refused", f"this server does not run their study, {visit.study}")
            return
        at = OngoingVisit(state, visit, study)
        if at.standing.has_ended:
            await deed.tell("too late", f"the visit had ended as {visit.ending}")
            return
        try:
            # Their ending first: what frees the seat would end the visit in another way.
            async with at.turn() as db:
                await at.move(db, event)
                deed.note(db, "done", f"{visit.visit_id} ended as {visit.ending}")
        except MovedError:
            # Their own page was faster by a moment.
            continue
        await _free(at)
        return
    await deed.tell("too late", "their pages moved on again and again; nothing was done")


async def _free(at: OngoingVisit) -> None:
    """Free what somebody held whose visit has ended, also where their worker does not answer."""
    try:
        await release(at)
    except PageError:
        async with at.state.database.transaction() as db:
            seats = await leave_sessions(db, at.visit.participant_id, at.state.now())
        await at.state.sessions.left(seats)


async def _remove_from_open_play(deed: Deed, participant: str) -> None:
    async with deed.state.database.transaction() as db:
        home = await open_home_of(db, participant)
    if home is None:
        await deed.tell("too late", "their task was over")
        return
    try:
        await leave_for_good(deed.state, home)
    except PageError as error:
        await deed.tell("refused", error.text)
    else:
        await deed.tell("done")


async def _fill(deed: Deed) -> None:
    session_id, _, seat = deed.subject.target.partition(".")
    if why := deed.state.host.fill(session_id, seat):
        await deed.tell("refused", why)
    else:
        await deed.tell("done", "nothing happens for somebody who has finished their task")


async def _find_seat(state: ApplicationState, target: str) -> Subject | None:
    return None if is_id("vis", target) else await _find_person(state, target)


END = OperatorAct(
    "end_session",
    "End {}?",
    "What is played there ends at once, for everybody in it. People of a study are told that it "
    "broke off through no fault of theirs, and are paid for the time; everybody else reads a "
    "report of what was done. It cannot be undone.",
    "End it",
    find_session,
    _end,
)
MESSAGE = OperatorAct(
    "message",
    "Write to everybody in {}",
    "Everybody who plays there now reads it for half a minute, across the top of the scene. It is "
    "in English or whatever you write, and nobody can answer. In a study it is something that "
    "other groups have not read: the log keeps it word for word.",
    "Send",
    find_session,
    _write,
    text_label=f"Message (at most {LONGEST_MESSAGE} characters)",
)
FILL = OperatorAct(
    "fill",
    "Have a robot play for {}?",
    "The policy that the study or this server names for people who are away plays on in their "
    "stead, at once, until they are back. Their partner is told as the study says. The episode "
    "counts as one with a substitute.",
    "Have it played",
    _find_seat,
    _fill,
)
REMOVE = OperatorAct(
    "remove",
    "Remove {}?",
    "They are out of the lobby and of their session at once and cannot come back; others play on "
    "and see that they have left. In a study their visit ends as you choose, unless its ending is "
    "decided already, and they are paid as the study says for that ending. It cannot be undone.",
    "Remove",
    _find_person,
    _remove,
    choices={
        "broke": "technical_failure: something of ours keeps them from taking part",
        "withdrew": "withdrew: they asked to stop, or must not go on",
        "late": "timed_out: they have been here for too long",
    },
)
