"""Outbox of a browser's socket, as the host sees it."""

from __future__ import annotations

from typing import Protocol


class Outbox(Protocol):
    """Bytes that leave through a socket, in order. Neither method waits."""

    @property
    def waiting_bytes(self) -> int:
        """Number of bytes that were pushed and have not left."""
        ...

    def push(self, payload: bytes, binary: bool) -> None: ...

    def close(self, code: int, reason: str) -> None:
        """Send what was pushed, then close. Idempotent."""
        ...
