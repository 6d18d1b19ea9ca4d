"""docs/protocol.md is true: its examples are messages, its tables complete, its client plays."""

from __future__ import annotations

import json
import math
import re
import shutil
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from server.sessions.chat import LONGEST_LINE
from server.web.input_limits import LARGEST_MESSAGE, OTHERS, RATES
from server.wire import lobby_messages, messages
from server.wire.close_codes import CloseCode
from server.wire.codecs import CODECS
from server.wire.quantise import ring_points
from tests.load.near_task import NEAR, near_task, write_near_task
from tests.load.play_server import PlayServer

TEXT = (Path(__file__).parents[3] / "docs/protocol.md").read_text()


def block(opening: str) -> str:
    found = re.search(rf"^```{opening}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"no block {opening!r}"
    return found[1]


@pytest.mark.parametrize("line", block("json client").splitlines())
def test_examples_of_a_client_are_messages(line: str) -> None:
    message = CODECS["json"].decode_client(line)
    packed = CODECS["msgpack"].encode(message)
    assert CODECS["msgpack"].decode_client(packed) == message


@pytest.mark.parametrize("line", block("json server").splitlines())
def test_examples_of_the_server_are_messages_and_nothing_is_lost(line: str) -> None:
    message = CODECS["json"].decode_server(line)
    again = json.loads(CODECS["json"].encode(message))
    given = json.loads(line)
    if given[0] == "f":
        assert again[:2] == given[:2]
        assert len(again) == len(given)
    else:
        assert again == given


@pytest.mark.parametrize("kind", ["Client", "Server"])
def test_examples_of_the_lobby_are_messages(kind: str) -> None:
    union = getattr(lobby_messages, f"Lobby{kind}Message")
    for line in block(f"json lobby {kind.lower()}").splitlines():
        again = json.loads(msgspec.json.encode(msgspec.json.decode(line, type=union)))
        assert again[: len(json.loads(line))] == json.loads(line)


def test_the_example_bytes_are_the_first_frame() -> None:
    data = bytes.fromhex(block("hex server"))
    frame = CODECS["json"].decode_server(block("json server").splitlines()[0])
    assert CODECS["msgpack"].encode(frame) == data
    assert f"is {len(data)} bytes" in TEXT


def test_the_example_ring_is_that_triangle() -> None:
    points = ring_points(tuple(json.loads(block("json ring"))))
    assert points == [(1000, 2000), (1500, 2000), (1500, 2500)]


def test_every_message_and_event_is_in_a_table() -> None:
    session, lobby = TEXT.split("## The lobby")
    for text, union in (
        (session, messages.ClientMessage),
        (session, messages.ServerMessage),
        (session, messages.WireEvent),
        (lobby, lobby_messages.LobbyClientMessage),
        (lobby, lobby_messages.LobbyServerMessage),
    ):
        for struct in union.__args__:
            tag = struct.__struct_config__.tag
            row = re.search(rf"^\| `{tag}` \|([^|]*)\|", text, re.MULTILINE)
            assert row, f"{tag} is not in any table"
            if "see below" in row[1]:
                continue
            for field in struct.__struct_fields__:
                shown = "[x, y, z]" if field == "point" else field
                assert shown in row[1], f"{tag}: {field} is not in its row"


def test_every_field_of_a_snapshot_and_of_a_frame_is_there() -> None:
    rows = re.findall(r"^\| ([a-z_, ]+) \|", TEXT, re.MULTILINE)
    named = {name.strip() for row in rows for name in row.split(",")}
    for struct in (messages.Snapshot, messages.Frame):
        assert set(struct.__struct_fields__) <= named
    parts: dict[str, Any] = {
        "seats": messages.SeatInfo,
        "templates": messages.TemplateInfo,
        "entities": messages.EntityInfo,
    }
    for name, struct in parts.items():
        row = re.search(rf"^\| {name} \| \[(.*)\] \|$", TEXT, re.MULTILINE)
        assert row, name
        shown = [field.split(" = ")[0].strip() for field in row[1].split(", ")]
        assert shown == list(struct.__struct_fields__)


def test_every_close_code_is_there() -> None:
    assert list(CloseCode) == [
        int(code) for code in re.findall(r"^\| (4\d\d\d) \|", TEXT, re.MULTILINE)
    ]


def test_the_limits_are_those() -> None:
    assert LARGEST_MESSAGE == 16 * 1024
    assert f"{RATES['DriveInput'].per_s:g} a second" in TEXT
    assert f"{RATES['SayInput'].per_s:g} a second (six at once), {LONGEST_LINE}" in TEXT
    assert f"{RATES['Ping'].per_s:g} a second" in TEXT
    assert f"{OTHERS.per_s:g} a second" in TEXT


def test_every_notice_of_ours_is_there() -> None:
    for code in get_args(messages.NoticeCode):
        assert f"`{code}`" in TEXT


@pytest.mark.processes
async def test_the_client_of_the_page_plays(houses_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(houses_dir, folder, ignore=shutil.ignore_patterns("*.glb"))
    write_near_task(folder)
    page: dict[str, Any] = {}
    exec(compile(block("python client"), "protocol.md", "exec"), page)
    async with PlayServer(folder) as server:
        spec = await server.open(NEAR, solo=True)
        start = near_task()[0].info["start_poses"]["human_0"]
        agent = await page["play"](server.url, server.origin, server.token(spec, "human_0"))
        assert len(agent) == 6
        walked = math.hypot(agent[1] / 1000 - start[0], agent[3] / 1000 - start[2])
        assert 0.05 < walked < 3
