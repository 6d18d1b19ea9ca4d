"""Sign-ins with accounts: passwords, guesses, and cookies of which only the hash is kept.

A guess is refused after too many from one address, and after too many at one account. Strangers can
so make an account wait for browsers that nobody knows, but for none that has been signed in with it
before: such a browser keeps a cookie that says so, and has guesses of its own.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from datetime import datetime

import structlog
from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.log_throttle import LogThrottle
from server.operator_accounts import (
    NOBODYS_HASH,
    Identity,
    hash_password,
    is_outdated,
    is_password,
    plain_name,
)
from server.store import Database
from server.store.operator_acts import note_act
from server.store.operators import (
    Account,
    account_of_sign_in,
    add_sign_in,
    add_sign_in_of,
    end_sign_in,
    has_operators,
    note_use,
    operator_named,
    replace_hash,
)
from server.web.addresses import address_group, peer_of
from server.web.growing_waits import GrowingWaits
from server.web.guess_limits import GuessLimits
from server.web.operator_standing import GuessesSpentError
from server.web.tokens import KNOWN_BROWSER_AGE_S, TokenError, Tokens

BROWSER_COOKIE = "cohabit_operator_browser"
_LONGEST_NAME = 64
_NOBODY = "server"
"""Name in the log of sign-ins that were refused."""

log = structlog.get_logger(__name__)


class AccountAccess:
    """Accounts of the database as browsers use them. One per application."""

    def __init__(
        self,
        database: Database,
        tokens: Tokens,
        guesses: GuessLimits,
        now: Callable[[], datetime],
        clock: Callable[[], float],
        known_by: tuple[str, str] | None = None,
    ) -> None:
        """Wire them. ``known_by``: issuer and claim by which alone there is a way in, if so."""
        self._known_by = known_by
        self._database, self._tokens, self._now = database, tokens, now
        self._guesses = guesses
        self._waits = GrowingWaits(clock)
        self._throttle = LogThrottle(clock)
        self._one_guess = asyncio.Lock()
        """Held from the look at the limits to the count: guesses at once are counted one by one,
        and take the time and the memory of one."""

    async def exist(self) -> bool:
        """Tell whether anybody has an account."""
        async with self._database.transaction() as db:
            return await has_operators(db)

    async def account_of(self, sign_in: str, *, is_used: bool = False) -> Account | None:
        """Return the account that a sign-in is of, as it is now; None: it has ended.

        ``is_used`` says that somebody has done something, so that it is not idle.
        """
        async with self._database.transaction() as db:
            account = await account_of_sign_in(db, sign_in, self._now(), self._known_by)
            if account is not None and is_used:
                await note_use(db, sign_in, self._now())
        return account

    async def enter(
        self, connection: HTTPConnection, typed: str, password: str, sign_in: str
    ) -> str | None:
        """Sign in with an account, if the password is its; return its name, or None.

        Whether there is no such account, or the password is wrong, can be told neither from the
        answer nor from its time. Raises GuessesSpentError, right or wrong, after too many guesses.
        """
        name = plain_name(typed)[:_LONGEST_NAME]
        group, key = address_group(peer_of(connection)), self._key(connection, name)
        async with self._one_guess:
            wait_s = max(self._guesses.wait_s(group), self._waits.wait_s(key))
            if wait_s:
                raise GuessesSpentError(wait_s)
            is_right = False
            try:
                is_right = await self._signs_in(name, password, sign_in)
            finally:
                # Also where it was given up: a guess that is not counted could be made for ever.
                self._count(group, key, f"{name}\0{password}".encode(), is_right=is_right)
        if not is_right:
            await self._note_refusal("wrong_password", "wrong passwords")
            return None
        return name

    def check_guesses(self, connection: HTTPConnection) -> None:
        """Raise GuessesSpentError for an address with too many wrong guesses."""
        wait_s = self._guesses.wait_s(address_group(peer_of(connection)))
        if wait_s:
            raise GuessesSpentError(wait_s)

    async def enter_as(
        self, connection: HTTPConnection, identity: Identity, sign_in: str
    ) -> str | None:
        """Sign in whom a provider knows as this; return the name of their account, or None.

        What strangers guess at an account keeps nobody out who need not guess; what is guessed at
        an address does, and somebody who has no account counts as a guess.
        """
        self.check_guesses(connection)
        group, now = address_group(peer_of(connection)), self._now()
        async with self._database.transaction() as db:
            name = await add_sign_in_of(db, identity, sign_in, now)
            if name is not None:
                note_act(db, name, "sign_in", name, now, detail="OpenID Connect")
        if name is None:
            self._guesses.guessed_wrong(group, "\0".join(identity).encode())
            await self._note_refusal("unknown_identity", "people without an account")
            return None
        self._guesses.guessed_right(group)
        return name

    async def _signs_in(self, name: str, password: str, sign_in: str) -> bool:
        async with self._database.transaction() as db:
            row = await operator_named(db, name)
            # The same work also for an account without a password.
            kept = NOBODYS_HASH if row is None else row.password_hash or NOBODYS_HASH
        # In a thread that holds no lock of Python's: those who play notice nothing.
        is_right = await asyncio.to_thread(is_password, kept, password)
        if row is None or not is_right:
            return False
        dearer = await asyncio.to_thread(hash_password, password) if is_outdated(kept) else ""
        async with self._database.transaction() as db:
            if not await add_sign_in(db, name, kept, sign_in, self._now()):
                return False
            note_act(db, name, "sign_in", name, self._now())
            if dearer:
                await replace_hash(db, name, kept, dearer)
        return True

    def _count(self, group: str, key: str, guess: bytes, *, is_right: bool) -> None:
        if is_right:
            self._guesses.guessed_right(group)
            self._waits.guessed_right(key)
        else:
            self._guesses.guessed_wrong(group, guess)
            self._waits.guessed_wrong(key)

    async def _note_refusal(self, kind: str, them: str) -> None:
        """Log who was refused, once a minute and kind at most: strangers must not fill the log.

        No name is stored: people type passwords in its place.
        """
        if count := self._throttle.count(kind):
            log.warning(f"operator.{kind}", count=count)
            many = f"{count} {them} since the last such line" if count > 1 else ""
            async with self._database.transaction() as db:
                note_act(db, _NOBODY, "sign_in", "", self._now(), outcome="refused", detail=many)

    async def leave(self, sign_in: str) -> None:
        """End a sign-in; a copy of its cookie is worth nothing either."""
        async with self._database.transaction() as db:
            name = await end_sign_in(db, sign_in)
            if name is not None:
                note_act(db, name, "sign_out", name, self._now())

    def remember(self, response: Response, name: str, *, is_https: bool) -> None:
        """Have a browser keep that it has been signed in with an account."""
        response.set_cookie(
            BROWSER_COOKIE,
            self._tokens.sign_known_browser(name, secrets.token_urlsafe(16)),
            max_age=KNOWN_BROWSER_AGE_S,
            path="/operator",
            httponly=True,
            samesite="strict",
            secure=is_https,
        )

    def _key(self, connection: HTTPConnection, name: str) -> str:
        """Return by what guesses at an account are counted: a known browser has its own."""
        try:
            known, nonce = self._tokens.read_known_browser(
                connection.cookies.get(BROWSER_COOKIE, "")
            )
        except TokenError:
            return f"account:{name}"
        return f"browser:{name}:{nonce}" if known == name else f"account:{name}"
