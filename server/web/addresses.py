"""Addresses of visitors, as limits count them."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

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
    try:
        address = ip_address((host or "").partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ip_network((address, HOME_PREFIX), strict=False))
    return str(address)


def is_loopback(host: str | None) -> bool:
    """Tell whether ``host`` is an address of this machine's loopback; names are not."""
    try:
        address = ip_address((host or "").partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback
    return address.is_loopback
