"""Removal of somebody's words from a log that was written before words were sealed.

Lines keep their number and their ticks, and checksums are made again, so that it folds and scores
as before. What policies said, were asked and answered after somebody had spoken may quote them, and
goes with it.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import msgspec

from server.personal.sealing import FORGOTTEN, is_sealed
from server.recording.archive import PACKED_SUFFIX, SUFFIX, pack, write_whole
from server.recording.durable_file import open_log
from server.recording.log_checksums import signed, verify
from server.recording.log_records import (
    SAID_START,
    Checksum,
    Header,
    Line,
    ModelCalled,
    SkillEnded,
    TickLine,
    encode,
)
from server.sessions.events import Said
from server.sessions.intents import Say
from server.sessions.policy_records import CallRecord, SkillRecord

_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
"""Decoder that opens nothing: what is sealed stays as it is."""
_WORDY = (SAID_START, b'["say",', b'"type":"model_call"', b'"type":"skill"')


def without_words(data: bytes, seats: Collection[str]) -> bytes:
    """Return a log without what the people of some seats said. Raises msgspec.DecodeError.

    Lines that are sealed stay: their key is destroyed. What no checksum vouches for is left out.
    """
    crc, have_spoken, programs = 0, False, frozenset[str]()
    written: list[bytes] = []
    for raw in verify(data).data.splitlines(keepends=True):
        line: Line | None = None
        if raw.startswith((b'{"type":"header"', b'{"type":"sum"')) or any(w in raw for w in _WORDY):
            line = _decoder.decode(raw)
        if isinstance(line, Header):
            programs = frozenset(s.seat.seat_id for s in line.spec.seats if s.policy)
        elif isinstance(line, Checksum):
            raw = encode(signed(line.tick, line.wall, crc))
        elif isinstance(line, TickLine):
            have_spoken |= any(isinstance(e, Said) and e.seat in seats for e in line.events)
            lost = frozenset(seats) | (programs if have_spoken else frozenset())
            raw = encode(_tick_without(line, lost))
        elif isinstance(line, ModelCalled) and have_spoken:
            raw = encode(msgspec.structs.replace(line, call=_call_without(line.call)))
        elif isinstance(line, SkillEnded) and have_spoken:
            raw = encode(msgspec.structs.replace(line, skill=_skill_without(line.skill)))
        crc = zlib.crc32(raw, crc)
        written.append(raw)
    return b"".join(written)


class Rewritten(NamedTuple):
    """A packed log as it is now, for the index of the archive."""

    log_bytes: int
    packed_bytes: int
    sha256: str


def remove_words(log: Path, archive: Path, seats: Collection[str]) -> Rewritten | None:
    """Remove from a recording what the people of some seats said, unless it is sealed. Idempotent.

    Returns what is in the archive now; None: the log is not there, or not packed yet. Raises
    OSError, msgspec.DecodeError, and LockedError while somebody writes the log.
    """
    if log.exists():
        with open_log(log) as file:
            file.seek(0)
            before = file.readall()
            after = without_words(before, seats)
            if after != verify(before).data:
                write_whole(log, after)
    packed = archive / f"{log.name.removesuffix(SUFFIX)}{PACKED_SUFFIX}"
    if not packed.exists():
        return None
    before = gzip.decompress(packed.read_bytes())
    after = without_words(before, seats)
    data = packed.read_bytes() if after == before else pack(after, packed)
    return Rewritten(len(after), len(data), hashlib.sha256(data).hexdigest())


def _lost(text: str) -> str:
    return text if not text or is_sealed(text) else FORGOTTEN


def _tick_without(line: TickLine, seats: frozenset[str]) -> TickLine:
    events = tuple(
        Said(e.seat, _lost(e.text)) if isinstance(e, Said) and e.seat in seats else e
        for e in line.events
    )
    intents = tuple(
        h._replace(intent=Say(_lost(h.intent.text)))
        if isinstance(h.intent, Say) and h.seat in seats
        else h
        for h in line.intents
    )
    return msgspec.structs.replace(line, events=events, intents=intents)


def _call_without(call: CallRecord) -> CallRecord:
    return msgspec.structs.replace(
        call,
        prompt=_lost(call.prompt),
        completion=_lost(call.completion),
        parsed=_lost(call.parsed),
        error=_lost(call.error),
        stale=_lost(call.stale),
    )


def _skill_without(skill: SkillRecord) -> SkillRecord:
    has_words = "Say[" in skill.call
    return msgspec.structs.replace(skill, call=_lost(skill.call)) if has_words else skill
