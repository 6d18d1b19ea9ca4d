"""Check of the public address: it leads to this server, by TLS, with websockets and true addresses.

It is asked from this machine. Where a router sends nobody back to its own public address, that
says so, and a browser elsewhere has to look.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import secrets
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp

from matchmaking.study.opening_rules import CODED
from server.cli.preflight.checks import Found, Subject, fail, in_thread, ok, warn, worst
from server.host_names import read_proxies
from server.owner_lock import holder_of, lock_files
from server.settings import Settings
from server.web.preflight_answers import PATH, process_name
from server.web.secret_key import FILE, SecretKeyError, read_key
from server.web.tokens import TokenError, Tokens

CLAIMED = "192.0.2.77"
"""Address that nobody has (RFC 5737), which the request claims to come from."""
TIMEOUT_S = 10.0
MOST_APART_S = 5.0
"""Most by which the clock of whoever answers may differ from ours."""
SOON_DAYS = 14
"""Days before the end of a certificate on which it is told."""
_PROXY = "see docs/deployment.md, which has a working set-up of nginx and of Caddy"


class Answer(NamedTuple):
    """Answer of an address to the question whether it leads to this server."""

    status: int
    date: datetime | None
    body: bytes
    from_address: tuple[str, int]
    """Address of our end of the connection."""
    until: datetime | None
    """End of the certificate; None: there is none."""


async def check_address(subject: Subject) -> Found:
    """Ask the public address whether it leads to the server that runs on these data."""
    settings = subject.settings
    found = []
    if not settings.public_url:
        kind = subject.study.recruiter.kind if subject.study is not None else ""
        remedy = "set COHABIT_PUBLIC_URL to the address that browsers use"
        text = "there is no public address, so only browsers near this machine can come"
        found.append(fail(text, remedy) if kind in CODED else warn(text, remedy))
    try:
        tokens = Tokens(read_key(settings.data_dir / FILE))
    except SecretKeyError as error:
        # Without it nobody can ask who answers.
        return worst([*found, fail(str(error), "start the server, which makes a missing one")])
    nonce = secrets.token_urlsafe(12)
    url = settings.address
    try:
        answer = await in_thread(ask, url, PATH + tokens.sign_preflight(nonce))
    except (OSError, http.client.HTTPException) as error:
        return worst([*found, _unreached(url, error)])
    found.append(_whose(settings, tokens, nonce, url, answer))
    if found[-1].level == "ok":
        found += [
            *_seen_as(settings, answer),
            *_dates(subject, answer),
            await websocket_passes(url),
        ]
    return worst(found)


def ask(url: str, path: str) -> Answer:
    """Ask a server for a page as a browser would. Raises OSError, HTTPException."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    context = ssl.create_default_context()
    connection = (
        http.client.HTTPSConnection(host, parts.port, timeout=TIMEOUT_S, context=context)
        if parts.scheme == "https"
        else http.client.HTTPConnection(host, parts.port, timeout=TIMEOUT_S)
    )
    try:
        connection.connect()
        peer: Any = connection.sock
        ours = peer.getsockname()
        until = None
        if isinstance(peer, ssl.SSLSocket):
            ends = str((peer.getpeercert() or {}).get("notAfter", ""))
            until = datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC) if ends else None
        connection.request("GET", path, headers={"x-forwarded-for": CLAIMED})
        got = connection.getresponse()
        date = got.getheader("date")
        return Answer(
            got.status,
            parsedate_to_datetime(date) if date else None,
            got.read(100_000),
            (ours[0], ours[1]),
            until,
        )
    finally:
        connection.close()


def _unreached(url: str, error: Exception) -> Found:
    if isinstance(error, ssl.SSLCertVerificationError):
        return fail(
            f"{url} has a certificate that browsers refuse ({error.verify_message})",
            "have the proxy renew it, for this very name",
        )
    said = str(error) or type(error).__name__
    return fail(
        f"{url} does not answer from here ({said})",
        "see that its name leads to the proxy, that the proxy runs, and that a firewall lets it in",
    )


def _whose(settings: Settings, tokens: Tokens, nonce: str, url: str, answer: Answer) -> Found:
    """Tell whether it was this very server that answered."""
    if answer.status in (502, 503, 504):
        return fail(
            f"a proxy answers at {url}, and reaches no server ({answer.status})",
            f"have it hand on to {settings.host}:{settings.port}; {_PROXY}",
        )
    if answer.status in (400, 421):
        return fail(
            f"the server at {url} was asked under another name ({answer.status})",
            f"have the proxy hand on the header Host as it came; {_PROXY}",
        )
    try:
        told = json.loads(answer.body)
        answered, process = tokens.read_preflight_answer(str(told["answer"]))
    except (ValueError, TypeError, KeyError, TokenError):
        return fail(
            f"something else answers at {url} ({answer.status})",
            f"have it lead to the server on {settings.data_dir.absolute()}",
        )
    holders = [holder for file in lock_files(settings) if (holder := holder_of(file)) is not None]
    if answered != nonce or (
        holders and process not in {process_name(h.pid, h.host) for h in holders}
    ):
        return fail(
            f"{url} leads to another server with the same key ({process})",
            f"have it lead to the server on {settings.data_dir.absolute()}, and stop the other",
        )
    return ok(f"{url} leads to this server")


def _seen_as(settings: Settings, answer: Answer) -> Iterator[Found]:
    """Tell whether the server sees whoever asks, and not the proxy, and no claims of theirs."""
    told = json.loads(answer.body)
    seen, port = str(told["client"]), int(told["port"])
    if port == 0 and _is_believed(settings, answer.from_address[0]):
        # Of what such an address sends on nothing is taken off, and that is right.
        yield ok("a proxy is believed (asked from an address that COHABIT_PROXY_IPS names, too)")
    elif seen == CLAIMED:
        yield fail(
            "visitors can claim any address: the proxy hands on what they send as X-Forwarded-For",
            f"have it set that header itself; {_PROXY}",
        )
    elif port == 0:
        yield ok(f"a proxy is believed, and this machine is seen as {seen}")
    elif (seen, port) == answer.from_address or _is_same(seen, answer.from_address[0]):
        if settings.proxy_ips:
            yield warn(
                "the request came by no proxy, though COHABIT_PROXY_IPS names one",
                "have the public address lead to the proxy",
            )
    else:
        text = f"all visitors are seen as {seen}, which stands between"
        remedy = f"name the proxy in COHABIT_PROXY_IPS; {_PROXY}"
        yield fail(text, remedy)


def _is_believed(settings: Settings, address: str) -> bool:
    return any(ip_address(address) in network for network in read_proxies(settings.proxy_ips))


def _is_same(seen: str, ours: str) -> bool:
    """Tell whether both are one address, one of them written as IPv6."""
    try:
        one, other = ip_address(seen), ip_address(ours)
    except ValueError:
        return False
    return getattr(one, "ipv4_mapped", None) == other or getattr(other, "ipv4_mapped", None) == one


def _dates(subject: Subject, answer: Answer) -> Iterator[Found]:
    now = subject.now()
    if answer.date is not None and abs((answer.date - now).total_seconds()) > MOST_APART_S:
        apart_s = (answer.date - now).total_seconds()
        yield fail(
            f"whoever answers there is {apart_s:+.0f} s from this machine's clock",
            "let both follow one time server (timedatectl set-ntp true)",
        )
    if answer.until is not None:
        days = (answer.until - now).days
        if days < SOON_DAYS:
            yield warn(f"its certificate ends in {days} days", "see that it is renewed by itself")


async def websocket_passes(url: str) -> Found:
    """Open a websocket through whatever stands between, and hear the server's word in it."""
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            aiohttp.ClientSession(trust_env=False) as session,
            session.ws_connect(f"{url}/ws/lobby", origin=url) as websocket,
        ):
            await websocket.send_str(json.dumps(["hello", "of a preflight", "preflight"]))
            heard = await websocket.receive()
    except aiohttp.WSServerHandshakeError as error:
        return fail(
            f"websockets do not pass ({error.status}): nobody could wait or play",
            f"have the proxy hand on Upgrade and Connection; {_PROXY}",
        )
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        said = str(error) or type(error).__name__
        return fail(f"websockets do not pass ({said})", f"have the proxy hand them on; {_PROXY}")
    if heard.type is not aiohttp.WSMsgType.TEXT:
        return fail("a websocket opens, and nothing comes through it", _PROXY)
    return ok("websockets pass")
