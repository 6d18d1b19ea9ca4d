"""Files that somebody else may have made, read within bounds.

Recordings, data sets, houses and the folders of trials come by mail and from the web. Nothing in
them may take more memory than is said here, wait for a pipe, or end in a traceback.
"""

from __future__ import annotations

import errno
import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

MIB = 1024 * 1024
LARGEST = 512 * MIB
"""Most bytes of a file, unpacked: a session of two seats writes 16 MiB an hour, ten times that
where every call of a model has a new prompt.
"""
LARGEST_DOCUMENT = 64 * MIB
"""Most bytes of a file that is one JSON document: the largest of ours, a catalogue, has 1 MiB."""
LONGEST_LINE = 16 * MIB
"""Most bytes of a line. The longest are headers (12 KiB) and calls of models (their prompts)."""
MOST_VALUES = 40_000_000
"""Most values of a data set; one of ours with 2,000 tasks has less than a million."""
MOST_MEMBERS = 1000
"""Most packed pieces of a file; who puts packed files behind each other makes a few."""
MOST_TOLD = 300
"""Most characters of a decoder's words: they may quote the file."""
_CHUNK = MIB
_GZIP = b"\x1f\x8b"
_PACKED_OTHERWISE = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
    b"PK\x03\x04": "zip",
}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)

T = TypeVar("T")


class UnreadableError(Exception):
    """Error for a file that cannot be read, or is not what it should be: says where and why."""

    def __init__(self, path: str | os.PathLike[str], reason: str, line: int = 0) -> None:
        self.reason, self.line = reason, line
        where = f"{os.fspath(path)}, line {line}" if line else os.fspath(path)
        super().__init__(f"{where}: {reason}")


class NumberedLine(NamedTuple):
    """A line of a file, without its end; the first has number 1."""

    number: int
    data: bytes


def regular_file(path: str | os.PathLike[str], flags: int, mode: int = 0o666) -> int:
    """Open a regular file and return its descriptor; an ``opener`` for `open`.

    Waits for no pipe. Raises OSError, also for a pipe, a device or a folder.
    """
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK, mode)
    found = os.fstat(descriptor).st_mode
    if stat.S_ISREG(found):
        return descriptor
    os.close(descriptor)
    kind = next((name for is_kind, name in _KINDS if is_kind(found)), "something else")
    code = errno.EISDIR if stat.S_ISDIR(found) else errno.EINVAL
    raise OSError(code, f"expected a file, got {kind}", os.fspath(path))


def read_file(path: str | os.PathLike[str], largest: int = LARGEST) -> bytes:
    """Read a regular file, unpacked where its content is gzip's.

    Raises UnreadableError, FileNotFoundError for one that is missing.
    """
    try:
        descriptor = regular_file(path, os.O_RDONLY)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise UnreadableError(path, _reason(error)) from error
    with open(descriptor, "rb") as file:
        try:
            data = file.read(largest + 1)
        except OSError as error:
            raise UnreadableError(path, _reason(error)) from error
    if len(data) > largest:
        raise _too_large(path, largest)
    if data.startswith(_GZIP):
        return _unpacked(path, data, largest)
    for magic, name in _PACKED_OTHERWISE.items():
        if data.startswith(magic):
            raise UnreadableError(path, f"is packed with {name}: unpack it first, or use gzip")
    return data


def _reason(error: OSError | ValueError) -> str:
    text = (error.strerror if isinstance(error, OSError) else "") or str(error)
    return text[:1].lower() + text[1:]


def _too_large(path: str | os.PathLike[str], largest: int) -> UnreadableError:
    return UnreadableError(path, f"expected {largest / MIB:.0f} MiB at most, unpacked, got more")


def _unpacked(path: str | os.PathLike[str], packed: bytes, largest: int) -> bytes:
    """Return all members of gzip data, never more than ``largest`` bytes of them."""
    parts: list[bytes] = []
    total = members = 0
    left: bytes | memoryview = packed
    while left:
        if bytes(left[:2]) != _GZIP:
            # Tapes and disks fill up with zeros.
            if not any(left[:_CHUNK]) and bytes(left).count(0) == len(left):
                break
            raise UnreadableError(path, "expected the end after its packed data, got more bytes")
        members += 1
        if members > MOST_MEMBERS:
            raise UnreadableError(path, f"expected {MOST_MEMBERS} packed pieces at most, got more")
        machine = zlib.decompressobj(wbits=31)
        source: bytes | memoryview = left
        while not machine.eof:
            try:
                part = machine.decompress(source, min(_CHUNK, largest - total + 1))
            except zlib.error as error:
                raise UnreadableError(path, f"is damaged gzip data: {error}") from error
            source = machine.unconsumed_tail
            if not part and not source and not machine.eof:
                raise UnreadableError(path, "is gzip data that ends too early: part of it is lost")
            total += len(part)
            if total > largest:
                raise _too_large(path, largest)
            parts.append(part)
        left = machine.unused_data
    return b"".join(parts)


def lines_of(data: bytes, first: int = 1) -> Iterator[NumberedLine]:
    """Yield the lines that are not empty; ends of Windows' kind are taken off, too."""
    at, number = 0, first
    while at < len(data):
        end = data.find(b"\n", at)
        if end < 0:
            end = len(data)
        line = data[at:end]
        if line.endswith(b"\r"):
            line = line[:-1]
        if line:
            yield NumberedLine(number, line)
        at, number = end + 1, number + 1


def _problem_with(line: bytes) -> str:
    """Say why a line is not decoded at all; empty if it may be."""
    if len(line) > LONGEST_LINE:
        return f"expected {LONGEST_LINE / MIB:.0f} MiB in a line at most, got more"
    if line.startswith(_BYTE_ORDER_MARK):
        return "expected JSON in UTF-8 without a byte order mark, got one"
    return ""


def _told(error: Exception) -> str:
    """Say in a sentence why data could not be decoded."""
    if isinstance(error, RecursionError):
        return "expected JSON, got one that is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return f"expected JSON in UTF-8, got the byte {error.object[error.start]:#04x}"
    text = str(error)
    if not isinstance(error, msgspec.ValidationError):
        text = f"expected JSON, got: {text}"
    return text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}…"


DECODE_ERRORS = (msgspec.DecodeError, RecursionError, ValueError, OverflowError)
"""Errors that decoding something hostile raises."""


def decode_line(
    path: str | os.PathLike[str], line: NumberedLine, decoder: msgspec.json.Decoder[T]
) -> T:
    """Decode a line. Raises UnreadableError."""
    problem = _problem_with(line.data)
    if problem:
        raise UnreadableError(path, problem, line.number)
    try:
        return decoder.decode(line.data)
    except DECODE_ERRORS as error:
        raise UnreadableError(path, _told(error), line.number) from error


def read_lines(path: str | os.PathLike[str], as_type: type[T]) -> list[T]:
    """Read a file with a JSON value in each line. Raises UnreadableError, FileNotFoundError."""
    decoder = msgspec.json.Decoder(as_type)
    return [decode_line(path, line, decoder) for line in lines_of(read_file(path))]


def read_json(path: str | os.PathLike[str], as_type: type[T], largest: int = LARGEST_DOCUMENT) -> T:
    """Read a file that is one JSON document. Raises UnreadableError, FileNotFoundError."""
    return decode_document(path, read_file(path, largest), msgspec.json.Decoder(as_type))


def decode_document(
    path: str | os.PathLike[str], data: bytes, decoder: msgspec.json.Decoder[T]
) -> T:
    """Decode a file's one JSON document. Raises UnreadableError."""
    if data.startswith(_BYTE_ORDER_MARK):
        data = data[len(_BYTE_ORDER_MARK) :]
    # Every value stands behind one of these: memory for them is bounded before it is taken.
    if sum(data.count(sign) for sign in (b",", b"[", b"{")) > MOST_VALUES:
        raise UnreadableError(path, f"expected {MOST_VALUES} values at most, got more")
    try:
        return decoder.decode(data)
    except DECODE_ERRORS as error:
        raise UnreadableError(path, _told(error)) from error


def refuse_link(path: Path) -> Path:
    """Return a path to write to. Raises UnreadableError for a link or a pipe: they lead away."""
    if path.is_symlink() or path.is_fifo():
        kind = "a link" if path.is_symlink() else "a pipe"
        raise UnreadableError(path, f"expected a file of this folder to write to, got {kind}")
    return path
