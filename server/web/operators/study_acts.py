"""Acts in a study: to pause and resume its recruiting, to close a cell, to send somebody on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from matchmaking.identifiers import is_id
from matchmaking.recruiting_limits import Cause
from server.lobby.study_draws import NoGroupsError
from server.recruiting.open_studies import OpenStudy
from server.store.closed_cells import cell_name
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


class _Cell(NamedTuple):
    opened: OpenStudy
    condition: str


def _cell(state: ApplicationState, target: str) -> _Cell | None:
    """Return the cell of a name in an address; None: this server does not run it."""
    name, _, _ = target.partition(":")
    opened = state.studies.get(name)
    if opened is None:
        return None
    names = {cell_name(opened.study.key, cell.name): cell.name for cell in opened.study.cells}
    return _Cell(opened, names[target]) if target in names else None


async def _find_cell(state: ApplicationState, target: str) -> Subject | None:
    if (cell := _cell(state, target)) is None:
        return None
    name = cell.opened.study.name
    return Subject(target, f"the cell {cell.condition} of {name}", name)


def _cell_act(*, is_closed: bool) -> Callable[[Deed], Awaitable[None]]:
    async def do(deed: Deed) -> None:
        draws, cell = deed.state.lobby.study_draws, _cell(deed.state, deed.subject.target)
        if cell is None or cell.opened.is_closed:
            await deed.tell("too late", "the study was closed")
            return
        key = cell.opened.study.key
        try:
            async with draws.closing(key, cell.condition, is_closed=is_closed) as is_new:
                if is_new:
                    await deed.tell("done")
                else:
                    word = "closed" if is_closed else "open"
                    await deed.tell("too late", f"it was {word} already")
        except (NoGroupsError, ValueError) as error:
            await deed.tell("refused", str(error))
            return
        deed.state.lobby.wake()
        deed.state.recruiting.wake()

    return do


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
CLOSE_CELL = OperatorAct(
    "close_cell",
    "Close {}?",
    "It takes no more groups, however few it has; groups that begin or play there go on, and "
    "people who gather for it are drawn another cell. From then on groups are not drawn by the "
    "design that was declared: the export and the report say so.",
    "Close the cell",
    _find_cell,
    _cell_act(is_closed=True),
)
OPEN_CELL = OperatorAct(
    "open_cell",
    "Let {} take groups again?",
    "It takes groups until it has as many as were planned, from now on: the places that it did not "
    "have while it was closed are drawn first.",
    "Open the cell",
    _find_cell,
    _cell_act(is_closed=False),
)
