"""Rules of recordings: a session goes on by the very version of a profile that it began with."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from server.recording.log_checksums import signed
from server.recording.log_records import encode
from server.recording.replay import RecoveryError, resume
from server.sessions.intents import Ready
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    Recording,
    core_of,
    episode_spec,
    simulator,
    task,
)


def test_other_rules_than_those_played_with_are_refused(tmp_path: Path) -> None:
    recording = Recording(core_of())
    path = tmp_path / "session.log"
    digest = recording.core.profile.digest.encode()
    header, keyframe, _ = recording.data().splitlines(keepends=True)
    body = header.replace(digest, b"0" * 64) + keyframe
    body += encode(signed(0, 0.0, zlib.crc32(body)))
    path.write_bytes(body)
    with pytest.raises(RecoveryError, match="the rule profile is not the one"):
        resume(path, simulator, now=0.0)


@pytest.mark.parametrize("version", ["cohabit@1", "partnr@2"])
def test_a_session_goes_on_by_the_very_rules_it_began_with(tmp_path: Path, version: str) -> None:
    """The header says name and version, so that a newer version changes nothing."""
    recording = Recording(core_of(profile=version))
    recording.step([(s, Ready()) for s in (HUMAN, ROBOT)])
    header = json.loads(recording.data().split(b"\n", 1)[0])
    assert header["spec"]["profile"] == header["profile"]
    path = tmp_path / "session.log"
    path.write_bytes(recording.data())
    resumed, log, _ = resume(path, simulator, now=1.0)
    assert resumed.profile.exact_name == resumed.spec.profile == version
    resumed.end("operator")
    log.write(resumed, resumed.step(), 1.0)
    resumed.begin(episode_spec(task(3), "epi_2"), task(3))
    log.open_episode(resumed, 2.0)
    log.close(2.0)
    again, closing, _ = resume(path, simulator, now=3.0)
    closing.close(3.0)
    assert again.episode_spec.episode_id == "epi_2"
    assert again.profile.exact_name == version


def test_rules_that_are_not_here_are_told(tmp_path: Path) -> None:
    recording = Recording(core_of())
    path = tmp_path / "session.log"
    header, keyframe, _ = recording.data().splitlines(keepends=True)
    body = header.replace(b'"profile_version":"2"', b'"profile_version":"99"') + keyframe
    body += encode(signed(0, 0.0, zlib.crc32(body)))
    path.write_bytes(body)
    with pytest.raises(RecoveryError, match=r"played by rules that are not here: .*cohabit@99"):
        resume(path, simulator, now=0.0)
