"""Two codecs of one definition: JSON for reading and debugging, msgpack by default.

The websocket subprotocol says which one a connection speaks. Either may send a message
zlib-compressed: it is then a binary websocket message whose first byte is 0x78, which begins
neither a JSON text nor a msgpack array.
"""

from __future__ import annotations

import zlib
from typing import Any, Literal

import msgspec

from server.wire.messages import ClientMessage, Frame, ServerMessage

CodecName = Literal["json", "msgpack"]

VERSION = 1
SUBPROTOCOLS: tuple[str, ...] = (f"cohabit.{VERSION}.msgpack", f"cohabit.{VERSION}.json")
"""Names of the subprotocols, in order of preference."""
COMPRESSED = b"\x78"
_LARGEST_INFLATED = 16 * 1024 * 1024


class WireError(ValueError):
    """Bytes that are not a message of the protocol; the text says what is wrong with them."""


class Codec:
    """Encoder and decoder of messages in one of the two forms."""

    def __init__(self, name: CodecName) -> None:
        self.name: CodecName = name
        self.binary = name == "msgpack"
        if self.binary:
            self._encode: Any = msgspec.msgpack.Encoder().encode
            self._client: Any = msgspec.msgpack.Decoder(ClientMessage)
            self._server: Any = msgspec.msgpack.Decoder(ServerMessage)
        else:
            self._encode = msgspec.json.Encoder().encode
            self._client = msgspec.json.Decoder(ClientMessage)
            self._server = msgspec.json.Decoder(ServerMessage)

    def encode(self, message: ServerMessage | ClientMessage) -> bytes:
        """Return the bytes of a message."""
        if type(message) is Frame:
            return self._encode(frame_array(message))  # type: ignore[no-any-return]
        return self._encode(message)  # type: ignore[no-any-return]

    def decode_client(self, data: bytes | str) -> ClientMessage:
        """Return the message that a browser sent. Raises WireError."""
        if self.binary and isinstance(data, str):
            raise WireError("expected a binary message: this connection speaks msgpack")
        try:
            return self._client.decode(data)  # type: ignore[no-any-return]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise WireError(f"not a message of this protocol: {error}") from error

    def decode_server(self, data: bytes | str) -> ServerMessage:
        """Return the message that a server sent, compressed or not. Raises WireError."""
        if isinstance(data, bytes) and data[:1] == COMPRESSED:
            data = inflate(data)
        try:
            return self._server.decode(data)  # type: ignore[no-any-return]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise WireError(f"not a message of this protocol: {error}") from error


CODECS: dict[str, Codec] = {"json": Codec("json"), "msgpack": Codec("msgpack")}


def codec_of(subprotocol: str) -> CodecName:
    """Return the codec that a subprotocol names. Raises KeyError for one that is not ours."""
    if subprotocol not in SUBPROTOCOLS:
        raise KeyError(subprotocol)
    return "json" if subprotocol.endswith(".json") else "msgpack"


def frame_array(frame: Frame) -> list[Any]:
    """Return a frame as it goes on the wire: without its trailing empty lists."""
    fields = msgspec.structs.astuple(frame)
    length = len(fields)
    while length > 1 and not fields[length - 1]:
        length -= 1
    return ["f", *fields[:length]]


def deflate(data: bytes) -> bytes:
    """Compress the bytes of a message; the result begins with `COMPRESSED`."""
    packed = zlib.compress(data, 9)
    assert packed[:1] == COMPRESSED
    return packed


def inflate(data: bytes) -> bytes:
    """Undo `deflate`. Raises WireError for bytes that are not zlib, or too large."""
    machine = zlib.decompressobj()
    try:
        plain = machine.decompress(data, _LARGEST_INFLATED)
    except zlib.error as error:
        raise WireError(f"not zlib: {error}") from error
    if machine.unconsumed_tail or not machine.eof:
        raise WireError("the compressed message is cut short or too large")
    return plain
