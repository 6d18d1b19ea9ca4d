"""Hostile messages: random bytes, damaged messages, and valid ones that make no sense."""

from __future__ import annotations

import random

import msgspec

from server.wire.codecs import CODECS, CodecName
from server.wire.messages import (
    ActInput,
    ClientMessage,
    DriveInput,
    FinishInput,
    Hello,
    Ping,
    PlaceInput,
    PreviewInput,
    ReadyInput,
    SayInput,
    SelectInput,
)

VERBS = ("pick", "open", "close", "clean", "fill", "pour", "power_on", "power_off")
EDGES = (-10_000_000, -1_000_000, -1, 0, 1, 7, 1000, 999_999, 1_000_000, 10_000_000)
TEXTS = (
    "", " ", "\x00", "\u202e<script>alert(1)</script>", "'; DROP TABLE sessions; --", "💥" * 250,
    "{{7*7}}", "x" * 500, "\ud7ff\n\r\t",
)  # fmt: skip


def absurd(rng: random.Random) -> ClientMessage:
    """Return a message that the schema lets through (most of the time) and no player would send."""

    def length() -> int:
        return rng.choice(EDGES)

    def angle() -> int:
        return max(-1_000_000, min(1_000_000, rng.choice(EDGES)))

    def index() -> int:
        return rng.choice((-1, 0, 1, 5, 60, 349, 350, 1000, 1_000_000))

    point = (length(), length(), length())
    number = rng.choice((0, 1, 2**31 - 1))
    return rng.choice(
        (
            DriveInput(rng.choice((0, 2**53)), length(), length(), angle(), angle()),
            ActInput(0, number, rng.choice(VERBS), index(), rng.choice((-1, 0, 3, 1_000_000))),  # type: ignore[arg-type]
            PlaceInput(0, number, point, angle(), index()),
            PreviewInput(number, point, angle(), index()),
            SelectInput(index(), rng.choice((-1, 0, 1_000_000))),
            SayInput(rng.choice(TEXTS)),
            ReadyInput(),
            FinishInput(rng.random() < 0.5),
            Ping(2**53, 3_600_000, 2**31 - 1, rng.random() < 0.5),
        )
    )


def damaged(rng: random.Random, codec: CodecName) -> bytes:
    """Return a message with some of its bytes changed, cut off or doubled."""
    good: ClientMessage = absurd(rng) if rng.random() < 0.9 else Hello("t" * 9, "tab", "1", True)
    data = bytearray(CODECS[codec].encode(good))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data)) if data else 0
        match rng.randrange(4):
            case 0 if data:
                data[at] = rng.randrange(256)
            case 1:
                del data[at:]
            case 2:
                data[at:at] = data[at : at + 8]
            case _:
                data.insert(at, rng.randrange(256))
    return bytes(data)


def nested(rng: random.Random) -> bytes:
    """Deep or large structures, of the kind that parsers choke on."""
    depth = rng.choice((10, 1000, 15_000))
    return rng.choice(
        (b"[" * depth, b"\x91" * depth, b'{"a":' * (depth // 6), b"\xdd\xff\xff\xff\xff")
    )


def hostile(rng: random.Random, codec: CodecName) -> bytes:
    """Any of these."""
    match rng.randrange(10):
        case 0:
            return rng.randbytes(rng.choice((0, 1, 2, 40, 3000)))
        case 1:
            return nested(rng)
        case 2 | 3:
            return damaged(rng, codec)
        case 4:
            return msgspec.json.encode([rng.choice(EDGES)] * 5)
        case _:
            return CODECS[codec].encode(absurd(rng))


def hostile_lobby(rng: random.Random) -> str | bytes:
    """Return a message for the lobby's socket that no page would send, or not then."""
    match rng.randrange(8):
        case 0:
            return rng.randbytes(rng.choice((0, 1, 40, 5000)))
        case 1:
            return nested(rng).decode(errors="replace")[: rng.choice((100, 5000))]
        case 2:
            return damaged(rng, "json").decode(errors="replace")
        case 3:
            return rng.choice(('{"type":"hello"}', '{"', "[]", "null", '["closed",1000,""]'))
        case 4:
            return msgspec.json.encode(["cancel", *([rng.choice(EDGES)] * 3)]).decode()
        case 5:
            return "[" + '"hello",' * rng.choice((1, 9, 2000))
        case 6:
            return msgspec.json.encode(["hello", rng.choice(TEXTS), "tab", True]).decode()
        case _:
            return '["cancel"]'
