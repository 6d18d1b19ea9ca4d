"""Names of hosts, as ``Host`` headers, origins and settings write them."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

LONGEST_NAME = 253
"""Longest name in the DNS, in characters."""
SHORTEST_PREFIX = {4: 8, 6: 7}
"""Leading bits of the largest private networks (10.0.0.0/8, fc00::/7), by version: what is larger
holds the public."""
_AUTHORITY = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+))(?::([0-9]{0,5}))?")
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PRIVATE_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
_LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


class Authority(NamedTuple):
    """Name of a host and, perhaps, a port.

    The name is in lower case and without the dot of the root; an address is in its shortest form.
    """

    name: str
    port: int | None = None

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The address that the name is; None for what has to be resolved."""
        return _address(self.name)

    @property
    def is_loopback(self) -> bool:
        """Whether it can only be this machine's loopback, whatever a name server says.

        ``x.localhost`` is not: some resolvers ask the network for it.
        """
        address = self.address
        if address is None:
            return self.name == "localhost"
        return any(address in network for network in _LOOPBACK)

    @property
    def is_private(self) -> bool:
        """Whether it is this machine, or in a network that the public cannot reach, by its name."""
        address = self.address
        if address is not None:
            return address.is_private and not address.is_unspecified
        return "." not in self.name or self.name.endswith(_PRIVATE_ENDINGS)

    def __str__(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        return name if self.port is None else f"{name}:{self.port}"


def read_authority(text: str) -> Authority | None:
    """Return the host and port that ``text`` names, or None where it is not written as one.

    So much is refused as browsers refuse or rewrite: user names, paths, empty labels, addresses in
    odd forms (``127.1``, ``0x7f.1``), zones of IPv6.
    """
    match = _AUTHORITY.fullmatch(text)
    if match is None:
        return None
    in_brackets, name, digits = match.groups()
    port = int(digits) if digits else None
    if port is not None and port > 65535:
        return None
    if in_brackets is not None:
        address = _address(in_brackets)
        return Authority(str(address), port) if isinstance(address, IPv6Address) else None
    name = name.lower().removesuffix(".")
    labels = name.split(".")
    if len(name) > LONGEST_NAME or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    if _NUMBER.fullmatch(labels[-1]) and _address(name) is None:
        return None
    return Authority(name, port)


class HostPattern(NamedTuple):
    """Host of `COHABIT_ALLOWED_HOSTS`: a name, or all names below one."""

    name: str
    is_of_all_below: bool = False

    def fits(self, name: str) -> bool:
        return name.endswith(f".{self.name}") if self.is_of_all_below else name == self.name


def read_host_patterns(text: str) -> tuple[HostPattern, ...]:
    """Return the hosts of a list with commas; their ports do not matter.

    Raises ValueError that names what is malformed.
    """
    return tuple(_pattern(entry.strip()) for entry in text.split(",") if entry.strip())


def read_proxies(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the addresses and networks of a list with commas.

    Raises ValueError that names what is malformed, or would make everybody a proxy.
    """
    return tuple(_proxy(entry.strip()) for entry in text.split(",") if entry.strip())


def _proxy(entry: str) -> IPv4Network | IPv6Network:
    try:
        network = ip_network(entry)
    except ValueError:
        network = None
    if network is None or network.prefixlen < SHORTEST_PREFIX[network.version]:
        raise ValueError(
            f"{entry!r} is no address of a proxy: expected addresses such as 127.0.0.1 or ::1, or "
            "networks such as 172.30.77.0/24, with commas between them; names, * and networks that "
            "hold the public are refused, since whoever counts as a proxy has no limits"
        )
    return network


def _pattern(entry: str) -> HostPattern:
    is_of_all_below = entry.startswith("*.")
    # Without brackets too, as long as nothing else can be meant.
    bare = _address(entry)
    found = Authority(str(bare)) if bare else read_authority(entry.removeprefix("*."))
    if found is None or (is_of_all_below and found.address is not None):
        raise ValueError(
            f"{entry!r} is no host: expected names such as homes.example.org or *.example.org, "
            "with commas between them, without http:// and paths (other alphabets as browsers send "
            "them, xn--…)"
        )
    return HostPattern(found.name, is_of_all_below)


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name) if "%" not in name else None
    except ValueError:
        return None
