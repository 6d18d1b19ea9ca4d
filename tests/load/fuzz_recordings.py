"""Mutated recordings through everything that reads one: read, scored, measured, or left out.

    python -m tests.load.fuzz_recordings --seed 1 --count 500 LOG...

It prints what came of each as JSON. `fuzz` starts it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

from episodes.errors import error_log, goal_errors
from episodes.metrics import rows_of
from server.recording.archive import read_log
from server.recording.log_checksums import signed
from server.recording.log_records import SUM_START, encode
from server.recording.model_calls import model_calls_of
from server.recording.recordings import Recording, RecordingError, read_recording
from server.recording.rescoring import score_recording
from server.recording.traces import trace_of
from server.robots.training.traces import traces_of
from server.sessions.evaluation import task_of
from tests.load.fuzz_tally import Tally

LARGEST = 8 * 1024 * 1024
NUMBERS = (b"-1", b"0", b"7", b"4294967296", b"9" * 30, b"1e9", b"1e999", b"null", b'""', b"[]")


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return a log that somebody has changed: in its lines, its checksums, or its packing."""
    lines = data.splitlines()
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        _mutate(lines, rng)
    body = b"".join(line + b"\n" for line in lines if not line.startswith(SUM_START))
    # A checksum is no signature: whoever changes a log makes it right again.
    found = body + encode(signed(rng.choice((0, 1000, 10**15)), 0.0, zlib.crc32(body)))
    match rng.randrange(12):
        case 0:
            return found[: rng.randrange(len(found))]
        case 1:
            at = rng.randrange(len(found))
            return found[:at] + rng.randbytes(3) + found[at:]
        case 2:
            packed = bytearray(gzip.compress(found))
            packed[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
            return bytes(packed)
        case 3:
            return gzip.compress(found)[: rng.randrange(len(found) // 4)]
        case 4:
            return gzip.compress(found) + rng.choice((b"", b"\0" * 9, b"garbage")) * 3
        case 5 if rng.random() < 0.1:
            return gzip.compress(bytes(2 * LARGEST), 1)
    return found


def _mutate(lines: list[bytes], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    match rng.randrange(8):
        case 0 if len(lines) > 2:
            del lines[at]
        case 1:
            lines.insert(at, rng.choice(lines))
        case 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            numbers = list(re.finditer(rb"(?<=[:,\[])-?\d+(\.\d+)?", lines[at]))
            if numbers:
                span = rng.choice(numbers).span()
                lines[at] = lines[at][: span[0]] + rng.choice(NUMBERS) + lines[at][span[1] :]
        case 4:
            words = list(re.finditer(rb'"[^"\\]*"', lines[at]))
            if words:
                here, there = rng.choice(words), rng.choice(words)
                new = rng.choice((b'""', b'"\\u001b[2J"', b'"../../x"', there[0]))
                lines[at] = lines[at][: here.start()] + new + lines[at][here.end() :]
        case 5:
            cut = rng.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:cut] + rng.randbytes(2) + lines[at][cut:]
        case 6:
            deep = rng.choice((10, 2000, 100_000))
            lines[at] = lines[at][:-1] + b',"x":' + b"[" * deep
        case _:
            lines[at] = lines[at].replace(rng.choice((b"_0", b"human", b"true")), b"_9")


def _score(recording: Recording) -> None:
    score_recording(recording)
    score_recording(recording, "released")


def _measure(recording: Recording) -> None:
    trace = trace_of(recording)
    with recording.folding():
        list(rows_of(trace, recording.header.task.evaluation_propositions))
        list(error_log(trace).records)
        list(goal_errors(trace, task_of(recording.header.task, recording.header.classes)))


def _learn(recording: Recording) -> None:
    model_calls_of(recording)
    with recording.folding():
        traces_of([recording])


READERS: dict[str, Callable[[Recording], None]] = {
    "scored": _score,
    "measured": _measure,
    "learnt from": _learn,
}


def read_all(path: Path, tally: Tally, about: object) -> None:
    """Read a file with everything that reads one, and count what came of it."""
    try:
        recordings = read_recording(path, LARGEST)
    except RecordingError:
        tally.count("recordings", "left out, with a reason")
        return
    except Exception as error:
        tally.surprise("recordings", f"{type(error).__name__}: {error}", about)
        return
    refused = ""
    for recording in recordings:
        for name, reader in READERS.items():
            try:
                reader(recording)
            except RecordingError:
                refused = refused or f"read, and not {name}, with a reason"
            except Exception as error:
                tally.surprise("recordings", f"{type(error).__name__}: {error}", f"{about} {name}")
                return
    tally.count("recordings", refused or "read, scored and measured")


def fuzz_recordings(logs: list[Path], count: int, seed: int) -> Tally:
    """Mutate logs so many times, and read each."""
    rng, tally = random.Random(seed), Tally()
    sources = [read_log(log) for log in logs]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mutant.jsonl"
        for number in range(count):
            file.write_bytes(mutated(rng.choice(sources), rng))
            read_all(file, tally, f"mutant {number} of seed {seed}")
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("logs", type=Path, nargs="+")
    arguments = parser.parse_args()
    tally = fuzz_recordings(arguments.logs, arguments.count, arguments.seed)
    print(json.dumps(tally.told()))


if __name__ == "__main__":
    main()
