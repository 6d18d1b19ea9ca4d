"""Films of recorded episodes: what a browser is shown again is what it was shown."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import msgspec
import pytest

from episodes.houses import first_house
from server.recording.log_records import TickLine, encode
from server.recording.recordings import read_recording
from server.replays.film import Film, FilmError, film_of, for_players, make_film
from server.replays.reels import REEL_TICKS, cut_reels
from server.sessions.intents import Act
from server.sessions.spec import TICK_RATE
from server.wire.codecs import CODECS
from server.wire.messages import Frame, Snapshot
from tests.load.client_model import ClientModel
from tests.server.recording.short_recordings import record
from tests.server.sessions.first_house_sessions import write_first_house

EPISODE = "epi_ses_1"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a data directory with a house and one recording, of the third task."""
    folder = tmp_path_factory.mktemp("data")
    write_first_house(folder)
    (folder / "recordings").mkdir()
    tries = [Act(1, "pick", "nothing_:0000")]
    record(folder / "recordings" / "ses_1.jsonl", 3, tries=tries)
    return folder


@pytest.fixture
def log(data: Path) -> Path:
    return data / "recordings" / "ses_1.jsonl"


@pytest.fixture(scope="module")
def film(data: Path) -> Film:
    return make_film(data / "recordings" / "ses_1.jsonl", EPISODE, data)


def messages(reel: bytes) -> list[Snapshot | Frame]:
    """Read a reel as a browser does."""
    codec = CODECS["msgpack"]
    read = [
        codec.decode_server(bytes(raw))
        for raw in msgspec.msgpack.decode(zlib.decompress(reel), type=list[msgspec.Raw])
    ]
    snapshot, *frames = read
    assert isinstance(snapshot, Snapshot)
    assert all(isinstance(frame, Frame) for frame in frames)
    return [m for m in read if isinstance(m, Snapshot | Frame)]


def test_the_frames_of_a_reel_lead_to_the_snapshot_of_the_next(film: Film) -> None:
    reels = [messages(reel) for reel in film.reels]
    assert len(reels) == len(film.index.reels) > 1
    for (marks, now), (after, then) in zip(
        zip(film.index.reels, reels, strict=True),
        zip(film.index.reels[1:], reels[1:], strict=False),
        strict=False,
    ):
        assert marks.last == after.first
        assert marks.last - marks.first >= REEL_TICKS - 1
        played, shown = ClientModel(), ClientModel()
        for message in now:
            played.apply(message)
        shown.apply(then[0])
        # The same view made both, so that both number things alike.
        assert played.known() == shown.known()
    ticks = [m.tick for reel in reels for m in reel[1:]]
    assert ticks == sorted(ticks)
    assert ticks[-1] <= film.index.last


def test_the_world_that_lines_lead_to_is_the_recorded_one(log: Path) -> None:
    (recording,) = read_recording(log)
    reels = cut_reels(recording.header, recording.decoded(), *first_house(), "/assets")
    assert recording.result is not None
    at_the_end = max(reels.digests)
    assert reels.digests[at_the_end] == (recording.result.state_digest,) * 2
    assert all(here == recorded for here, recorded in reels.digests.values())
    assert len(reels.digests) > 2


def test_a_line_that_is_missing_is_told(data: Path, log: Path, tmp_path: Path) -> None:
    (recording,) = read_recording(log)
    lines = recording.lines.splitlines(keepends=True)
    acts = [n for n, line in enumerate(lines) if b'["did",' in line and b'"put down' not in line]
    without = b"".join(line for n, line in enumerate(lines) if n != acts[-1])
    reels = cut_reels(
        recording.header, recording._replace(lines=without).decoded(), *first_house(), "/assets"
    )
    assert any(here != recorded for here, recorded in reels.digests.values())


def test_a_timeline_says_who_did_what_when(film: Film) -> None:
    index = film.index
    assert index.missing == ()
    kinds = [moment.kind for moment in index.moments]
    assert kinds.count("did") >= 4
    assert kinds.count("refused") == 1
    refused = next(m for m in index.moments if m.kind == "refused")
    assert refused.detail
    assert index.moments == tuple(sorted(index.moments, key=lambda m: m.tick))
    human = next(lane for lane in index.lanes if lane.look == "human-1")
    assert {span.kind for span in human.spans} == {"walk", "hold"}
    assert all(index.start <= s.first <= s.last <= index.last for s in human.spans)
    assert [mark.number for mark in index.marks] == [1, 2]
    assert all(mark.holds and mark.text for mark in index.marks)


def test_a_film_says_where_the_task_was_over_and_what_its_clock_counted(log: Path) -> None:
    (recording,) = read_recording(log)
    result = recording.result
    assert result is not None
    later = [line for line in recording.decoded() if isinstance(line, TickLine)][-1]
    after = msgspec.structs.replace(later, tick=later.tick + 50 * TICK_RATE, events=())
    encoded = recording.lines + encode(after)
    index = film_of(recording._replace(lines=encoded), log.parents[1]).index
    assert index.last == after.tick
    assert index.ended - index.start == result.ticks
    assert index.clock == index.start + result.clock_ticks


def test_another_house_leaves_the_timeline_and_says_so(
    data: Path, log: Path, tmp_path: Path
) -> None:
    (tmp_path / "catalogue").symlink_to(data / "catalogue")
    film = make_film(log, EPISODE, tmp_path)
    assert film.reels == ()
    assert "The scene cannot be shown" in film.index.missing[0]
    assert [m for m in film.index.moments if m.kind == "did"]


def test_a_log_that_was_cut_off_is_shown_as_far_as_it_goes(
    data: Path, log: Path, tmp_path: Path
) -> None:
    whole = log.read_bytes()
    cut = tmp_path / log.name
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    film = make_film(cut, EPISODE, data)
    assert film.reels
    assert re.search(r"no end", " ".join(film.index.missing))
    flipped = bytearray(whole)
    flipped[len(whole) * 2 // 3] ^= 1
    cut.write_bytes(bytes(flipped))
    told = " ".join(make_film(cut, EPISODE, data).index.missing)
    assert re.search(r"\d+ bytes .* wrong checksum", told)


def test_what_is_no_recording_is_refused_by_name(data: Path, log: Path, tmp_path: Path) -> None:
    with pytest.raises(FilmError, match="epi_other is not in its recording"):
        make_film(log, "epi_other", data)
    foreign = tmp_path / "ses_1.jsonl"
    foreign.write_bytes(b"GIF89a not a log\n")
    with pytest.raises(FilmError, match=EPISODE):
        make_film(foreign, EPISODE, data)
    newer = tmp_path / "newer.jsonl"
    newer.write_bytes(log.read_bytes().replace(b'"format":1', b'"format":9', 1))
    with pytest.raises(FilmError, match=EPISODE):
        make_film(newer, EPISODE, data)


def test_players_are_not_told_what_models_were_asked(film: Film) -> None:
    decided = msgspec.structs.replace(film.index.moments[0], kind="decided", seat=0, call=0)
    secret = msgspec.structs.replace(film.index, moments=(*film.index.moments, decided))
    seen = for_players(secret, frozenset())
    assert "decided" not in {m.kind for m in seen.moments}
    told = for_players(secret, frozenset({0}))
    assert [m.call for m in told.moments if m.kind == "decided"] == [-1]
    assert told.calls == ()
