"""Two codecs of one definition: the same message through either, tolerance, and refusals."""

from __future__ import annotations

import math
import zlib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.poses import multiply, wrap_angle, yaw_quat
from server.wire import typescript
from server.wire.codecs import CODECS, COMPRESSED, WireError, codec_of, deflate, inflate
from server.wire.messages import (
    ActInput,
    AgentState,
    DidEvent,
    DriveInput,
    Frame,
    Hello,
    Notice,
    Ping,
    SaidEvent,
    SayInput,
)
from server.wire.quantise import mrad, quaternion, ring, ring_points, rotation_vector
from server.worker.view.house_snapshot import label_parts

BOTH = pytest.mark.parametrize("name", sorted(CODECS))


@BOTH
def test_a_frame_comes_back_as_it_was(name: str) -> None:
    codec = CODECS[name]
    frame = Frame(
        7,
        agents=(AgentState(0, 1000, 0, -2000, 1571, -100),),
        events=(DidEvent(7, 0, "pick", 3, intent_id=4), SaidEvent(7, 1, "hello ✓")),
    )
    assert codec.decode_server(codec.encode(frame)) == frame


@BOTH
def test_trailing_empty_lists_of_a_frame_are_not_sent(name: str) -> None:
    codec = CODECS[name]
    decode: Any = msgspec.msgpack.decode if codec.binary else msgspec.json.decode
    assert decode(codec.encode(Frame(7))) == ["f", 7]
    walking = Frame(7, agents=(AgentState(1, 0, 0, 0, 0, 0),))
    assert decode(codec.encode(walking)) == ["f", 7, [[1, 0, 0, 0, 0, 0]]]


def test_both_walking_is_short() -> None:
    """1.3 kB/s with 30 frames a second and two bytes of framing each leave 41 bytes a frame."""
    agents = tuple(AgentState(n, 12345, 0, -23456, 3141, -300) for n in (0, 1))
    assert len(CODECS["msgpack"].encode(Frame(50_000, agents))) + 2 <= 43


@BOTH
def test_what_a_newer_client_adds_is_ignored_and_what_an_older_lacks_is_default(name: str) -> None:
    codec = CODECS[name]
    encode: Any = msgspec.msgpack.encode if codec.binary else msgspec.json.encode
    newer = encode(["d", 1, 1500, 0, 0, 0, "new field"])
    assert codec.decode_client(newer) == DriveInput(1, 1500, 0, 0, 0)
    assert codec.decode_client(encode(["ping", 5])) == Ping(5, -1)


@BOTH
@pytest.mark.parametrize(
    "bad",
    [
        [],
        ["nothing we know", 1],
        ["d", 1],
        ["d", 1, 2**40, 0, 0, 0],
        ["d", 1, 1.5, 0, 0, 0],
        ["d", -1, 0, 0, 0, 0],
        ["a", 1, 1, "explode", 4],
        ["hello", "t" * 4000, "tab", "1"],
        ["hello", "t", "", "1"],
        {"tag": "ready"},
        "ready",
        17,
        None,
    ],
    ids=repr,
)
def test_what_is_no_message_is_refused_with_a_reason(name: str, bad: object) -> None:
    codec = CODECS[name]
    encode: Any = msgspec.msgpack.encode if codec.binary else msgspec.json.encode
    with pytest.raises(WireError, match="not a message"):
        codec.decode_client(encode(bad))


@BOTH
@given(data=st.binary(max_size=200))
def test_no_bytes_whatever_raise_anything_else(name: str, data: bytes) -> None:
    try:
        CODECS[name].decode_client(data)
    except WireError:
        return


def test_deeply_nested_arrays_are_refused() -> None:
    with pytest.raises(WireError):
        CODECS["json"].decode_client("[" * 100_000)
    with pytest.raises(WireError):
        CODECS["msgpack"].decode_client(b"\x91" * 16_000)


def test_a_text_message_on_a_binary_connection_is_refused() -> None:
    with pytest.raises(WireError, match="msgpack"):
        CODECS["msgpack"].decode_client('["ready"]')


@BOTH
def test_any_message_may_come_compressed(name: str) -> None:
    codec = CODECS[name]
    notice = Notice("server", "x" * 500)
    packed = deflate(codec.encode(notice))
    assert packed[:1] == COMPRESSED
    assert codec.encode(notice)[:1] != COMPRESSED
    assert codec.decode_server(packed) == notice


def test_a_bomb_is_not_inflated() -> None:
    with pytest.raises(WireError, match="too large"):
        inflate(zlib.compress(bytes(40_000_000), 9))
    with pytest.raises(WireError, match="cut short"):
        inflate(deflate(b"[1,2,3]")[:-2])


def test_subprotocols_name_codecs() -> None:
    assert codec_of("cohabit.1.json") == "json"
    assert codec_of("cohabit.1.msgpack") == "msgpack"
    with pytest.raises(KeyError):
        codec_of("cohabit.2.json")


@BOTH
def test_a_clients_messages_encode_too(name: str) -> None:
    codec = CODECS[name]
    for message in (Hello("t", "tab", "1"), ActInput(1, 2, "open", 3), SayInput("ä")):
        assert codec.decode_client(codec.encode(message)) == message


@given(st.floats(-50, 50))
def test_angles_come_back_within_half_a_milliradian(angle: float) -> None:
    assert abs(wrap_angle(mrad(angle) / 1000 - angle)) <= 0.000_501


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3))
def test_rotations_come_back_within_a_milliradian(a: float, b: float, c: float) -> None:
    about_x = (math.sin(b / 2), 0.0, 0.0, math.cos(b / 2))
    rotation = multiply(multiply(yaw_quat(a), about_x), yaw_quat(c))
    back = quaternion(rotation_vector(rotation))
    alike = abs(sum(p * q for p, q in zip(rotation, back, strict=True)))
    assert 2 * math.acos(min(1.0, alike)) < 0.002


def test_a_turn_about_y_alone_stays_so() -> None:
    assert rotation_vector(yaw_quat(1.5)) == (0, 1500, 0)
    assert rotation_vector((0.0, 0.0, 0.0, 1.0)) == (0, 0, 0)


@given(st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30)), max_size=20))
def test_rings_do_not_drift(points: list[tuple[float, float]]) -> None:
    back = ring_points(ring(tuple(points)))
    assert back == [(round(x * 1000), round(z * 1000)) for x, z in points]


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("coffee table", (1, "")),
        ("coffee table 12", (12, "")),
        ("coffee table 1", (0, "coffee table 1")),
        ("coffee table 02", (0, "coffee table 02")),
        ("the red one", (0, "the red one")),
    ],
)
def test_a_label_that_is_not_the_rule_is_sent_as_it_is(label: str, parts: tuple[int, str]) -> None:
    assert label_parts(label, "coffee_table") == parts


def test_the_typescript_types_are_up_to_date() -> None:
    assert typescript.OUTPUT.read_text() == typescript.generate(), (
        "run python -m server.wire.typescript"
    )
