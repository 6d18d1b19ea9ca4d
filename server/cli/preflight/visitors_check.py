"""Check by scripted visitors, who walk through a copy of the study and leave nothing behind.

The copy has a name that nobody can guess, the mode ``test`` and one condition: what is done in it
counts for no study, is paid to nobody and fills no place. It is removed with all its rows and
recordings.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import aiohttp
import msgspec

from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.conduct import Pauses
from matchmaking.study.design import Design
from matchmaking.study.opening_rules import PREFLIGHT
from matchmaking.study.pages import Consent, Tutorial
from matchmaking.study.recruiter import Recruiter
from server.cli.preflight.checks import Found, Subject, fail, ok, worst
from server.cli.preflight.visitor import Visitor, WalkError
from server.personal.process_keys import use_keys
from server.recording.archive import PACKED_SUFFIX
from server.recording.removal import remove_recording
from server.research.studies.opening import open_study
from server.research.summaries.summary_files import summary_path
from server.settings import Settings
from server.store import Database
from server.store.preflight_rows import are_packed, left_over, remove_study, sessions_of
from server.store.recordings import note_removal
from server.store.study_runs import run_of
from server.wall_clock import utc_now

TAKEN_UP_S = 45.0
"""Longest time (s) until a server takes up a study that was opened; it looks every 20."""
PACKED_S = 60.0
"""Longest wait (s) for the archive, after which rows of the copy stay until the next preflight."""
SUMMED_UP_S = 15.0
"""Longest wait (s) for the summary of a recording, which goes with it."""
WALK_S = 150.0
"""Longest time (s) for the way itself; with what comes before and after, the check has time."""
LOOK_S = 0.5
MOST_LEFT_OUT = 0.2
"""Part of a consent text's words that its page may lack: marks of Markdown read as words."""
FORGOTTEN = timedelta(minutes=15)
"""Age of a copy whose preflight broke off."""


class _NotTakenUpError(WalkError):
    """Error for a server that does not run a study which was opened."""


def copy_of(study: Study) -> Study:
    """Return the copy of a study that is walked through: one condition, no tutorial, no pay sums.

    Where there is a condition for several people it is that with the fewest.
    """
    groups = [cell for cell in study.cells if cell.people > 1]
    cell = min(groups, key=lambda c: c.people) if groups else study.cells[0]
    return msgspec.structs.replace(
        study,
        name=PREFLIGHT + secrets.token_hex(8),
        version=1,
        mode="test",
        recruiter=Recruiter(kind="direct"),
        pages=tuple(page for page in study.pages if not isinstance(page, Tutorial)),
        factors=(),
        cells=(_alone(cell),),
        design=Design(),
        latency=None,
        purpose="exploratory",
        analysis=None,
        pauses=Pauses(failures=1000, of_visits=1000),
    )


def _alone(cell: Cell) -> Cell:
    return msgspec.structs.replace(cell, target=50, most_begun=None, levels={}, waits_like="")


async def check_visitors(subject: Subject) -> Found:
    """Walk visitors through the real pages, from the link to the session, and have them leave."""
    settings = subject.settings
    database = Database(settings.database, settings.database_wait_s, use_keys(settings.keys))
    try:
        await database.check_release()
        async with database.transaction() as db:
            before = subject.now() - FORGOTTEN
            old = await left_over(db, PREFLIGHT, before, member=settings.member)
        for name in old:
            await _remove(settings, database, name)
        copy = copy_of(subject.the_study)
        try:
            async with asyncio.timeout(WALK_S), _opened(subject, database, copy):
                found = await _walked(subject, copy)
        except TimeoutError:
            found = fail(f"the way had not ended after {WALK_S:g} s", "see the server's log")
        finally:
            removed = await _remove(settings, database, copy.name)
    finally:
        await database.close()
    if not removed:
        told = ok(f"rows of {copy.name} (mode test) are left, and go with the next preflight")
        return worst([found, told])
    return found


@asynccontextmanager
async def _opened(subject: Subject, database: Database, copy: Study) -> AsyncIterator[None]:
    """Have the server run a copy until the block ends."""
    async with database.transaction() as db:
        await open_study(db, copy, subject.settings.data_dir, subject.now())
    try:
        yield
    finally:
        async with database.transaction() as db:
            run = await run_of(db, copy.key)
            if run is not None:
                run.closed_at = subject.now()


async def _walked(subject: Subject, copy: Study) -> Found:
    url, study = subject.settings.address, subject.the_study
    try:
        await _taken_up(url, copy)
        await _see_languages(subject, url, copy)
        async with AsyncExitStack() as stack:
            people = [
                await stack.enter_async_context(Visitor(url, copy.languages[0]))
                for _ in range(copy.cells[0].people)
            ]
            try:
                for visitor in people:
                    await visitor.begin(copy.name)
                    await visitor.to(copy, None)
                await asyncio.gather(*(visitor.wait() for visitor in people))
                await asyncio.gather(*(visitor.greet() for visitor in people))
            finally:
                # Also those whose way broke off, so that no session and no place is kept for them.
                left = await asyncio.gather(
                    *(visitor.leave() for visitor in people if visitor.path), return_exceptions=True
                )
            for came in left:
                if isinstance(came, Exception):
                    raise came
    except _NotTakenUpError as error:
        return fail(
            str(error),
            "start the server again, if it is older than the programs here, and see its log for "
            "study.not_taken_up",
        )
    except WalkError as error:
        return fail(str(error), "open the study's link in a browser, and see the server's log")
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        said = str(error) or type(error).__name__
        return fail(
            f"the way broke off ({said})", "see the check of the address, and the server's log"
        )
    cell = copy.cells[0]
    who = "one visitor" if cell.people == 1 else f"{cell.people} visitors"
    left_out = [str(p.name) for p in study.pages if isinstance(p, Tutorial)]
    without = f", without {', '.join(left_out)}" if left_out else ""
    return ok(
        f"{who} of {cell.name} ({cell.team}) came from the link to the session and left{without}; "
        f"consent was read in {', '.join(copy.languages)}"
    )


async def _taken_up(url: str, copy: Study) -> None:
    """Wait until the server runs the copy. Raises _NotTakenUpError."""
    give_up_at = asyncio.get_running_loop().time() + TAKEN_UP_S
    async with Visitor(url, copy.languages[0]) as visitor:
        while True:
            try:
                await visitor.open(f"/s/{copy.name}")
                return
            except WalkError as error:
                if visitor.status != 404 or asyncio.get_running_loop().time() > give_up_at:
                    said = str(error).replace(copy.name, "NAME")
                    raise _NotTakenUpError(
                        f"the server took up no study that was opened: {said}"
                    ) from error
            await asyncio.sleep(LOOK_S)


async def _see_languages(subject: Subject, url: str, copy: Study) -> None:
    """Read the consent page in each language, and refuse there. Raises WalkError."""
    for language in copy.languages:
        async with Visitor(url, language) as visitor:
            if subject.is_open:
                # The first page of the study itself, at which nothing begins.
                await visitor.open(f"/s/{subject.the_study.name}?preview=true&lang={language}")
            await visitor.begin(copy.name)
            await visitor.to(copy, Consent)
            consent = copy.consent
            assert consent is not None, "a study without consent cannot be made"
            wanted = set(re.findall(r"\w+", consent.text.get(language, "").lower()))
            missing = wanted - visitor.words()
            if len(missing) > MOST_LEFT_OUT * len(wanted):
                raise WalkError(f"{visitor.path} does not show the consent text in {language!r}")
            if f'lang="{language}"' not in visitor.page:
                raise WalkError(f"{visitor.path} does not say that it is in {language!r}")
            await visitor.send({"decision": "refuse"})


async def _remove(settings: Settings, database: Database, name: str) -> bool:
    """Remove what visitors of a copy left, once the server is done with it; tell whether it is."""
    if not await _comes_true(PACKED_S, lambda: _is_packed(database, name)):
        return False
    async with database.transaction() as db:
        ids = [session.session_id for session in await sessions_of(db, name)]
    # Made of a packed log: where it comes too late it would lie there for nobody.
    summaries = [summary_path(settings.archive_dir / f"{i}{PACKED_SUFFIX}") for i in ids]
    await _comes_true(SUMMED_UP_S, lambda: _are_there(summaries))
    async with database.transaction() as db:
        for session_id in ids:
            await note_removal(db, session_id, utc_now())
    for session_id in ids:
        await asyncio.to_thread(
            remove_recording, settings.log_path(session_id), settings.archive_dir
        )
    async with database.transaction() as db:
        await remove_study(db, name)
    return True


async def _is_packed(database: Database, name: str) -> bool:
    async with database.transaction() as db:
        return await are_packed(db, name)


async def _are_there(files: Sequence[Path]) -> bool:
    return all(file.exists() for file in files)


async def _comes_true(within_s: float, is_so: Callable[[], Awaitable[bool]]) -> bool:
    """Look until something is so, or no longer than that; return whether it is."""
    give_up_at = asyncio.get_running_loop().time() + within_s
    while not await is_so():
        if asyncio.get_running_loop().time() > give_up_at:
            return False
        await asyncio.sleep(LOOK_S)
    return True
