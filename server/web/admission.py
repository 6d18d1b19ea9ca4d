"""Admission: how much of the server one visitor, or one address, may have.

Quotas limit how often forms are sent and how many newcomers come; shares limit how many places are
held at once. All counts are this process's own, in memory, and end with it: sessions that go on
after a restart count as nobody's.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import Literal

import structlog
from starlette.requests import HTTPConnection

from matchmaking.offers import Sought
from matchmaking.tickets import Ticket
from server.hosting.session_manager import SessionManager
from server.lobby import Lobby, Matched, Outcome
from server.log_throttle import LogThrottle
from server.settings import Settings
from server.web.addresses import address_group, is_loopback, peer_of
from server.web.errors import PageError
from server.web.quotas import Quota
from server.web.shares import Holding, Shares

LEAST_SHARE = 4
"""Places that an address may hold however small the server is: two pairs at one desk."""
SHARE_RETRY_S = 30
"""Seconds after which a visitor whose address has its share is asked to come again."""

Limit = Literal["participant_forms", "address_forms", "address_newcomers", "address_share"]
log = structlog.get_logger(__name__)


def counts_as(connection: HTTPConnection, settings: Settings) -> str | None:
    """Tell whose share and quotas a visitor's doings count towards; None: nobody's.

    That is the group of their address. Where the link of an invited visitor is signed, this is the
    place to let it count instead: people whom somebody vouches for may share one address.
    """
    host = peer_of(connection)
    if settings.exempt_loopback and is_loopback(host):
        return None
    return address_group(host)


class Admission:
    """The limits of an application, and what is counted towards them. One per application."""

    def __init__(
        self,
        settings: Settings,
        lobby: Lobby,
        sessions: SessionManager,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings, self._lobby, self._sessions = settings, lobby, sessions
        self._participant_forms = Quota(settings.participant_forms, clock)
        self._address_forms = Quota(settings.address_forms, clock)
        self._address_newcomers = Quota(settings.address_newcomers, clock)
        self._throttle = LogThrottle(clock)
        self._shares = Shares()
        self._stays: dict[str, asyncio.Future[Outcome]] = {}
        """Outcomes of the stays in the lobby, by participant."""
        self.turned_away: Counter[Limit] = Counter()
        """Number of times that each limit was met, for `/metrics`."""

    @property
    def share(self) -> int:
        """The places that one address may hold where `Settings.address_share` limits them."""
        return max(LEAST_SHARE, ceil(self._settings.address_share * self._settings.capacity))

    def admit_form(self, request: HTTPConnection, fingerprint: str | None) -> None:
        """Count a form. Raises PageError where too many came.

        ``fingerprint`` is that of the browser's cookie, if it sent one.
        """
        asked: tuple[tuple[Limit, Quota, str | None], ...] = (
            ("participant_forms", self._participant_forms, fingerprint),
            ("address_forms", self._address_forms, counts_as(request, self._settings)),
        )
        for limit, quota, key in asked:
            wait_s = quota.wait_s(key) if key is not None else 0
            if wait_s:
                raise self._too_fast(request, limit, wait_s)
        # Only now: what one of them refuses costs nothing of the other.
        for _, quota, key in asked:
            if key is not None:
                quota.take(key)

    def admit_newcomer(self, request: HTTPConnection) -> None:
        """Count a new participant. Raises PageError where too many came."""
        counted_as = counts_as(request, self._settings)
        wait_s = self._address_newcomers.take(counted_as) if counted_as is not None else 0
        if wait_s:
            raise self._too_fast(request, "address_newcomers", wait_s)

    @contextmanager
    def place(
        self, request: HTTPConnection, participant: str, place: str, seeks: Sought | None = None
    ) -> Iterator[None]:
        """Let a participant enter ``place`` (a ticket or an invitation) while the lobby is asked.

        ``seeks`` is the group that they wait for, whoever comes; None: they do not.

        They keep what they held where the lobby refuses them: another form of theirs may have been
        faster. Raises PageError where their address has its share.
        """
        self._catch_up()
        is_limited = self._settings.address_share < 1
        counted_as = counts_as(request, self._settings) if is_limited else None
        holding = self._shares.take(participant, place, counted_as, self.share, seeks=seeks)
        if holding is None:
            self._note(request, "address_share")
            raise _share_is_held(self.share)
        try:
            yield
        except Exception:
            self._shares.give_back(participant, holding)
            raise
        except BaseException:
            # Whoever hung up may have a ticket all the same.
            self._settle(participant, holding)
            raise
        self._settle(participant, holding)

    def _settle(self, participant: str, holding: Holding) -> None:
        """Take note of what the lobby has of a participant."""
        ticket = self._lobby.ticket_of(participant)
        outcome = self._lobby.outcome(ticket.ticket_id) if ticket is not None else None
        if ticket is None or outcome is None:
            self._shares.give_back(participant, holding)
            return
        self._stays[participant] = outcome
        seeks = self._lobby.rules.sought(ticket.pool)
        self._shares.settle(participant, holding, place_of(ticket), seeks=seeks)

    def _catch_up(self) -> None:
        """Note who has left the lobby, and forget the places that are free again."""
        for participant, outcome in list(self._stays.items()):
            if outcome.done():
                del self._stays[participant]
                match outcome.result():
                    case Matched(session_id):
                        self._shares.follow(participant, session_id)
        self._shares.keep(self._is_taken)

    def _is_taken(self, place: str) -> bool:
        return (
            self._sessions.is_open(place)
            or self._lobby.ticket(place) is not None
            or bool(self._lobby.holders(place))
        )

    def _too_fast(self, request: HTTPConnection, limit: Limit, wait_s: int) -> PageError:
        self._note(request, limit)
        if limit == "participant_forms":
            return PageError(
                429,
                "That was a lot at once",
                "You have pressed a button here more often than we can follow. Nothing is lost: "
                f"wait {_seconds(wait_s)}, go back, and press it once more.",
                retry_after_s=wait_s,
            )
        return PageError(
            429,
            "Many people come from your network just now",
            f"{_deeds(limit)} Nothing is lost: wait {_seconds(wait_s)}, go back, and press the "
            "button once more. "
            "If you are a large group, ask the people who run this server to raise their limit.",
            retry_after_s=wait_s,
        )

    def _note(self, request: HTTPConnection, limit: Limit) -> None:
        """Count a visitor who was turned away, and tell operators of it once a minute."""
        self.turned_away[limit] += 1
        count = self._throttle.count(limit)
        if count:
            # Many visitors from the loopback are a proxy whose headers are not believed.
            from_loopback = is_loopback(peer_of(request))
            log.warning(
                "admission.limit_met", limit=limit, count=count, from_loopback=from_loopback
            )


def place_of(ticket: Ticket) -> str:
    """Return the place that a stay in the lobby holds: those of an invitation hold one together."""
    return ticket.code or ticket.ticket_id


def _share_is_held(share: int) -> PageError:
    return PageError(
        503,
        "Your group has filled its places",
        f"People on your network hold {share} places here, in homes or in the lobby, which is as "
        "many as one group may have. Nothing is lost: wait "
        f"{SHARE_RETRY_S} seconds, go back, and press the button once more. A place is free when "
        "one of your group has stopped and closed the page. If it stays full, ask the people who "
        "run this server to give your network more.",
        retry_after_s=SHARE_RETRY_S,
    )


def _seconds(wait_s: int) -> str:
    if wait_s >= 120:
        return f"{ceil(wait_s / 60)} minutes"
    return "a second" if wait_s == 1 else f"{wait_s} seconds"


def _deeds(limit: Limit) -> str:
    """Return what the people of one network did too often."""
    if limit == "address_newcomers":
        return "More of them began for the first time than one network may, in so short a time."
    return "They pressed buttons here more often than one network may, in so short a time."
