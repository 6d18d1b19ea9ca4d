"""The key that signs tokens: whole or absent, and refused where anybody could know it."""

from __future__ import annotations

import errno
import os
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from server.web.secret_key import SHORTEST, SecretKeyError, secret_key

MAKE = (
    "import sys; from pathlib import Path\n"
    "from server.web.secret_key import SecretKeyError, secret_key\n"
    "{before}\n"
    "try: print(secret_key(Path(sys.argv[1])))\n"
    "except SecretKeyError as error: sys.exit(f'refused: {{error}}')\n"
)


def make_in_a_process(folder: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", MAKE.format(before=before), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def written(folder: Path, content: bytes, mode: int = 0o600) -> Path:
    path = folder / "secret_key"
    path.write_bytes(content)
    path.chmod(mode)
    return path


def test_it_is_made_once_and_is_the_owners(tmp_path: Path) -> None:
    key = secret_key(tmp_path / "data")
    assert len(key) >= 40
    assert secret_key(tmp_path / "data") == key
    assert stat.S_IMODE((tmp_path / "data" / "secret_key").stat().st_mode) == 0o600
    assert os.listdir(tmp_path / "data") == ["secret_key"], "nothing is left of the making"


def test_a_key_of_the_operators_own_is_taken(tmp_path: Path) -> None:
    written(tmp_path, b"0123456789abcdef0123456789abcdef\n")
    assert secret_key(tmp_path) == "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b" \n\t ", "is empty"),
        (b"secret", f"has 6 characters, fewer than {SHORTEST}"),
        (b"k" * (SHORTEST - 1), f"fewer than {SHORTEST}"),
        (b"a" * 64, "different characters"),
        # What a file system may leave of a file after a power failure.
        (b"\0" * 64, "printable ASCII"),
        ("schlüssel ".encode() * 8, "printable ASCII"),
        (b"two words that are long enough for it", "printable ASCII"),
        (b"0123456789abcdef" * 1000, "more than"),
    ],
)
def test_a_spoiled_key_is_refused_with_what_to_do(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(SecretKeyError) as refused:
        secret_key(tmp_path)
    said = str(refused.value)
    assert problem in said
    assert str(path) in said
    assert "delete it" in said
    assert path.read_bytes() == content, "it is the operator's to delete"
    if len(content) > 8:
        assert content.decode(errors="replace") not in said


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666, 0o610])
def test_a_key_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    path = written(tmp_path, b"0123456789abcdef0123456789abcdef", mode)
    with pytest.raises(SecretKeyError, match=rf"chmod 600 {path}"):
        secret_key(tmp_path)
    path.chmod(0o400)
    assert secret_key(tmp_path)


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "secret_key", 0o600)
    with pytest.raises(SecretKeyError, match="should be a file"):
        secret_key(tmp_path)
    (tmp_path / "secret_key").unlink()
    (tmp_path / "secret_key").mkdir()
    with pytest.raises(SecretKeyError, match="should be a file"):
        secret_key(tmp_path)
    (tmp_path / "secret_key").rmdir()
    (tmp_path / "secret_key").symlink_to("gone")
    with pytest.raises(SecretKeyError, match="cannot be read"):
        secret_key(tmp_path)


@pytest.mark.processes
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_key_of_another_user_is_refused(tmp_path: Path) -> None:
    written(tmp_path, b"0123456789abcdef0123456789abcdef")
    tmp_path.chmod(0o711)
    # Relative to where it stands, since nobody else may look into the folders above.
    become = f"import os; os.chdir({str(tmp_path)!r}); os.setgid(65534); os.setuid(65534)"
    done = make_in_a_process(Path(), become)
    assert done.returncode == 1
    assert "cannot be read (Permission denied)" in done.stderr
    assert "chown" in done.stderr


def test_two_starts_at_once_have_one_key(tmp_path: Path) -> None:
    for turn in range(20):
        folder = tmp_path / str(turn)
        with ThreadPoolExecutor(8) as pool:
            keys = set(pool.map(secret_key, [folder] * 8))
        assert len(keys) == 1
        assert os.listdir(folder) == ["secret_key"]


@pytest.mark.parametrize("code", [errno.EPERM, errno.EOPNOTSUPP])
def test_two_starts_at_once_have_one_key_where_files_have_one_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """On exFAT and many network disks there are no hard links."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("os.link", fail)
    test_two_starts_at_once_have_one_key(tmp_path)


@pytest.mark.processes
def test_two_processes_at_once_have_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(make_in_a_process, [tmp_path / "data"] * 4))
    assert [d.returncode for d in done] == [0] * 4, done
    assert len({d.stdout for d in done}) == 1


@pytest.mark.parametrize("call", ["os.fsync", "os.link", "tempfile.mkstemp"])
def test_a_making_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(call, fail)
        with pytest.raises(SecretKeyError, match=r"cannot be made \(No space left"):
            secret_key(tmp_path)
    assert os.listdir(tmp_path) == []
    assert secret_key(tmp_path)


@pytest.mark.processes
def test_a_file_that_may_not_grow_leaves_nothing(tmp_path: Path) -> None:
    """The kernel itself cuts the write off after ten bytes."""
    limit = f"import resource; resource.setrlimit({resource.RLIMIT_FSIZE}, (10, 10))"
    done = make_in_a_process(tmp_path, limit)
    assert done.returncode == 1
    assert "cannot be made (File too large)" in done.stderr
    assert os.listdir(tmp_path) == []


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a file system of two pages."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("this user may not mount a file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.processes
def test_a_full_disk_leaves_nothing(tiny_disk: Path) -> None:
    filling = tiny_disk / "filling"
    with pytest.raises(OSError, match="No space left"):
        filling.write_bytes(bytes(64 * 1024))
    with pytest.raises(SecretKeyError, match="No space left"):
        secret_key(tiny_disk)
    assert os.listdir(tiny_disk) == ["filling"]
    filling.unlink()
    assert secret_key(tiny_disk)


def test_the_key_and_its_name_are_on_the_disk_when_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is not synced is gone after a power cut, and with it all seats."""
    synced: list[tuple[bool, list[str]]] = []
    sync = os.fsync

    def noted(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        synced.append((is_folder, [n for n in os.listdir(tmp_path) if n == "secret_key"]))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    secret_key(tmp_path)
    # First what is in it, while it has no name that counts, then the name.
    assert synced == [(False, []), (True, ["secret_key"])]
