"""Hosts under which this server may be asked for, and pages that may speak with it.

One rule for the ``Host`` of every request, for the ``Origin`` of websockets and forms, and for
links that leave the server. A name that is not ours may point here all the same (DNS rebinding),
and then a foreign page would speak as one of ours; a forged one would stand in invitations.
"""

from __future__ import annotations

import socket
from ipaddress import IPv6Address
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.types import Scope

from server.host_names import Authority, read_authority, read_host_patterns
from server.settings import Settings

_DEFAULT_PORTS = {"http": 80, "https": 443}
_SCHEMES = {"ws": "http", "wss": "https"}


class Origin(NamedTuple):
    """Origin of a page (RFC 6454), always with its port."""

    scheme: str
    name: str
    port: int

    @property
    def is_loopback(self) -> bool:
        return Authority(self.name).is_loopback

    def __str__(self) -> str:
        port = None if self.port == _DEFAULT_PORTS[self.scheme] else self.port
        return f"{self.scheme}://{Authority(self.name, port)}"


def read_origin(text: str | None) -> Origin | None:
    """Return the origin that ``text`` is, or None for anything else (``null`` too)."""
    scheme, _, rest = (text or "").partition("://")
    authority = read_authority(rest)
    if authority is None or scheme not in _DEFAULT_PORTS:
        return None
    port = _DEFAULT_PORTS[scheme] if authority.port is None else authority.port
    return Origin(scheme, authority.name, port)


def host_of(scope: Scope) -> Authority | None:
    """Return what the ``Host`` header names; None where it is missing, malformed or there twice."""
    found = [value for name, value in scope["headers"] if name == b"host"]
    if len(found) != 1:
        return None
    return read_authority(found[0].decode("latin-1"))


class Hosts:
    """Rule of one server, from its settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._public = read_origin(settings.public_url)
        self._patterns = read_host_patterns(settings.allowed_hosts)
        bare = settings.host if ":" not in settings.host else f"[{settings.host}]"
        self._listens = read_authority(bare)
        names = {"127.0.0.1", "localhost"} if settings.is_loopback else set()
        if self._listens and not settings.binds_all:
            names.add(self._listens.name)
        own = (Origin("http", name, settings.port) for name in names)
        self._ours = frozenset((*own, self._public))

    def allows(self, host: Authority, local: str | None = None) -> bool:
        """Tell whether the server may be asked for as ``host``.

        ``local`` is the address of this machine to which the browser has connected: the one that
        counts where the server listens on all of them and no public address is set.
        """
        if host.is_loopback or (self._public and host.name == self._public.name):
            return True
        if self._settings.binds_all:
            if not self._public and host.address is not None and host.name == _plain(local):
                return True
        elif self._listens and host.name == self._listens.name:
            return True
        return any(pattern.fits(host.name) for pattern in self._patterns)

    def accepts_origin(
        self, origin: str | None, host: str | None, *, local: str | None = None, scheme: str
    ) -> bool:
        """Tell whether a request with these ``Origin`` and ``Host`` headers comes from our pages.

        That is the public address, the one that the server listens on, or whatever allowed host the
        browser has asked for: then the two headers agree. A request without an origin does not come
        from a browser's script.
        """
        page, asked = read_origin(origin), read_authority(host or "")
        if page is None or asked is None or not self.allows(asked, local):
            return False
        if page in self._ours:
            return True
        # A page that came without TLS, of a site that has it, may be anybody's.
        wanted = "https" if self._settings.is_https and not asked.is_loopback else scheme
        return page == Origin(wanted, asked.name, asked.port or _DEFAULT_PORTS[wanted])

    def is_from_our_page(self, connection: HTTPConnection) -> bool:
        """Tell whether a browser's request comes from one of our pages (`accepts_origin`)."""
        headers = connection.headers
        return self.accepts_origin(
            headers.get("origin"),
            headers.get("host"),
            local=local_address(connection.scope),
            scheme=_scheme(connection.scope),
        )

    def addresses(self, connection: HTTPConnection) -> tuple[str | None, str]:
        """Return where a request's page is from, as far as that can be read, and what is asked."""
        page, asked = read_origin(connection.headers.get("origin")), host_of(connection.scope)
        return page and str(page), f"{_scheme(connection.scope)}://{asked}"

    def base_url(self, connection: HTTPConnection) -> str:
        """Return the address at which others reach this server, as far as it can be known.

        It stands in links that leave the server. The public address if there is one; else what the
        browser has asked for, unless that is loopback and others have an address of their own.
        """
        settings, asked = self._settings, host_of(connection.scope)
        if settings.public_url or asked is None:
            return settings.address
        if asked.is_loopback and not settings.is_loopback:
            _, port = connection.scope.get("server") or (None, None)
            return self.address_for_others(port or settings.port)
        return f"{_scheme(connection.scope)}://{asked}"

    def address_for_others(self, port: int) -> str:
        """Return the address that people at other machines open, as far as it can be known.

        ``port`` is the one that is listened on. Where that is on all interfaces, it is the address
        of the one with the way out.
        """
        settings = self._settings
        own = _own_address(settings.host) if settings.binds_all else None
        if settings.public_url or own is None:
            return settings.address_on(port)
        return f"http://{Authority(own, port)}"


def local_address(scope: Scope) -> str | None:
    """Return the address of this machine to which a client has connected."""
    server = scope.get("server")
    return None if server is None or server[1] is None else str(server[0])


def _own_address(listens_on: str) -> str | None:
    """Return this machine's address on the way out; nothing is sent. None if there is no way."""
    is_new = ":" in listens_on
    # Addresses of documentation (RFC 5737, RFC 3849): they are nobody's.
    family, nobody = (socket.AF_INET6, "2001:db8::1") if is_new else (socket.AF_INET, "192.0.2.1")
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((nobody, 9))
            return _plain(str(probe.getsockname()[0]))
    except OSError:
        return None


def _plain(address: str | None) -> str | None:
    """Return an address in its shortest form: IPv4 as such, and without a zone."""
    name = (address or "").partition("%")[0]
    found = read_authority(f"[{name}]" if ":" in name else name)
    if found is None or found.address is None:
        return None
    mapped = found.address.ipv4_mapped if isinstance(found.address, IPv6Address) else None
    return str(mapped or found.address)


def _scheme(scope: Scope) -> str:
    scheme = str(scope.get("scheme", "http"))
    return _SCHEMES.get(scheme, scheme)
