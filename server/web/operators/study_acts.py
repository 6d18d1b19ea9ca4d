"""Acts in a study: to pause and resume its recruiting, and to let somebody wait no longer."""

from __future__ import annotations

from matchmaking.identifiers import is_id
from matchmaking.recruiting_limits import Cause
from server.store.study_pauses import resume_study
from server.web.application_state import ApplicationState
from server.web.operators.acts import Deed, OperatorAct, Subject


async def _find_study(state: ApplicationState, target: str) -> Subject | None:
    opened = state.studies.get(target)
    return None if opened is None else Subject(target, f"study {target}", target)


async def _pause(deed: Deed) -> None:
    said, opened = deed.said, deed.state.studies.get(deed.subject.target)
    if opened is None or opened.is_closed:
        await deed.tell("too late", "it was closed")
        return
    text = f"{said.who} paused it by hand" + (f": {said.reason}" if said.reason else "")
    is_paused = await deed.state.recruiting.pause(
        opened.study, Cause.OPERATOR, text, lambda db: deed.note(db, "done")
    )
    if not is_paused:
        await deed.tell("too late", "it was paused already")


async def _resume(deed: Deed) -> None:
    async with deed.state.database.transaction() as db:
        if await resume_study(db, deed.subject.target, deed.state.now()):
            deed.note(db, "done")
        else:
            deed.note(db, "too late", "it took people already")
    deed.state.recruiting.wake()


async def _find_stay(state: ApplicationState, target: str) -> Subject | None:
    for stay in state.lobby.study_stays():
        if is_id("tic", target) and stay.ticket_id == target:
            return Subject(target, f"stay {target}", stay.study)
    return None


async def _send_on(deed: Deed) -> None:
    if await deed.state.lobby.send_on(deed.subject.target):
        await deed.tell("done")
    else:
        await deed.tell("too late", "they have a group, or have left")


PAUSE = OperatorAct(
    "pause_study",
    "Pause the recruiting of {}?",
    "Nobody new begins; those who take part go on. Whoever comes by its link reads that it takes "
    "nobody just now. It takes people again when somebody resumes it.",
    "Pause",
    _find_study,
    _pause,
)
RESUME = OperatorAct(
    "resume_study",
    "Let {} take people again?",
    "Its link lets people begin again, from now on. What made it pause by itself may do so again.",
    "Resume",
    _find_study,
    _resume,
)
SEND_ON = OperatorAct(
    "send_on",
    "Let {} wait no longer?",
    "What the study does at its deadline happens to them at once, and to their group, if that is "
    "what it does: with a robot in the empty places, with fewer people, alone, or with an ending. "
    "If their page is away, it happens once the time is over in which it may come back. They are "
    "paid for the time.",
    "Let go",
    _find_stay,
    _send_on,
)
