"""A benchmark of `cohabit study export` and `report`: time and memory of each process.

    python -m tests.benchmarks.study_export EPISODES LOG...

Makes a study in a database of its own whose episodes are copies of the logs (packed or not) under
new ids, has every log summarised as the server does after packing it, and exports the study.
Prints seconds for the summaries, the export and the report, and the most memory that any had.
"""

from __future__ import annotations

import asyncio
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

from msgspec.structs import replace

from matchmaking.study import Study
from server.recording.archive import archive, read_log
from server.recording.log_checksums import signed, verify
from server.recording.log_records import SUM_START, Checksum, decode, encode
from server.recording.recordings import read_recording
from server.store import Database
from tests.server.research.exports.made_data import OF, Made, Maker, close_study, url

HERE = Path(__file__).parents[2]


def copied(data: bytes, names: dict[bytes, bytes]) -> bytes:
    """Return a log under other ids, with checksums that are right again."""
    pattern = b"|".join(re.escape(name) for name in names)
    data = re.sub(pattern, lambda found: names[found[0]], data)
    crc, lines = 0, []
    for line in data.splitlines(keepends=True):
        written = line
        if line.startswith(SUM_START):
            was = decode(line)
            assert isinstance(was, Checksum)
            written = encode(signed(was.tick, was.wall, crc))
        crc = zlib.crc32(written, crc)
        lines.append(written)
    return b"".join(lines)


async def make(folder: Path, count: int, logs: list[Path]) -> Study:
    """Store a study with so many episodes, one for each pair of people, and its packed logs."""
    of = replace(OF, cells=tuple(replace(cell, target=count) for cell in OF.cells))
    recordings_dir = folder / "recordings"
    (recordings_dir / "archive").mkdir(parents=True)
    read = [(verify(read_log(log)).data, read_recording(log)[0]) for log in logs]
    database = Database(url(folder / "cohabit.db"))
    await database.upgrade()
    maker = Maker(database, recordings_dir, of)
    try:
        await maker.begin()
        for number in range(count):
            data, recording = read[number % len(read)]
            people = [await maker.visit(f"{number}_{i}", ending="completed") for i in range(2)]
            session_id, plan = await maker.group(str(number), people, "human=person,robot=person")
            episode_id, result = f"epi_{number}", recording.result
            assert result is not None, f"{recording.path}: expected an episode that ended"
            draft = recordings_dir / f"{session_id}.jsonl"
            old = recording.header.spec.session_id, recording.episode_id
            names = dict(zip(old, (session_id, episode_id), strict=True))
            draft.write_bytes(copied(data, {a.encode(): b.encode() for a, b in names.items()}))
            archive(draft, recordings_dir / "archive")
            draft.unlink()
            result = replace(result, session_id=session_id, episode_id=episode_id)
            await maker.episode(session_id, 0, plan.tasks[0].task_id, result)
        await maker.end()
    finally:
        await database.close()
    await close_study(Made(folder / "cohabit.db", recordings_dir, []), of)
    return of


def timed(*command: str | Path, env: dict[str, str]) -> float:
    """Run a program of ours, and return the seconds that it took."""
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", *command], check=True, env=env, cwd=HERE)
    return time.monotonic() - started


def main() -> None:
    """Print the figures."""
    count, logs = int(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        study = asyncio.run(make(folder, count, logs))
        packed = sorted((folder / "recordings" / "archive").iterdir())
        env = {**os.environ, "COHABIT_DATA_DIR": made}
        print(f"episodes                    {count}")
        print(
            f"mean of packed logs, kB     {sum(f.stat().st_size for f in packed) / count / 1e3:.0f}"
        )
        took = timed("server.research.summaries.summary_program", folder, *packed, env=env)
        print(f"summaries, s                {took:.1f}")
        export = ("server.cli", "study", "export", study.name, "--out")
        took = timed(*export, folder / "out", env=env)
        print(f"export, s                   {took:.1f}")
        report = ("server.cli", "study", "report", folder / "out", "--out", folder / "report.html")
        took = timed(*report, env=env)
        print(f"report, s                   {took:.1f}")
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"most memory of any, MiB     {most:.0f}")
        size = sum(file.stat().st_size for file in (folder / "out" / "data").iterdir())
        print(f"tables, MB                  {size / 1e6:.1f}")


if __name__ == "__main__":
    main()
