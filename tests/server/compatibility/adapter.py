"""Internals that the compatibility tests use: mend this file when modules move, and no other.

What is stored must not change.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from episodes.dataset import read_dataset
from server.recording.log_checksums import verify
from server.recording.log_writer import LogWriter
from server.recording.model_calls import model_calls_of
from server.recording.recordings import read_recording
from server.recording.replay import episodes_in as episodes_in_log
from server.recording.replay import fold_all, rescore, resume
from server.reports.pictures import make_pictures
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import POLICIES, make_player
from server.sessions.core import SessionCore
from server.sessions.spec import TICK_RATE, EpisodeSpec, SeatSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.wire.close_codes import CloseCode
from server.wire.codecs import CODECS, SUBPROTOCOLS
from server.worker.live_session import LiveSession
from tests.model_double import ModelDouble, Reply

CODEC_NAMES = ("json", "msgpack")


# Recordings


def prompts_of(log: Path) -> list[tuple[str, str]]:
    """Return every whole prompt of a recording, with the hash that its log names."""
    return [
        (call.prompt, call.prompt_sha256)
        for recording in read_recording(log)
        for call in model_calls_of(recording)
    ]


def tasks_in(data_dir: Path, dataset: str) -> list[Any]:
    """Return the tasks of a set in a data directory, in their order."""
    return list(read_dataset(data_dir / "tasks" / f"{dataset}.json.gz"))


def folded(log: bytes) -> list[dict[str, Any]]:
    """Fold every episode of a log, and say what it comes to: digest, phase, chat and verdict."""
    assert verify(log).lost_bytes == 0
    found = []
    for header, lines in episodes_in_log(log):
        fold = fold_all(header, lines)
        found.append(
            {
                "state_digest": fold.state.world.digest(),
                "phase": fold.state.phase,
                "chat": [line.text for line in fold.state.chat],
                "verdict": msgspec.to_builtins(fold.scorer.verdict()),
            }
        )
    assert msgspec.to_builtins(rescore(log)) == found[-1]["verdict"]
    return found


def resumed(log: Path, data_dir: Path) -> dict[str, Any]:
    """Let the session of a log that breaks off go on, and return where it is then."""
    library = HouseLibrary(data_dir)
    core, written, _ = resume(log, lambda *_: HouseholdSimulator(library), 1000.0)
    found = {
        "tick": core.tick,
        "phase": core.phase,
        "state_digest": core.world.digest(),
        "chat": [line.text for line in core.chat],
        "percent_complete": core.verdict().percent_complete,
    }
    written.close(1000.0)
    core.close()
    return found


def pictures_of(log: Path, episode_id: str, data_dir: Path) -> bytes:
    """Return the pictures of a report as the JSON that the drawing process prints."""
    return msgspec.json.encode(make_pictures(log, episode_id, data_dir))


# Policies


def policy_names() -> set[str]:
    """Return every policy of the registry, and every named configuration of one."""
    with_presets = {f"{p}:{name}" for p, spec in POLICIES.items() for name in spec.presets}
    return with_presets | {f"{p}:default" for p, spec in POLICIES.items() if not spec.presets}


@contextmanager
def model_server(behave: Callable[[int, dict[str, Any]], str]) -> Iterator[str]:
    """Serve a model that answers by number and body of the request; yield its address."""
    with ModelDouble(lambda asked: Reply(behave(asked.number, asked.body))) as double:
        yield double.url


# The wire


def read_and_write(text: str, sender: str) -> dict[str, str]:
    """Read a message from JSON, write it with both codecs, read that again, and return both."""
    json_codec, packed_codec = CODECS["json"], CODECS["msgpack"]

    def read(codec: Any, data: bytes | str) -> Any:
        return codec.decode_client(data) if sender == "client" else codec.decode_server(data)

    message = read(json_codec, text)
    written, packed = json_codec.encode(message), packed_codec.encode(message)
    assert read(json_codec, written) == message
    assert read(packed_codec, packed) == message
    return {"json": written.decode(), "msgpack": packed.hex()}


def numbers_of_the_protocol() -> dict[str, Any]:
    """Return names and numbers on the wire that the fixtures know.

    4003 changed its meaning for people, and 4503 came with the lobby's messages of today.
    """
    changed = {CloseCode.REFUSED, CloseCode.UNAVAILABLE}
    return {
        "subprotocols": list(SUBPROTOCOLS),
        "session close codes": sorted(int(code) for code in set(CloseCode) - changed),
        "tick rate": TICK_RATE,
    }


class Live:
    """A session as a worker runs it: connections, raw messages, and what they are sent.

    ``robot`` is a policy for the robot's seat; empty: a participant.
    """

    def __init__(self, data_dir: Path, name: str, dataset: str, task_id: str, robot: str) -> None:
        task = next(t for t in tasks_in(data_dir, dataset) if t.task_id == task_id)
        spec = msgspec.structs.replace(SessionSpec.pair(f"ses_{name}", 7), profile="cohabit@1")
        if robot:
            seats = tuple(
                SeatSpec(s.seat, True, robot if s.seat.kind == "robot" else "") for s in spec.seats
            )
            spec = msgspec.structs.replace(spec, seats=seats)
        self._core = SessionCore(
            spec,
            EpisodeSpec(f"epi_{name}", f"tasks/{dataset}.json.gz", task_id, time_limit_s=600.0),
            task,
            HouseholdSimulator(HouseLibrary(data_dir)),
        )
        self._file = _Kept()
        log = LogWriter(self._file, code_version="compatible")
        log.open_episode(self._core, 0.0)
        self._session = LiveSession(
            self._core,
            log,
            loading_ticks=9000,
            code_version="compatible",
            policies={robot: self._player(robot)} if robot else None,
        )

    @property
    def tick(self) -> int:
        """The tick that the session is at."""
        return int(self._core.tick)

    def attach(self, connection: int, seat: str | None, codec: str) -> None:
        """Let a browser join; without a seat it watches."""
        self._session.attach(connection, seat, codec)  # type: ignore[arg-type]

    def detach(self, connection: int) -> None:
        """Let a browser go."""
        self._session.detach(connection)

    def receive(self, connection: int, message: list[Any], codec: str) -> None:
        """Give the session a raw message, by way of the codec that the browser speaks."""
        if codec == "msgpack":
            raw = msgspec.msgpack.encode(message)
            CODECS["msgpack"].decode_client(raw)
            self._session.receive(connection, raw)
            return
        read = CODECS["json"].decode_client(msgspec.json.encode(message).decode())
        self._session.receive(connection, msgspec.msgpack.encode(read))

    def step(self) -> list[tuple[tuple[int, ...], bytes, bool]]:
        """Run a tick, and return what is sent: to whom, the bytes, and whether they are binary."""
        sent = self._session.step(self._core.tick / TICK_RATE)
        return [(o.connections, o.payload, o.binary) for o in sent]

    def close(self) -> bytes:
        """End the session, and return its log."""
        self._session.close(self._core.tick / TICK_RATE)
        return self._file.kept

    @staticmethod
    def _player(name: str) -> Callable[[str, dict[str, Any]], Any]:
        def make(seat: str, company: dict[str, Any]) -> Any:
            loop = asyncio.new_event_loop()
            try:
                return make_player(
                    name, seat, PlayerOptions(ChargedThinker(loop, 0.0), company=company)
                )
            finally:
                # An expert asks no model: it never needs the loop.
                loop.close()

        return make


class _Kept(io.BytesIO):
    """A file in memory whose content outlives it."""

    kept = b""

    def close(self) -> None:
        self.kept = self.getvalue()
        super().close()
