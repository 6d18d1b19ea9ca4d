"""The lines of a session log: one JSON object each, told apart by ``type``.

Format 1. Fields are append-only; a line type that a reader does not know is an error, because a
session is the fold of its whole log.
"""

from __future__ import annotations

import os

import msgspec
from msgspec import UNSET, UnsetType

from episodes.bounded_files import NumberedLine, decode_line
from episodes.dataset import Task
from episodes.evaluation import EvaluatorState, PropositionChange, Surroundings
from episodes.world import Change
from server.personal.process_keys import process_keys
from server.personal.sealing import opened_json
from server.sessions.events import (
    AimChanged,
    Begun,
    Blocked,
    ClockStarted,
    Did,
    DoingChanged,
    EndReason,
    FinishChanged,
    LimitChanged,
    OccupantChanged,
    Phase,
    PhaseChanged,
    PresenceChanged,
    Said,
)
from server.sessions.facts import FactChanged, Question
from server.sessions.policy_records import CallRecord, SkillRecord
from server.sessions.results import EpisodeResult
from server.sessions.spec import TICK_RATE, EpisodeSpec, SessionSpec
from server.sessions.state import Heard, Seated
from server.sessions.task_clock import OldClock
from server.wire.messages import PageStats

LOG_FORMAT = 1

LoggedEvent = (
    Did
    | Said
    | PhaseChanged
    | PresenceChanged
    | FinishChanged
    | OccupantChanged
    | DoingChanged
    | AimChanged
    | LimitChanged
    | Blocked
    | Begun
    | ClockStarted
)
"""The events that are logged.

Refusals stand with their intents; what a panel offers follows from the world.
"""


class Header(msgspec.Struct, frozen=True, tag="header", kw_only=True):
    """The start of an episode: everything that decides how it runs and how it is judged.

    ``tick`` is the session's tick at which it was loaded, ``wall`` seconds since 1970. ``classes``
    names the classes of the things in the task's propositions, for explanations.
    """

    format: int = LOG_FORMAT
    tick_rate: int = TICK_RATE
    tick: int
    wall: float
    spec: SessionSpec
    episode_spec: EpisodeSpec
    task: Task = msgspec.field(name="episode")
    scene_digest: str
    catalogue_digest: str
    simulator: str
    simulator_version: str
    profile: str
    profile_version: str
    profile_digest: str
    evaluator_version: str
    code_version: str
    classes: dict[str, str]
    questions: tuple[Question, ...]
    surroundings: Surroundings | None = None
    digests: dict[str, str] | UnsetType = UNSET
    """Digests of what a trial rests on (data, houses, prompts, code, …), and as ``model`` what the
    model server says of its models; of trials only."""

    @property
    def played_spec(self) -> SessionSpec:
        """The session's specification with the very rules it was played by.

        What the name alone stands for changes when a profile gets a new version.
        """
        exact = f"{self.profile}@{self.profile_version}"
        return msgspec.structs.replace(self.spec, profile=exact)


class TickLine(msgspec.Struct, frozen=True, tag="tick", omit_defaults=True, rename={
    "tick": "t", "changes": "c", "events": "e", "intents": "i", "facts": "f",
    "propositions": "p", "by": "b", "wall": "w",
}):  # fmt: skip
    """A tick in which something happened. ``wall`` is there when somebody did something.

    ``by`` says which seat changed a thing by an action; ticks of ``propositions`` count from the
    start of the episode.
    """

    tick: int
    changes: tuple[Change, ...] = ()
    events: tuple[LoggedEvent, ...] = ()
    intents: tuple[Heard, ...] = ()
    facts: tuple[FactChanged, ...] = ()
    propositions: tuple[PropositionChange, ...] = ()
    by: dict[str, str] = {}
    wall: float | None = None


class Keyframe(msgspec.Struct, frozen=True, tag="keyframe"):
    """The whole state after ``tick``, chat apart (it is in the lines before)."""

    tick: int
    phase: Phase
    end_reason: EndReason | None
    started_tick: int | None
    ended_tick: int | None
    seats: dict[str, Seated]
    changes: tuple[Change, ...]
    facts: tuple[FactChanged, ...]
    evaluator: EvaluatorState | None
    problem: str | None
    """Reason why there is no evaluation, if there is none."""
    limits: tuple[int | None, int | None] | None = None
    """Ticks at which it ends, and would if nobody had finished; None: as the header says."""
    paused_tick: int | None = None
    clock: OldClock = UNSET


class End(msgspec.Struct, frozen=True, tag="end"):
    """The end of the episode, with its result."""

    tick: int
    wall: float
    result: EpisodeResult


class Resumed(msgspec.Struct, frozen=True, tag="resumed", omit_defaults=True):
    """A note that what was played after this is not here.

    The session's process had died and it went on from here, or it was closed while nothing could be
    written (then nothing follows).
    """

    tick: int
    wall: float
    lost_bytes: int
    lost_ticks: int = 0
    """Ticks after this one that were played, and shown to people, and then lost."""
    lost_events: int = 0
    """Acts and lines of chat in them."""


class ModelCalled(msgspec.Struct, frozen=True, tag="model_call"):
    """A policy's call of a language model, written at the tick at which the answer counted."""

    tick: int
    wall: float
    call: CallRecord


class SkillEnded(msgspec.Struct, frozen=True, tag="skill"):
    """A skill call of a policy that is over."""

    tick: int
    wall: float
    skill: SkillRecord


class PageMeasured(msgspec.Struct, frozen=True, tag="page", omit_defaults=True):
    """Figures of a seat's page since the last such line, as `server.wire` explains them."""

    tick: int
    wall: float
    seat: str
    stats: PageStats


class Paced(msgspec.Struct, frozen=True, tag="pace"):
    """Lateness of the ticks since the last such line, in milliseconds: on average, and at most."""

    tick: int
    wall: float
    mean_late_ms: float
    most_late_ms: float


class Checksum(msgspec.Struct, frozen=True, tag="sum"):
    """The end of a flush.

    It has the CRC-32 (hex) of every byte of the file before this line, and of this line with an
    empty ``crc``.
    """

    tick: int
    wall: float
    crc: str


Line = (
    Header
    | TickLine
    | Keyframe
    | End
    | Resumed
    | ModelCalled
    | SkillEnded
    | PageMeasured
    | Paced
    | Checksum
)

SUM_START = b'{"type":"sum"'
HEADER_START = b'{"type":"header"'
END_START = b'{"type":"end"'
KEYFRAME_START = b'{"type":"keyframe"'
TICK_START = b'{"type":"tick"'
RESUMED_START = b'{"type":"resumed"'
SAID_START = b'["said",'
DID_START = b'["did",'

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def encode(line: Line) -> bytes:
    """Return a line of the log, its end included."""
    return _encoder.encode(line) + b"\n"


def decode(line: bytes | memoryview) -> Line:
    """Decode a line, words opened that this process has the keys of.

    Raises msgspec.DecodeError for what is not one of this format.
    """
    return _decoder.decode(opened_json(process_keys(), bytes(line)))


def decode_numbered(path: str | os.PathLike[str], line: NumberedLine) -> Line:
    """Decode a line of a file that may come from anybody, as `decode` does.

    Raises UnreadableError.
    """
    opened = line._replace(data=opened_json(process_keys(), line.data))
    return decode_line(path, opened, _decoder)
