"""Addresses as limits count them."""

from __future__ import annotations

import pytest

from server.web.addresses import UNKNOWN, address_group, is_loopback


@pytest.mark.parametrize(
    ("host", "group"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", UNKNOWN),
        ("", UNKNOWN),
        (None, UNKNOWN),
    ],
)
def test_the_group_of_an_address(host: str | None, group: str) -> None:
    assert address_group(host) == group


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["192.0.2.7", "::2", "localhost", "127.0.0.1.example.org", "", None]
)
def test_no_loopback(host: str | None) -> None:
    assert not is_loopback(host)
