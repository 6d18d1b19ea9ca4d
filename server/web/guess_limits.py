"""Limits of wrong passwords for each group of addresses; fewer for new ones while many guess.

However many guess, somebody who knows the password gets in from an address of their own: it is not
short, and what is limited is how often one address may be wrong.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from server.web.quotas import MOST_KEYS, Quota

GROUP_GUESSES = 10
"""Most wrong guesses of one group of addresses within `WINDOW_S`."""
ALL_GUESSES = 100
"""Wrong guesses of everybody together, past which a new group has `FEW_GUESSES` only."""
FEW_GUESSES = 3
WINDOW_S = 900
"""Seconds after which a wrong guess is forgotten."""
KNOWN_WRONG = 4
"""Last wrong guesses of a group that are known again: a program that goes on with an old password
guesses nothing."""
_EVERYBODY = "everybody"
_MOST_TRUSTED = 256


class GuessLimits:
    """Wrong guesses of the last minutes, and groups that guess rightly.

    What strangers do must not lock operators out: no group is refused for what others guessed, and
    one that has once known the password has its own limit only.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._by_group = Quota(f"{GROUP_GUESSES}/{WINDOW_S} second", clock)
        self._by_few = Quota(f"{FEW_GUESSES}/{WINDOW_S} second", clock)
        self._by_all = Quota(f"{ALL_GUESSES}/{WINDOW_S} second", clock)
        self._trusted: OrderedDict[str, None] = OrderedDict()
        self._key = secrets.token_bytes(32)
        self._known_wrong: OrderedDict[str, deque[bytes]] = OrderedDict()
        """Hashes of the last wrong guesses by group, with a key of this process."""

    def wait_s(self, group: str) -> int:
        """Return the seconds until this group may guess again; 0: it may now."""
        own_s = self._by_group.wait_s(group)
        if group in self._trusted or not self._by_all.wait_s(_EVERYBODY):
            return own_s
        return max(own_s, self._by_few.wait_s(group))

    def guessed_wrong(self, group: str, given: bytes) -> None:
        """Count a wrong guess; one that the group has made lately is the same guess."""
        if not self._is_new(group, hashlib.blake2b(given, key=self._key, digest_size=16).digest()):
            return
        self._by_group.take(group)
        self._by_few.take(group)
        if group not in self._trusted:
            self._by_all.take(_EVERYBODY)

    def guessed_right(self, group: str) -> None:
        self._trusted[group] = None
        self._trusted.move_to_end(group)
        if len(self._trusted) > _MOST_TRUSTED:
            self._trusted.popitem(last=False)

    def _is_new(self, group: str, wrong: bytes) -> bool:
        known = self._known_wrong.setdefault(group, deque(maxlen=KNOWN_WRONG))
        self._known_wrong.move_to_end(group)
        if len(self._known_wrong) > MOST_KEYS:
            self._known_wrong.popitem(last=False)
        if wrong in known:
            return False
        known.append(wrong)
        return True
