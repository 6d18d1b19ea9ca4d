"""Logs of a server that runs, copied so that each fits the copy of the database."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from server.backups.database_copy import CopiedSession
from server.recording.archive import PACKED_SUFFIX, SUFFIX, read_log, read_own_log
from server.recording.log_records import HEADER_START, Header, decode

_HEADER = re.compile(rb"^" + re.escape(HEADER_START) + rb"[^\n]*\n", re.MULTILINE)


def copy_logs(
    recordings: Path, archive: Path, target: Path, sessions: dict[str, CopiedSession]
) -> int:
    """Copy the logs of sessions that no archive holds yet; return how many.

    The database was copied before, and logs only grow: a log holds all that the copy knows, and
    perhaps more. An episode that began later is cut off, for the restored server would not know it.
    """
    copied = 0
    for session_id in sorted(s for s, session in sessions.items() if not session.is_archived):
        data = _read(recordings / f"{session_id}{SUFFIX}", archive / f"{session_id}{PACKED_SUFFIX}")
        if data:
            target.mkdir(parents=True, exist_ok=True)
            kept = known_part(data, sessions[session_id].episodes)
            (target / f"{session_id}{SUFFIX}").write_bytes(kept)
            copied += 1
    return copied


def known_part(data: bytes, episodes: frozenset[str]) -> bytes:
    """Return the whole lines of a log, up to the first episode that is not among ``episodes``."""
    data = data[: data.rfind(b"\n") + 1]
    for found in _HEADER.finditer(data):
        try:
            header = decode(found[0])
        except msgspec.DecodeError:
            return data[: found.start()]
        if isinstance(header, Header) and header.episode_spec.episode_id not in episodes:
            return data[: found.start()]
    return data


def _read(live: Path, packed: Path) -> bytes:
    """Read a log, or the packed one where the archivist has just been there."""
    try:
        return read_own_log(live)
    except FileNotFoundError:
        return read_log(packed) if packed.exists() else b""
