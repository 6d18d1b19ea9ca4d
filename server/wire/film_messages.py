"""Index of a film: what a page needs to show a recorded episode again.

The film itself is in reels, each a msgpack array of a snapshot and the frames after it, as a
websocket would have brought them. Ticks are the session's, as in frames.
"""

from __future__ import annotations

import msgspec


class FilmReel(msgspec.Struct, frozen=True, array_like=True):
    """A stretch of the film, from its snapshot at tick ``first`` to tick ``last``."""

    first: int
    last: int


class FilmSpan(msgspec.Struct, frozen=True, array_like=True):
    """A stretch of what a seat did: ``walk``, ``hold``, ``think`` or ``away``."""

    kind: str
    first: int
    last: int
    text: str = ""


class FilmMoment(msgspec.Struct, frozen=True, array_like=True):
    """A thing that a seat did or was told: ``did``, ``said``, ``refused`` or ``decided``.

    ``detail`` says more where there is more, for instance why a decision failed.
    """

    kind: str
    tick: int
    seat: int
    text: str
    detail: str = ""
    call: int = -1
    """Number of the model's answer that led to a decision; -1: none, or not for this reader."""


class FilmCall(msgspec.Struct, frozen=True, array_like=True):
    """A call of a language model: asked at tick ``asked``, its answer counted at ``applied``."""

    seat: int
    purpose: str
    model: str
    asked: int
    applied: int
    seconds: float
    prompt: str
    answer: str
    error: str = ""


class FilmLane(msgspec.Struct, frozen=True, array_like=True):
    """A seat: its number, name and look, and what it did when."""

    seat: int
    name: str
    look: str
    spans: tuple[FilmSpan, ...] = ()


class FilmMark(msgspec.Struct, frozen=True, array_like=True):
    """A moment at which a step of the task came true, or (``holds`` is false) was undone."""

    tick: int
    number: int
    holds: bool
    text: str


class FilmPause(msgspec.Struct, frozen=True, array_like=True):
    """A stretch in which the clock of the task stood."""

    first: int
    last: int


class FilmIndex(msgspec.Struct, frozen=True, array_like=True):
    """A film: its stretch in ticks, its reels, and what is marked on its timeline.

    ``start`` is the tick at which play began, ``clock`` the one at which the task's clock started,
    and ``ended`` the one at which the task was over: what follows belongs to no report. ``missing``
    says, in sentences, what of the recording cannot be shown.
    """

    session_id: str
    episode_id: str
    tick_rate: int
    first: int
    start: int
    last: int
    task_text: str
    end_reason: str
    reels: tuple[FilmReel, ...] = ()
    lanes: tuple[FilmLane, ...] = ()
    moments: tuple[FilmMoment, ...] = ()
    calls: tuple[FilmCall, ...] = ()
    marks: tuple[FilmMark, ...] = ()
    missing: tuple[str, ...] = ()
    clock: int = 0
    ended: int = 0
    pauses: tuple[FilmPause, ...] = ()
