"""Files that somebody else made: bounded, never waited for, and a clear error for each."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import socket
import tracemalloc
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.bounded_files import (
    LONGEST_LINE,
    MIB,
    MOST_MEMBERS,
    UnreadableError,
    decode_line,
    lines_of,
    read_file,
    read_json,
    read_lines,
    refuse_link,
)

ANYTHING = msgspec.json.Decoder(object)
LINE = b'{"a":1}\n'


def bomb(megabytes: int) -> bytes:
    """Return gzip data that is a thousandth of what it unpacks to."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        for _ in range(megabytes):
            file.write(bytes(MIB))
    return packed.getvalue()


def refused(path: Path, largest: int = MIB) -> str:
    with pytest.raises(UnreadableError) as caught:
        read_file(path, largest)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value.reason


def test_what_is_packed_is_read_by_its_content(tmp_path: Path) -> None:
    for name, data in (
        ("plain.gz", LINE),
        ("packed", gzip.compress(LINE, mtime=0)),
        ("padded.gz", gzip.compress(LINE, mtime=0) + bytes(512)),
    ):
        (tmp_path / name).write_bytes(data)
        assert read_file(tmp_path / name) == LINE
    (tmp_path / "two.gz").write_bytes(gzip.compress(LINE, mtime=0) + gzip.compress(LINE, mtime=0))
    assert read_file(tmp_path / "two.gz") == LINE + LINE


def test_unpacking_stops_at_the_largest_and_takes_no_more_memory(tmp_path: Path) -> None:
    file = tmp_path / "bomb.gz"
    file.write_bytes(bomb(200))
    assert file.stat().st_size < MIB
    tracemalloc.start()
    assert "expected 4 MiB at most" in refused(file, 4 * MIB)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12 * MIB
    assert len(read_file(file, 200 * MIB)) == 200 * MIB


def test_every_member_counts(tmp_path: Path) -> None:
    file = tmp_path / "members.gz"
    file.write_bytes(gzip.compress(bytes(MIB)) * 5)
    assert "expected 4 MiB at most" in refused(file, 4 * MIB)
    file.write_bytes(gzip.compress(b"") * (MOST_MEMBERS + 1))
    assert "packed pieces at most" in refused(file)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (gzip.compress(LINE * 999, mtime=0)[:-20], "ends too early"),
        (gzip.compress(LINE, mtime=0)[:-9] + b"\0\0\0\0\x07\0\0\0", "damaged gzip data"),
        (b"\x1f\x8bnothing of the kind", "damaged gzip data"),
        (gzip.compress(LINE, mtime=0) + b"more", "expected the end"),
        (b"\x28\xb5\x2f\xfd....", "packed with zstd"),
        (b"PK\x03\x04....", "packed with zip"),
        (b"x" * (MIB + 1), "expected 1 MiB at most"),
    ],
)
def test_what_cannot_be_unpacked_says_why(tmp_path: Path, data: bytes, reason: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)
    assert reason in refused(file)


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        assert refused(tmp_path / "socket")
    assert refused(tmp_path) == "expected a file, got a folder"
    assert refused(tmp_path / "pipe") == "expected a file, got a pipe"
    assert refused(tmp_path / "zeros") == "expected a file, got a device"
    with pytest.raises(UnreadableError):
        read_file(f"{tmp_path}/a\0b")
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "missing")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"a":' + b"9" * 100_000 + b"}", "out of range"),
        (b'{"a":NaN}', "malformed"),
        (b'{"a":Infinity}', "malformed"),
        (b'{"a":1e999}', "out of range"),
        (b'{"a":1e30}', "int"),
        (b'{"a":"\xff"}', "int"),
        (b'{"\xff":1}', "UTF-8"),
        (b'\xef\xbb\xbf{"a":1}', "byte order mark"),
        (b"[]", "array"),
        (b'{"a":1}{', "malformed"),
        (b" " * (LONGEST_LINE + 1), "in a line"),
    ],
)
def test_what_cannot_be_decoded_names_file_and_line(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_bytes(LINE + b"\r\n" + data + b"\n")
    with pytest.raises(UnreadableError) as caught:
        read_lines(file, dict[str, int])
    assert f"{file}, line 3: " in str(caught.value)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_what_is_nested_too_deeply_says_so(tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_bytes(b"[" * 100_000)
    with pytest.raises(UnreadableError, match="nested too deeply"):
        read_json(file, object)


def test_ends_of_lines_of_windows_are_read(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_bytes(b'{"a":1}\r\n\r\n{"a":2}')
    assert read_lines(file, dict[str, int]) == [{"a": 1}, {"a": 2}]
    assert [line.number for line in lines_of(file.read_bytes())] == [1, 3]


def test_a_document_has_so_many_values_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "document.json"
    file.write_bytes(b"\xef\xbb\xbf[" + b"[]," * 10 + b"1]")
    assert len(read_json(file, list[object])) == 11
    monkeypatch.setattr("episodes.bounded_files.MOST_VALUES", 20)
    with pytest.raises(UnreadableError, match="20 values at most"):
        read_json(file, list[object])


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnreadableError, match="got a link"):
        refuse_link(tmp_path / "link")
    assert refuse_link(tmp_path / "file") == tmp_path / "file"


@given(st.binary(max_size=200), st.integers(0, 60), st.binary(max_size=8))
def test_damaged_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, at: int, more: bytes
) -> None:
    packed = bytearray(gzip.compress(data))
    packed[at : at + len(more)] = more
    file = tmp_path_factory.getbasetemp() / "damaged"
    file.write_bytes(packed)
    try:
        found = read_file(file, 1000)
    except UnreadableError:
        return
    assert len(found) <= 1000


@given(st.binary(max_size=300))
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    for line in lines_of(data):
        with contextlib.suppress(UnreadableError):
            decode_line("file", line, ANYTHING)
