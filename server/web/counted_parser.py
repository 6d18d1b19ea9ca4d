"""Parser of HTTP that stops at a body in too many chunks."""

from __future__ import annotations

import h11

MOST_CHUNKS = 128
"""Chunks of one body: each costs, however small."""

Found = h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]


class CountedParser(h11.Connection):
    """Side of the server, which counts chunks as it finds them, whatever the head says of them."""

    def __init__(self, max_incomplete_event_size: int) -> None:
        super().__init__(h11.SERVER, max_incomplete_event_size)
        self._chunks = 0

    @property
    def has_too_many_chunks(self) -> bool:
        return self._chunks > MOST_CHUNKS

    @property
    def unread_bytes(self) -> int:
        """Bytes that have come and are no part of an event yet."""
        return len(self._receive_buffer)

    def next_event(self) -> Found:
        """Return what comes next. Raises RemoteProtocolError at a chunk too many."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._chunks = 0
        elif isinstance(event, h11.Data) and event.chunk_start:
            self._chunks += 1
            if self.has_too_many_chunks:
                raise h11.RemoteProtocolError(f"expected at most {MOST_CHUNKS} chunks")
        return event
