"""Sign-ins that browsers have begun at a provider, each good once and for ten minutes."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

FLOW_AGE_S = 600.0
"""Seconds within which somebody has to be back."""
GROUP_FLOWS = 20
"""Most that one group of addresses has begun; the oldest goes for another."""
MOST_FLOWS = 4096


class Flow(NamedTuple):
    """Sign-in that a browser has begun."""

    state: str
    """Random word that the provider sends back with the browser."""
    nonce: str
    """Random word that the provider has to sign."""
    verifier: str
    """Secret of PKCE: only who has it can use the code that the browser brings."""
    watched: str
    """Session to whose page it leads; empty: none."""
    former: str
    """Hash of the sign-in that the browser has, and has no more after this one; empty: none."""


class _Begun(NamedTuple):
    flow: Flow
    browser: str
    """Hash of the cookie of the browser that has begun it."""
    group: str
    ends_at: float


class SignInFlows:
    """Flows of this process in memory: after a restart they are to be begun again."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._begun: OrderedDict[str, _Begun] = OrderedDict()
        """Flows by the hash of their state, the oldest first."""

    def __len__(self) -> int:
        return len(self._begun)

    def begin(self, group: str, watched: str, former: str = "") -> tuple[Flow, str]:
        """Return a new flow, and the cookie by which its browser is known when it is back."""
        now = self._clock()
        while self._begun and next(iter(self._begun.values())).ends_at <= now:
            self._begun.popitem(last=False)
        theirs = [key for key, begun in self._begun.items() if begun.group == group]
        if len(theirs) >= GROUP_FLOWS:
            del self._begun[theirs[0]]
        elif len(self._begun) >= MOST_FLOWS:
            self._begun.popitem(last=False)
        # 48 bytes are 64 characters: PKCE wants between 43 and 128.
        state, nonce, verifier = (secrets.token_urlsafe(48) for _ in range(3))
        flow = Flow(state, nonce, verifier, watched, former)
        cookie = secrets.token_urlsafe(32)
        self._begun[_hash(flow.state)] = _Begun(flow, _hash(cookie), group, now + FLOW_AGE_S)
        return flow, cookie

    def end(self, state: str, cookie: str) -> Flow | None:
        """Return the flow of a browser that is back, once.

        None: there is no such flow (any more), or another browser has begun it: somebody who is
        lured to an address with the state of somebody else must not be signed in as them.
        """
        begun = self._begun.get(_hash(state))
        # Hashes of random words: comparing them tells nothing about another.
        if begun is None or begun.browser != _hash(cookie):
            return None
        del self._begun[_hash(state)]
        return begun.flow if self._clock() < begun.ends_at else None


def _hash(word: str) -> str:
    return hashlib.sha256(word.encode(errors="replace")).hexdigest()
