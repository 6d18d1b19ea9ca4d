"""The channel between the web process and a worker.

A stream of frames: four bytes of length (little-endian), then a msgpack array of messages.
Messages are collected and go out in one write per turn. Neither side ever waits for the other:
who does not read what it is sent is taken for dead when `LARGEST_BACKLOG` bytes have piled up.
"""

from __future__ import annotations

import asyncio
import struct
from typing import Any, Generic, TypeVar

import msgspec

from server.ipc.messages import FromWorker, ToWorker

In = TypeVar("In")
Out = TypeVar("Out")

LARGEST_FRAME = 64 * 1024 * 1024
LARGEST_BACKLOG = 64 * 1024 * 1024
GATHER_S = 0.002
"""The seconds for which inputs of many players are gathered before they wake a worker.

It looks at them when their session's slot comes, which is about as often.
"""
_LENGTH = struct.Struct("<I")
_READ_BYTES = 256 * 1024


class ChannelError(Exception):
    """The other side is gone, does not read, or sends nonsense: says which."""


class FrameReader(Generic[In]):
    """A reader that cuts a stream of bytes into messages. No I/O."""

    def __init__(self, decoder: msgspec.msgpack.Decoder[list[In]]) -> None:
        self._decoder = decoder
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[In]:
        """Return the messages that are complete now. Raises ChannelError for what is no frame."""
        self._buffer += data
        messages: list[In] = []
        start = 0
        while len(self._buffer) - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer, start)
            if length > LARGEST_FRAME:
                raise ChannelError(f"a frame of {length} bytes, more than {LARGEST_FRAME}")
            end = start + _LENGTH.size + length
            if len(self._buffer) < end:
                break
            try:
                messages += self._decoder.decode(bytes(self._buffer[start + _LENGTH.size : end]))
            except msgspec.DecodeError as error:
                raise ChannelError(f"not a frame of messages: {error}") from error
            start = end
        del self._buffer[:start]
        return messages


def frame(messages: list[Any]) -> bytes:
    """Encode some messages as a frame."""
    payload = msgspec.msgpack.encode(messages)
    return _LENGTH.pack(len(payload)) + payload


class Channel(Generic[In, Out]):
    """A side of the stream."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        decoder: msgspec.msgpack.Decoder[list[In]],
        gather_s: float = 0.0,
    ) -> None:
        self._reader = reader
        self._gather_s = gather_s
        self._flushed_at = 0.0
        self._writer = writer
        self._frames: FrameReader[In] = FrameReader(decoder)
        self._waiting: list[Out] = []
        self._flush_is_due = False

    def put(self, message: Out) -> None:
        """Send a message with the next `flush`."""
        self._waiting.append(message)

    def send(self, message: Out) -> None:
        """Send a message at the end of this turn of the event loop, with all others of it.

        A channel that gathers waits longer if it has sent something just before.
        """
        self._waiting.append(message)
        if self._flush_is_due:
            return
        self._flush_is_due = True
        loop = asyncio.get_running_loop()
        wait_s = self._flushed_at + self._gather_s - loop.time() if self._gather_s else 0.0
        if wait_s > 0:
            loop.call_later(wait_s, self._flush_when_due)
        else:
            loop.call_soon(self._flush_when_due)

    def flush(self) -> None:
        """Write what was collected. Raises ChannelError when the other side does not read."""
        if not self._waiting:
            return
        data = frame(self._waiting)
        self._waiting.clear()
        if self._writer.is_closing():
            return
        self._writer.write(data)
        if self._writer.transport.get_write_buffer_size() > LARGEST_BACKLOG:
            self.close()
            raise ChannelError("the other side does not read what it is sent")

    def _flush_when_due(self) -> None:
        self._flush_is_due = False
        if self._gather_s:
            self._flushed_at = asyncio.get_running_loop().time()
        # Whoever reads this channel hears that it is closed.
        try:
            self.flush()
        except ChannelError:
            return

    async def receive(self) -> list[In]:
        """Receive the next messages. Raises ChannelError when there will be none."""
        while True:
            try:
                data = await self._reader.read(_READ_BYTES)
            except OSError as error:
                raise ChannelError(f"the channel broke: {error}") from error
            if not data:
                raise ChannelError("the other side closed the channel")
            messages = self._frames.feed(data)
            if messages:
                return messages

    async def drain(self) -> None:
        """Wait until everything is written, for a last word."""
        self.flush()
        await self._writer.drain()

    def close(self) -> None:
        self._writer.close()


WorkerChannel = Channel[ToWorker, FromWorker]
"""The worker's side."""
WebChannel = Channel[FromWorker, ToWorker]
"""The web process's side."""


def worker_side(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> WorkerChannel:
    return Channel(reader, writer, msgspec.msgpack.Decoder(list[ToWorker]))


def web_side(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> WebChannel:
    return Channel(reader, writer, msgspec.msgpack.Decoder(list[FromWorker]), GATHER_S)
