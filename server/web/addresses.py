"""Addresses of visitors, as limits count them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

HOME_PREFIX = 64
"""Leading bits of an IPv6 address that name one household or one laboratory: its devices choose the
rest themselves, so a limit for each whole address would be none."""
UNKNOWN = "unknown"
"""Group of peers without an address, such as those of a Unix socket."""


def address_group(host: str | None) -> str:
    """Return the group of addresses that shares one limit with ``host``.

    An IPv4 address stands for itself (also where it is written as IPv6), an IPv6 address for its
    network of `HOME_PREFIX` bits. What is no address stands for `UNKNOWN`.
    """
    address = _read(host)
    if address is None:
        return UNKNOWN
    if isinstance(address, IPv6Address):
        return str(ip_network((address, HOME_PREFIX), strict=False))
    return str(address)


def is_loopback(host: str | None) -> bool:
    """Tell whether ``host`` is an address of this machine's loopback; names are not."""
    address = _read(host)
    return address is not None and address.is_loopback


def peer_of(connection: HTTPConnection) -> str | None:
    """Return the address that a connection comes from; that of the visitor if a proxy names one."""
    return connection.client.host if connection.client is not None else None


def _read(host: str | None) -> IPv4Address | IPv6Address | None:
    """Return an address, without its zone, and as IPv4 where it is that in the form of IPv6."""
    try:
        address = ip_address((host or "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
