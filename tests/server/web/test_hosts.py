"""The rule about hosts: one for what is asked for, for pages that speak, and for links."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from server.host_names import read_authority
from server.settings import Settings
from server.web.hosts import Hosts, host_of


def hosts(**changes: object) -> Hosts:
    # What a setting may be is what these tests are about.
    return Hosts(Settings(_env_file=None, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("made", "origin", "host", "accepted"),
    [
        ({}, "http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ({}, "http://localhost:8000", "localhost:8000", True),
        ({}, "http://[::1]:8000", "[::1]:8000", True),
        # Something on the way has another port, and leaves both headers alone.
        ({}, "http://127.0.0.1:8000", "127.0.0.1:9000", True),
        ({}, "http://localhost:9000", "localhost:8000", False),
        ({}, "https://localhost:8000", "localhost:8000", False),
        ({}, "https://evil.example", "127.0.0.1:8000", False),
        # A name of an attacker's that resolves to this machine.
        ({}, "http://evil.example:8000", "evil.example:8000", False),
        ({}, "http://evil.localhost:8000", "evil.localhost:8000", False),
        ({}, None, "127.0.0.1:8000", False),
        ({}, "null", "127.0.0.1:8000", False),
        ({}, "http://127.0.0.1:8000", None, False),
        ({}, "http://user@127.0.0.1:8000", "127.0.0.1:8000", False),
        ({"port": 0}, "http://127.0.0.1:40001", "127.0.0.1:40001", True),
        # The other end of `ssh -L 9000:127.0.0.1:8000`.
        ({}, "http://localhost:9000", "localhost:9000", True),
        ({"port": 80}, "http://localhost", "localhost", True),
        ({"port": 80}, "http://localhost", "localhost:80", True),
        ({"host": "0.0.0.0"}, "http://192.168.1.7:8000", "192.168.1.7:8000", True),
        ({"host": "0.0.0.0"}, "https://evil.example", "192.168.1.7:8000", False),
        ({"host": "0.0.0.0"}, "http://evil.example:8000", "evil.example:8000", False),
        ({"host": "192.168.1.7"}, "http://192.168.1.7:8000", "192.168.1.7:8000", True),
        ({"public_url": "https://h.org"}, "https://h.org", "127.0.0.1:8000", True),
        ({"public_url": "https://h.org"}, "https://h.org:443", "h.org", True),
        ({"public_url": "https://h.org"}, "http://h.org", "h.org", False),
        ({"public_url": "https://h.org"}, "https://h.org", "evil.example", False),
        (
            {"public_url": "https://h.org", "host": "0.0.0.0"},
            "http://10.0.0.1:8000",
            "10.0.0.1:8000",
            False,
        ),
        ({"allowed_hosts": "lab.local"}, "http://lab.local:8000", "lab.local:8000", True),
        ({"allowed_hosts": "*.lab.local"}, "http://a.lab.local", "a.lab.local", True),
        (
            {"allowed_hosts": "alt.org", "public_url": "https://h.org"},
            "https://alt.org",
            "alt.org",
            True,
        ),
        (
            {"allowed_hosts": "alt.org", "public_url": "https://h.org"},
            "http://alt.org",
            "alt.org",
            False,
        ),
    ],
)
def test_origins(made: dict[str, object], origin: str, host: str, accepted: bool) -> None:
    rule = hosts(**made)
    assert rule.accepts_origin(origin, host, local="192.168.1.7", scheme="http") is accepted


@pytest.mark.parametrize(
    ("made", "host", "local", "allowed"),
    [
        ({}, "localhost", "127.0.0.1", True),
        ({}, "127.8.8.8:9", "127.0.0.1", True),
        ({}, "192.168.1.7", "127.0.0.1", False),
        ({"host": "192.168.1.7"}, "192.168.1.7", "192.168.1.7", True),
        ({"host": "192.168.1.7"}, "192.168.1.8", "192.168.1.7", False),
        ({"host": "192.168.1.7"}, "localhost", "192.168.1.7", True),
        ({"host": "lab-pc.local"}, "lab-pc.local:8000", "192.168.1.7", True),
        ({"host": "fd00::1"}, "[FD00:0::1]:8000", "fd00::1", True),
        ({"host": "0.0.0.0"}, "192.168.1.7", "192.168.1.7", True),
        ({"host": "0.0.0.0"}, "192.168.1.8", "192.168.1.7", False),
        ({"host": "0.0.0.0"}, "lab-pc.local", "192.168.1.7", False),
        ({"host": "0.0.0.0"}, "192.168.1.7", None, False),
        ({"host": "::"}, "192.168.1.7", "::ffff:192.168.1.7", True),
        ({"host": "::"}, "[fd00::1]", "fd00::1", True),
        ({"host": "::"}, "[fe80::1]", "fe80::1%eth0", True),
        ({"host": "::"}, "[fd00::2]", "fd00::1", False),
        ({"public_url": "https://h.org"}, "H.org.:443", "10.0.0.1", True),
        ({"public_url": "https://h.org"}, "www.h.org", "10.0.0.1", False),
        # Where a public address is set, that is the one.
        ({"public_url": "https://h.org", "host": "0.0.0.0"}, "10.0.0.1", "10.0.0.1", False),
        ({"host": "0.0.0.0", "allowed_hosts": "10.0.0.1"}, "10.0.0.1", "172.17.0.2", True),
    ],
)
def test_hosts_that_may_be_asked_for(
    made: dict[str, object], host: str, local: str | None, allowed: bool
) -> None:
    asked = read_authority(host)
    assert asked is not None
    assert hosts(**made).allows(asked, local) is allowed


def connection(host: str, server: tuple[str, int] = ("127.0.0.1", 8000)) -> HTTPConnection:
    scope: dict[str, Any] = {
        "type": "http",
        "scheme": "http",
        "server": server,
        "headers": [(b"host", host.encode())],
    }
    return HTTPConnection(scope)


def test_links_name_the_public_address_whatever_was_asked_for() -> None:
    rule = hosts(public_url="https://h.org", allowed_hosts="alt.org")
    for host in ("h.org", "alt.org", "127.0.0.1:8000", "evil.example"):
        assert rule.base_url(connection(host)) == "https://h.org"


def test_links_name_what_was_asked_for_where_nothing_is_set() -> None:
    rule = hosts(allowed_hosts="lab.local")
    assert rule.base_url(connection("localhost:9000")) == "http://localhost:9000"
    assert rule.base_url(connection("LAB.local")) == "http://lab.local"
    assert hosts(port=8001).base_url(connection("user@evil")) == "http://127.0.0.1:8001"


def test_who_invites_from_the_server_itself_sends_no_loopback_address() -> None:
    rule = hosts(host="192.168.1.7")
    assert rule.base_url(connection("localhost:8000")) == "http://192.168.1.7:8000"
    assert rule.base_url(connection("192.168.1.7:8000")) == "http://192.168.1.7:8000"


def test_on_all_interfaces_others_come_by_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.hosts._own_address", lambda _: "192.168.1.7")
    rule = hosts(host="0.0.0.0")
    assert rule.base_url(connection("localhost:8001", ("127.0.0.1", 8001))) == (
        "http://192.168.1.7:8001"
    )
    assert hosts(host="0.0.0.0", public_url="http://h.org").address_for_others(1) == "http://h.org"
    monkeypatch.setattr("server.web.hosts._own_address", lambda _: None)
    assert rule.address_for_others(8001) == "http://127.0.0.1:8001"


def test_the_way_out_is_an_address_of_this_machine() -> None:
    found = hosts(host="0.0.0.0").address_for_others(0)
    with socket.socket() as probe:
        probe.bind((found.removeprefix("http://").removesuffix(":0"), 0))


def test_two_hosts_are_none() -> None:
    one, other = (b"host", b"localhost"), (b"host", b"localhost")
    assert host_of({"headers": []}) is None
    assert host_of({"headers": [one]}) == ("localhost", None)
    assert host_of({"headers": [one, other]}) is None
