"""Lines of chat that somebody wrote, from the recordings of their sessions: theirs alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.recording.log_records import Header, Keyframe, TickLine, decode
from server.recording.recordings import Recording, read_recording
from server.sessions.events import OccupantChanged
from server.sessions.intents import Say

_SAY, _OCCUPANT = b'["say",', b'["occupant",'
_KEYFRAME = b'{"type":"keyframe"'
CLOCK_SLACK_S = 60.0
"""Seconds by which the clocks of a database's rows and of a recording may differ."""


class Stay(NamedTuple):
    """Time (s since 1970) in which somebody had a seat; ``until`` None: they have it still."""

    seat: str
    since: float
    until: float | None


class OwnLine(NamedTuple):
    """Line of chat as it was written, before any word was hidden."""

    at: datetime
    text: str


def own_chat(log: Path, archive: Path, stays: Iterable[Stay]) -> list[OwnLine]:
    """Return what somebody wrote in a session, in order.

    Nothing where there is no recording. Raises RecordingError for one that cannot be read.
    """
    packed = archive / f"{log.name.removesuffix(SUFFIX)}{PACKED_SUFFIX}"
    path = packed if packed.exists() else log
    if not path.exists():
        return []
    stays = list(stays)
    return [line for recording in read_recording(path) for line in _lines_of(recording, stays)]


def _lines_of(recording: Recording, stays: list[Stay]) -> Iterator[OwnLine]:
    # Who drives the seat now; a stand-in's words are nobody's.
    policies = _first_policies(recording.header)
    with recording.folding():
        for raw in recording.lines.splitlines():
            if not any(part in raw for part in (_SAY, _OCCUPANT)) and not raw.startswith(_KEYFRAME):
                continue
            line = decode(raw)
            if isinstance(line, Keyframe):
                policies = {seat: seated.policy for seat, seated in line.seats.items()}
            elif isinstance(line, TickLine):
                yield from _written(line, stays, policies)
                for event in line.events:
                    if isinstance(event, OccupantChanged):
                        policies[event.seat] = event.policy


def _first_policies(header: Header) -> dict[str, str]:
    return {one.seat.seat_id: one.policy for one in header.spec.seats}


def _written(line: TickLine, stays: list[Stay], policies: dict[str, str]) -> Iterator[OwnLine]:
    if line.wall is None:
        return
    for heard in line.intents:
        is_said = isinstance(heard.intent, Say) and heard.refusal is None
        if is_said and not policies.get(heard.seat) and _is_theirs(heard.seat, line.wall, stays):
            assert isinstance(heard.intent, Say)
            yield OwnLine(datetime.fromtimestamp(line.wall, UTC), heard.intent.text)


def _is_theirs(seat: str, wall: float, stays: list[Stay]) -> bool:
    return any(
        stay.seat == seat
        and stay.since - CLOCK_SLACK_S <= wall
        and (stay.until is None or wall <= stay.until + CLOCK_SLACK_S)
        for stay in stays
    )
