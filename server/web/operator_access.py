"""Ways in for operators: an account, the token, the link of the start, and this machine."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.operator_accounts import Identity, Role
from server.settings import Settings
from server.web.account_access import AccountAccess
from server.web.addresses import address_group, peer_of
from server.web.guess_limits import GuessLimits
from server.web.local_requests import is_local
from server.web.operator_standing import GuessesSpentError, Standing

COOKIE = "cohabit_operator"
RENEWAL = "cohabit-renewal"
"""Header with which a page asks what it would show now, without anybody doing something."""
SESSION_AGE_S = 12 * 3600
"""Seconds for which a browser is remembered."""
LINK_AGE_S = 15 * 60
"""Seconds for which the operators' link is good."""
_MOST_SESSIONS = 256
_SECRET_BYTES = 32


class _SignIn(NamedTuple):
    """Sign-in without account: how the browser came in, and when it ends."""

    who: str
    ends_at: float


class Operators:
    """Operators of one process: how they show who they are, and who has.

    Sign-ins without account are in memory and random: no cookie holds anything of the token, and
    none outlives the process, which a new token needs a new one of. Those with an account are in
    the database, so that commands end them, too. Once anybody has an account, the token is for
    machines: it opens pages to read, and signs no browser in.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        accounts: Callable[[GuessLimits], AccountAccess] | None = None,
    ) -> None:
        """Take the settings and a clock; without ``accounts``, nobody has one."""
        self._password = settings.metrics_token.strip()
        self._takes_passwords = settings.operator_passwords
        self._may_be_local = not (self._password or settings.public_url or settings.proxy_ips)
        self._is_https = settings.is_https
        self._clock = clock
        self._guesses = GuessLimits(clock)
        self._accounts = None if accounts is None else accounts(self._guesses)
        self._sign_ins: dict[str, _SignIn] = {}
        """Sign-ins without account by the hash of their cookie."""
        self.process_sign_in = secrets.token_hex(_SECRET_BYTES)
        """Name of the sign-in of those who need none; it ends with the process."""
        self._links: dict[str, float] = {}
        """Ends of links by the hash of their secret."""
        self._used_links: set[str] = set()

    async def has_accounts(self) -> bool:
        """Tell whether anybody has an account."""
        return self._accounts is not None and await self._accounts.exist()

    def can_enter(self, *, has_accounts: bool) -> bool:
        """Tell whether there is anything that could be entered.

        That is a password, or the secret of a link.
        """
        now = self._clock()
        has_password = self._takes_passwords and (has_accounts or bool(self._password))
        return has_password or any(e > now for e in self._links.values())

    def is_machine(self, connection: HTTPConnection) -> bool:
        """Tell whether figures may be told: to the token as a bearer, or to this machine.

        Raises GuessesSpentError for a bearer after too many wrong ones. Ask once for each request:
        a wrong one counts.
        """
        return self._is_here(connection) or self._is_bearer(connection)

    async def standing(self, connection: HTTPConnection) -> Standing | None:
        """Return the standing of whoever sends a request, as it is now; None for strangers.

        Operators are those with the cookie that `enter` gives, those who, where no token is set and
        nothing speaks of a proxy, ask from this machine, and those who send the token as a bearer.
        Raises as `is_machine` does; ask once for each request.
        """
        cookie = connection.cookies.get(COOKIE, "")
        if cookie:
            known = await self._signed_in(hash_of(cookie), is_used=_is_used(connection))
            if known is not None:
                return known
        if self._is_here(connection):
            return Standing("this machine", Role.ADMINISTER, self.process_sign_in, False)
        if self._is_bearer(connection):
            role = Role.WATCH if await self.has_accounts() else Role.ADMINISTER
            return Standing("token", role, self.process_sign_in, False)
        return None

    async def lasts(self, sign_in: str) -> bool:
        """Tell whether a sign-in of this name lasts, and may watch.

        It does not after signing out, when it is old, and when its account was removed.
        """
        if hmac.compare_digest(sign_in.encode(), self.process_sign_in.encode()):
            return True
        return await self._signed_in(sign_in) is not None

    async def _signed_in(self, sign_in: str, *, is_used: bool = False) -> Standing | None:
        known = self._sign_ins.get(sign_in)
        if known is not None:
            if known.ends_at <= self._clock():
                return None
            if known.who == "token" and await self.has_accounts():
                return None
            return Standing(known.who, Role.ADMINISTER, sign_in, True)
        if self._accounts is None:
            return None
        account = await self._accounts.account_of(sign_in, is_used=is_used)
        if account is None:
            return None
        return Standing(account.name, account.role, sign_in, True, has_account=True)

    async def enter(
        self, connection: HTTPConnection, name: str, given: str, response: Response
    ) -> bool:
        """Give a browser the cookie of whom it says it is.

        ``given`` is the password of the account ``name``; without a name, the secret of a link or,
        while nobody has an account, the token. Returns whether it was. Raises GuessesSpentError
        where too many were wrong.
        """
        cookie = secrets.token_urlsafe(_SECRET_BYTES)
        if not self._takes_passwords:
            if not self._redeem(given):
                return False
            self._remember("link", cookie)
        elif self._accounts is not None and (name.strip() or await self.has_accounts()):
            # A link's secret has no name, and nobody guesses it: it meets no limit.
            if not name.strip() and self._redeem(given):
                self._remember("link", cookie)
            elif not name.strip() and self.is_used_link(given):
                # Who opens a link again guesses nothing.
                return False
            else:
                found = await self._accounts.enter(connection, name, given, hash_of(cookie))
                if found is None:
                    return False
                self._accounts.remember(response, found, is_https=self._is_https)
        elif self._redeem(given):
            self._remember("link", cookie)
        elif self._judge(connection, given.encode()):
            self._remember("token", cookie)
        else:
            return False
        await self._give(connection, response, cookie)
        return True

    def check_guesses(self, connection: HTTPConnection) -> None:
        """Raise GuessesSpentError where somebody may not sign in for a while."""
        assert self._accounts is not None, "no server has a provider and no accounts"
        self._accounts.check_guesses(connection)

    async def enter_as(
        self, connection: HTTPConnection, identity: Identity, response: Response, former: str
    ) -> bool:
        """Give a browser the cookie of somebody whom a provider knows; return whether it could.

        ``former`` is the name of the sign-in that it had when it was sent there: a browser that
        comes back from another site does not send the cookie. It cannot where nobody has an account
        with that identity. Raises GuessesSpentError.
        """
        assert self._accounts is not None, "no server has a provider and no accounts"
        cookie = secrets.token_urlsafe(_SECRET_BYTES)
        found = await self._accounts.enter_as(connection, identity, hash_of(cookie))
        if found is None:
            return False
        self._accounts.remember(response, found, is_https=self._is_https)
        await self._end(former)
        await self._give(connection, response, cookie)
        return True

    async def _give(self, connection: HTTPConnection, response: Response, cookie: str) -> None:
        """Give a browser the cookie of a sign-in in place of the one that it has."""
        # The browser has its cookie no more; a copy of it must be worth nothing.
        await self._end(self.sign_in_of(connection))
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=SESSION_AGE_S,
            path="/operator",
            httponly=True,
            samesite="strict",
            secure=self._is_https,
        )

    def _remember(self, who: str, cookie: str) -> None:
        """Keep a sign-in without account."""
        now = self._clock()
        self._sign_ins = {key: s for key, s in self._sign_ins.items() if s.ends_at > now}
        while len(self._sign_ins) >= _MOST_SESSIONS:
            del self._sign_ins[next(iter(self._sign_ins))]
        self._sign_ins[hash_of(cookie)] = _SignIn(who, now + SESSION_AGE_S)

    async def leave(self, connection: HTTPConnection, response: Response) -> None:
        """Forget a browser; a copy of its cookie is worth nothing either."""
        await self._end(self.sign_in_of(connection))
        response.delete_cookie(
            COOKIE, path="/operator", httponly=True, samesite="strict", secure=self._is_https
        )

    def sign_in_of(self, connection: HTTPConnection) -> str:
        """Return the name of the sign-in whose cookie a browser sends; empty: it sends none."""
        cookie = connection.cookies.get(COOKIE, "")
        return hash_of(cookie) if cookie else ""

    async def _end(self, sign_in: str) -> None:
        """End a sign-in, if there is such a one."""
        if not sign_in:
            return
        if self._sign_ins.pop(sign_in, None) is None and self._accounts is not None:
            await self._accounts.leave(sign_in)

    def make_link(self, address: str) -> str:
        """Return a link that makes the first browser which opens it an operator's.

        The secret stands behind the ``#``, which browsers send to nobody: not into the logs of a
        proxy, and not to the next page.
        """
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        self._links[hash_of(secret)] = self._clock() + LINK_AGE_S
        return f"{address}/operator#once={secret}"

    def is_used_link(self, given: str) -> bool:
        """Tell whether this is the secret of a link that is good no more."""
        return hash_of(given) in self._used_links

    def _redeem(self, given: str) -> bool:
        secret = hash_of(given)
        end = self._links.pop(secret, None)
        if end is None:
            return False
        self._used_links.add(secret)
        return end > self._clock()

    def _is_here(self, connection: HTTPConnection) -> bool:
        return self._may_be_local and is_local(connection)

    def _is_bearer(self, connection: HTTPConnection) -> bool:
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        if not self._password or scheme.lower() != "bearer":
            return False
        return self._judge(connection, given.strip().encode("latin-1"))

    def _judge(self, connection: HTTPConnection, given: bytes) -> bool:
        """Tell whether a guess of the token is right, and count it.

        Raises GuessesSpentError, right or wrong.
        """
        group = address_group(peer_of(connection))
        wait_s = self._guesses.wait_s(group)
        if wait_s:
            raise GuessesSpentError(wait_s)
        if self._password and hmac.compare_digest(given, self._password.encode()):
            self._guesses.guessed_right(group)
            return True
        self._guesses.guessed_wrong(group, given)
        return False


def hash_of(secret: str) -> str:
    """Return the hash by which a cookie or the secret of a link is known."""
    # It has 256 random bits, so a plain hash cannot be guessed back, and looking one up tells
    # nothing about another.
    return hashlib.sha256(secret.encode()).hexdigest()


def _is_used(connection: HTTPConnection) -> bool:
    """Tell whether a person does something: pages that renew themselves are nobody's doing."""
    # They say so: without https, browsers send no Sec-Fetch-Mode to another machine.
    if RENEWAL in connection.headers:
        return False
    # What a page sends is sent by whoever uses it, as a coder's notes are.
    is_sent = connection.scope.get("method") == "POST"
    return is_sent or connection.headers.get("sec-fetch-mode", "navigate") == "navigate"
