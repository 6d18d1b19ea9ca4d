"""Reels of a film: what browsers were sent of an episode, from its recording.

Pure: it needs the recording and its house, neither simulator nor clock.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from episodes.names import name_things
from episodes.rules import profile_named
from episodes.scene import Catalogue, Scene
from episodes.world import WorldState
from server.recording.log_records import End, Header, Keyframe, Line, TickLine
from server.recording.replay import Fold
from server.sessions.disclosure import told_programs
from server.sessions.spec import TICK_RATE
from server.sessions.state import EpisodeState
from server.wire.codecs import CODECS
from server.wire.messages import Frame
from server.worker.view.house_snapshot import house_of
from server.worker.view.public_view import EpisodeInfo, PublicView

REEL_TICKS = 30 * TICK_RATE
"""Ticks of a reel: its snapshot is about as large as the frames of so long a stretch."""

_encode = CODECS["msgpack"].encode


class Reel(NamedTuple):
    """The messages of a stretch, from a snapshot at tick ``first`` to tick ``last``.

    ``data`` is their msgpack array, packed by zlib as browsers are sent it.
    """

    first: int
    last: int
    data: bytes


class Reels(NamedTuple):
    """All reels of an episode, and the digests of the world where its recording has one.

    ``digests`` are by tick: of the world as the lines lead to it, and as a keyframe or
    the episode's result has it.
    """

    reels: tuple[Reel, ...]
    digests: dict[int, tuple[str, str]]


def cut_reels(
    header: Header, lines: Iterable[Line], scene: Scene, catalogue: Catalogue, asset_root: str
) -> Reels:
    """Play an episode's lines through what players see, and cut that into reels.

    Raises KeyError for a thing that the house does not have.
    """
    cutter: _Cutter | None = None
    for line in lines:
        match line:
            case Keyframe() if cutter is None:
                cutter = _Cutter(header, line, scene, catalogue, asset_root)
            case Keyframe() if cutter is not None:
                recorded = type(cutter.world).from_changes(cutter.state.bodies, line.changes)
                cutter.compare(line.tick, recorded.digest())
            case End() if cutter is not None and line.result.state_digest:
                cutter.compare(line.tick, line.result.state_digest)
            case TickLine() if cutter is not None:
                cutter.take(line)
    return Reels((), {}) if cutter is None else cutter.reels()


class _Cutter:
    def __init__(
        self,
        header: Header,
        start: Keyframe,
        scene: Scene,
        catalogue: Catalogue,
        asset_root: str,
    ) -> None:
        spec = header.played_spec
        fold = Fold(header)
        fold.load(start)
        self.state = state = fold.state
        names = name_things(scene, catalogue, state.world.objects, spec.labels)
        info = EpisodeInfo(
            header.episode_spec.episode_id,
            header.task.instruction,
            profile_named(spec.profile),
            asset_root,
            told_programs(spec),
        )
        house = house_of(scene, catalogue, names.labels)
        self.view = PublicView(info, house, spec.seats, state, names.labels)
        self.digests: dict[int, tuple[str, str]] = {}
        self._cut: list[Reel] = []
        self._begin(state.tick)

    @property
    def world(self) -> WorldState:
        return self.state.world

    def _begin(self, tick: int) -> None:
        self.first = self.last = tick
        self.messages = [_encode(self.view.snapshot())]
        if aims := self.view.aims():
            self.messages.append(_encode(Frame(tick, events=aims)))

    def take(self, line: TickLine) -> None:
        if line.tick - self.first >= REEL_TICKS:
            self._end(line.tick - 1)
            self._begin(line.tick - 1)
        state, view = self.state, self.view
        _fold(state, line)
        before = view.version
        view.update(line.tick, line.changes, line.events)
        frame = view.frame_since(before, None)
        view.forget_events(view.version)
        if frame is not None:
            self.messages.append(_encode(frame))
        self.last = line.tick

    def compare(self, tick: int, recorded: str) -> None:
        """Note the world's digest as the lines have led to it, beside the recorded one."""
        self.digests[tick] = (self.world.digest(), recorded)

    def _end(self, last: int) -> None:
        self._cut.append(Reel(self.first, last, zlib.compress(b"".join(_array(self.messages)))))

    def reels(self) -> Reels:
        self._end(self.last)
        return Reels(tuple(self._cut), self.digests)


def _fold(state: EpisodeState, line: TickLine) -> None:
    """Take a tick over into the state; nobody asks here whether the task is done."""
    state.tick = line.tick
    for change in line.changes:
        state.change(change)
    for heard in line.intents:
        state.heed(heard)
    for event in line.events:
        state.happen(event)


def _array(messages: list[bytes]) -> Iterator[bytes]:
    """Yield the msgpack array of encoded messages: its head, then each as it is."""
    yield b"\xdd" + len(messages).to_bytes(4, "big")
    yield from messages
