"""Accounts of operators: their roles, what a name has to be like, and how passwords are kept."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MAKE_ACCOUNT = "cohabit operator add NAME --role administer"
"""Command that makes an account which may do everything."""
SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 256
"""Most characters: a text of any length would cost the server as much time as strangers like."""
FEWEST_CHARACTERS = 5
"""Fewest different characters of a password."""
FEWEST_BESIDE_NAME = 8
"""Fewest characters of a password beside the name of its account."""
_NAME = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,63}")
_MAIL_ADDRESS = re.compile(r"[^@\s,]+@[^@\s,]+")
_LONGEST_IDENTITY = 255
"""Most characters of a ``sub``, as OpenID Connect has it."""
_TAKEN = frozenset({"token", "link", "server"})
"""Names that the log has for those without an account."""
_MEMORY_KIB, _PASSES, _LANES = 19_456, 2, 1
"""Cost of a guess: what OWASP recommends, in one thread, as others play on the same machine."""
NOBODYS_HASH = (
    "$argon2id$v=19$m=19456,t=2,p=1$KSrq0O2O5oDXYTEkHcAa/w$"
    "X1/lot/RpHxBvY4MS36lwADwskB3tDsnCE+2F/QZsPY"
)
"""Hash of a password that nobody has: for a name without account the same work is done."""


class Role(IntEnum):
    """Role of an operator; each may do what those before it may."""

    WATCH = 1
    """Sees everything, and changes nothing."""
    RUN = 2
    """Acts in what runs: sends on, ends, removes, pauses, writes."""
    ADMINISTER = 3
    """Decides on accounts, outcomes before the end, and what is removed for good."""

    @property
    def word(self) -> str:
        """The role as commands and pages name it, and the database keeps it."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> Role:
        """Return the role that a word names. Raises ValueError for another word."""
        for role in cls:
            if role.word == word:
                return role
        known = ", ".join(role.word for role in cls)
        raise ValueError(f"expected a role ({known}), got {word!r}")


def read_name(text: str) -> str:
    """Return the name of an account as it is kept. Raises ValueError for what can be none."""
    name = plain_name(text)
    if _NAME.fullmatch(name) is None:
        raise ValueError(
            "expected a name of up to 64 small letters, digits and . _ @ + - that begins with a "
            f"letter or a digit, got {text!r}"
        )
    if name in _TAKEN:
        raise ValueError(f"the log calls something else {name}: choose another name")
    return name


def plain_name(text: str) -> str:
    """Return a name as it is compared, whatever was typed; no database stores zero bytes."""
    return text.replace("\0", "").strip().lower()


class Identity(NamedTuple):
    """Person as an OpenID Connect provider knows them."""

    issuer: str
    """Name of the provider: another one may give the same value to somebody else."""
    claim: str
    """``sub`` or ``email``."""
    value: str


def read_identity(issuer: str, claim: str, text: object) -> Identity:
    """Return an identity as it is kept. Raises ValueError for what can be none."""
    if not isinstance(text, str) or not text.isprintable() or text != text.strip():
        raise ValueError(f"expected a {claim} of printable characters without space around them")
    if not 0 < len(text) <= _LONGEST_IDENTITY:
        raise ValueError(f"expected a {claim} of up to {_LONGEST_IDENTITY} characters")
    if claim == "email":
        # Other alphabets have letters that become ours in small ones: two addresses would be one.
        if not text.isascii() or _MAIL_ADDRESS.fullmatch(text) is None:
            raise ValueError(f"expected an address such as anna@example.edu, got {text!r}")
        return Identity(issuer, claim, text.lower())
    return Identity(issuer, claim, text)


def check_password(password: str, name: str) -> None:
    """Raise ValueError for a password of an account that strangers guess."""
    length = len(password)
    if length < SHORTEST_PASSWORD:
        raise ValueError(f"expected at least {SHORTEST_PASSWORD} characters, got {length}")
    if length > LONGEST_PASSWORD:
        raise ValueError(f"expected at most {LONGEST_PASSWORD} characters, got {length}")
    if password != password.strip():
        # The page to sign in takes it off: what is pasted often brings some with it.
        raise ValueError("expected a password that neither begins nor ends with white space")
    if len(set(password)) < FEWEST_CHARACTERS:
        raise ValueError(f"expected at least {FEWEST_CHARACTERS} different characters")
    if name in password.lower() and len(password) - len(name) < FEWEST_BESIDE_NAME:
        raise ValueError("expected a password that is more than the name and a few characters")


def hash_password(password: str) -> str:
    """Return what is kept of a password: an Argon2id hash with salt of its own."""
    return _hasher().hash(password)


def is_password(kept: str, given: str) -> bool:
    """Tell whether a password is the one of which ``kept`` is kept; takes some 20 ms."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher().verify(kept, given[:LONGEST_PASSWORD]) and len(given) <= LONGEST_PASSWORD
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(kept: str) -> bool:
    """Tell whether a hash was made at another cost than this release's."""
    return _hasher().check_needs_rehash(kept)


def _hasher() -> PasswordHasher:
    # Here: no other command needs it, and no server without accounts.
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=_PASSES, memory_cost=_MEMORY_KIB, parallelism=_LANES)
