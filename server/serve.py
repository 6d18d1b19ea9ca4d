"""Run of the application under uvicorn."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from types import FrameType

import structlog
import uvicorn
from uvicorn.loops.auto import auto_loop_factory

from matchmaking.study import Study
from server.app import create_app, make_state
from server.hosting.orphaned_logs import orphaned_logs
from server.logs import configure_logging
from server.operator_accounts import MAKE_ACCOUNT
from server.owner_lock import OwnedError, Ownership
from server.personal.process_keys import use_keys
from server.research.studies.opening import Running, running
from server.settings import Settings
from server.store import Database
from server.store.member_lock import member_lock
from server.store.operators import has_operators
from server.store.sessions import open_sessions
from server.web.application_state import ApplicationState
from server.web.guarded_server import GRACE_S, GuardedServer, config_for
from server.web.operator_access import LINK_AGE_S

LAST_WORD_S = 0.1
"""Seconds for the lobby's last words to leave before its sockets are closed."""
LOOK_S = 0.25

log = structlog.get_logger(__name__)


class _Server(GuardedServer):
    """Server that says its address when it can be opened, not before."""

    def __init__(
        self,
        config: uvicorn.Config,
        state: ApplicationState,
        ownership: Ownership,
        *,
        operator_link: bool,
        has_accounts: bool = False,
    ) -> None:
        super().__init__(config, state.settings)
        self._has_accounts = has_accounts
        self._state, self._ownership, self._operator_link = state, ownership, operator_link
        self._told_twice = False
        self.lost = ""
        """Sentence that says why the data are not this server's any more; empty while they are."""

    def lose(self, sentence: str) -> None:
        """Stop, because another server owns the data by now."""
        log.error("server.data_lost", reason=sentence)
        self.lost, self.should_exit, self._told_twice = sentence, True, True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Uvicorn's own would raise the signal again at the end; an asked-for stop is no failure.
        self._told_twice = self.should_exit
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            # All code and settings: looking at them again costs everybody three frames each time
            # that strangers have left enough behind for a full collection.
            gc.collect()
            gc.freeze()
            sys.stdout.write("".join(f"{line}\n" for line in self._welcome()))
            sys.stdout.flush()

    def _welcome(self) -> Iterator[str]:
        """Yield the lines that say where the server can be opened."""
        settings = self._state.settings
        _, port, *_ = self.servers[0].sockets[0].getsockname()
        yield f"Cohabit is at {settings.address_on(port)}  (Ctrl+C stops it)"
        address = self._state.hosts.address_for_others(port)
        if not settings.is_loopback:
            yield f"  to share:       {address}"
        if settings.is_reached and not self._has_accounts:
            yield f"  operators:      nobody has an account yet: {MAKE_ACCOUNT}"
        if self._operator_link:
            # To standard output alone: no log ever holds it.
            yield f"  for operators:  {self._state.operators.make_link(address)}"
            yield f"                  (works once, within {LINK_AGE_S // 60} minutes: keep it)"

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Uvicorn closes sockets before the application hears of the end, so this goes first:
        # whoever waits or plays is told why.
        drain_s = 0.0 if self._told_twice else self._state.settings.drain_s
        self._ownership.announce_end(drain_s + LAST_WORD_S + GRACE_S)
        self._state.host.close_admission()
        await self._state.lobby.stop()
        await self._let_episodes_end()
        self._state.host.drain()
        await asyncio.sleep(LAST_WORD_S)
        await super().shutdown(sockets)

    async def _let_episodes_end(self) -> None:
        """Wait for running episodes as long as the operator allows.

        A second signal cuts it short.
        """
        give_up_at = time.monotonic() + self._state.settings.drain_s
        playing = self._state.host.playing()
        log.info("server.draining", playing=playing, drain_s=self._state.settings.drain_s)
        while playing and time.monotonic() < give_up_at and not self._told_twice:
            await asyncio.sleep(LOOK_S)
            playing = self._state.host.playing()
        if playing:
            log.info("server.leaves_episodes", playing=playing)


def serve(
    settings: Settings,
    ownership: Ownership,
    *,
    operator_link: bool = False,
    studies: Sequence[Study] = (),
) -> bool:
    """Serve until a signal; return whether it started at all.

    ``studies`` are those that people can be invited to, instead of those that were opened with the
    database. With ``operator_link`` a link is printed
    that makes whoever opens it first an operator. Raises DatabaseError if the database cannot be
    used, OwnedError if another server uses it, and SettingsError for a setting or a key of tokens
    that cannot be.
    """
    configure_logging(as_json=settings.log_json)
    # What people did and said is for nobody else on this machine; workers inherit this.
    os.umask(0o077)
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        return runner.run(_serve(settings, ownership, operator_link, studies))


async def _serve(
    settings: Settings, ownership: Ownership, operator_link: bool, studies: Sequence[Study]
) -> bool:
    async with member_lock(settings, tell) as lock:
        has_accounts = await _prepare(settings)
        opened = Running(studies, frozenset(), ()) if studies else await _opened(settings)
        for sentence in opened.refused:
            tell(sentence)
        server = _server(settings, ownership, operator_link, opened, has_accounts)
        keeping = asyncio.create_task(lock.keep(server.lose)) if lock is not None else None
        try:
            await server.serve()
        finally:
            if keeping is not None:
                keeping.cancel()
                await asyncio.gather(keeping, return_exceptions=True)
    if server.lost:
        raise OwnedError(server.lost)
    return server.started


def tell(line: str) -> None:
    """Print a line for the operator who starts the server."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _server(
    settings: Settings,
    ownership: Ownership,
    operator_link: bool,
    opened: Running,
    has_accounts: bool = False,
) -> _Server:
    state = make_state(
        settings, studies=opened.studies, closed=opened.closed, has_accounts=has_accounts
    )
    config = config_for(create_app(state), settings)
    return _Server(config, state, ownership, operator_link=operator_link, has_accounts=has_accounts)


async def _opened(settings: Settings) -> Running:
    """Return the studies that were opened with the database."""
    database = Database(settings.database, settings.database_wait_s)
    try:
        async with database.transaction() as db:
            return await running(db, settings)
    finally:
        await database.close()


async def _prepare(settings: Settings) -> bool:
    """Bring the database up to date, and read what the application will go on with.

    Returns whether operators have accounts.
    The application does both again, but there a failure comes out as a traceback of Uvicorn's.
    """
    database = Database(settings.database, keys=use_keys(settings.keys))
    try:
        await database.upgrade()
        async with database.transaction() as db:
            await open_sessions(db, settings.member)
            has_accounts = await has_operators(db)
        orphans = await orphaned_logs(settings, database)
        if orphans is not None:
            log.error("database.lacks_sessions", reason=orphans)
    finally:
        await database.close()
    return has_accounts
