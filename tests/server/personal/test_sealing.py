"""Keys of people and texts under them: what opens with which keys, and what is left without."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pytest

from server.personal.key_folder import HIDING, LIST, ForgottenError, KeyFolder, KeysError
from server.personal.sealing import (
    FORGOTTEN,
    KEYLESS,
    is_sealed,
    opened,
    opened_json,
    people_of,
    seal,
)

ANN, BEN = "par_ann", "par_ben"
WORDS = 'I am "Ann" of the 3rd flöor 🙂'


@pytest.fixture
def keys(tmp_path: Path) -> KeyFolder:
    return KeyFolder(tmp_path / "keys")


def sealed_by(keys: KeyFolder, people: Iterable[str], text: str) -> str:
    """Seal a text under the keys of some people, which are made where they have none."""
    return seal({person: keys.made_key(person) for person in people}, text)


def test_words_open_with_the_key_of_whom_they_are_from_alone(keys: KeyFolder) -> None:
    sealed = sealed_by(keys, [ANN], WORDS)
    assert is_sealed(sealed)
    assert people_of(sealed) == (ANN,)
    assert "Ann" not in sealed
    assert sealed != sealed_by(keys, [ANN], WORDS), "nobody sees who says the same twice"
    assert opened(keys, sealed) == WORDS
    assert opened(None, sealed) == KEYLESS
    assert opened(KeyFolder(keys.path.with_name("others")), sealed) == KEYLESS
    assert opened(keys, sealed.replace(ANN, BEN)) == KEYLESS
    keys.made_key(BEN)
    assert opened(keys, sealed.replace(ANN, BEN)) == KEYLESS, "another's key opens nothing"
    assert opened(keys, sealed[:-2] + "AA") == KEYLESS, "nothing is shown that was changed"


def test_words_of_several_are_forgotten_with_the_first(keys: KeyFolder) -> None:
    both, own = sealed_by(keys, [BEN, ANN], WORDS), sealed_by(keys, [BEN], WORDS)
    assert people_of(both) == (ANN, BEN)
    assert opened(keys, both) == WORDS
    keys.forget(ANN, 5.0)
    assert opened(keys, both) == FORGOTTEN
    assert opened(keys, own) == WORDS, "what is Ben's alone stays"
    with pytest.raises(ForgottenError, match=ANN):
        sealed_by(keys, [ANN], WORDS)


def test_lines_of_json_are_opened_and_keep_their_form(keys: KeyFolder) -> None:
    line = {"t": 5, "e": [["said", "human_0", sealed_by(keys, [ANN], WORDS)]]}
    raw = msgspec.json.encode(line)
    assert msgspec.json.decode(opened_json(keys, raw))["e"] == [["said", "human_0", WORDS]]
    again = msgspec.json.decode(opened_json(None, raw))
    assert again["e"] == [["said", "human_0", KEYLESS]]
    for odd in (b'"sealed.1.x"', b'"sealed.1.PAR.' + b"a" * 50 + b'"', b'["sealed.1.", "..", 1]'):
        assert opened_json(keys, odd) == odd


def test_who_writes_what_looks_sealed_is_quoted_and_opens_nothing(keys: KeyFolder) -> None:
    of_ben = sealed_by(keys, [BEN], WORDS)
    sealed = sealed_by(keys, [ANN], of_ben)
    assert opened(keys, sealed) == of_ben
    raw = msgspec.json.encode({"text": sealed})
    assert msgspec.json.decode(opened_json(keys, raw)) == {"text": of_ben}


def test_keys_are_files_for_their_owner_alone(keys: KeyFolder) -> None:
    keys.make()
    sealed_by(keys, [ANN], WORDS)
    assert keys.hidden("prolific", "5f") == keys.hidden("prolific", "5f")
    assert keys.hidden("prolific", "5f") != keys.hidden("sona", "5f")
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o700
    assert sorted(file.name for file in keys.path.iterdir()) == [HIDING, f"{ANN}.key"]
    for file in keys.path.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_copy_of_the_keys_brings_nobody_back(keys: KeyFolder) -> None:
    sealed = sealed_by(keys, [ANN], WORDS)
    copy = keys.path.with_name("copy")
    shutil.copytree(keys.path, copy)
    keys.forget(ANN, 5.0)
    keys.forget(ANN, 6.0)
    assert keys.forgotten() == {ANN: 5.0}
    assert not (keys.path / f"{ANN}.key").exists()
    # Somebody puts the old file back.
    shutil.copy(copy / f"{ANN}.key", keys.path)
    assert opened(keys, sealed) == FORGOTTEN
    keys.settle()
    assert not (keys.path / f"{ANN}.key").exists()


def test_a_line_that_was_cut_off_is_gone_when_the_next_is_written(keys: KeyFolder) -> None:
    keys.forget(ANN, 5.0)
    with (keys.path / LIST).open("ab") as file:
        file.write(b'{"person":"par_be')
    assert keys.forgotten() == {ANN: 5.0}
    keys.forget("par_cara", 6.0, withdraws=True)
    assert KeyFolder(keys.path).forgotten() == {ANN: 5.0, "par_cara": 6.0}
    assert keys.withdrawn() == {"par_cara"}
    keys.forget(ANN, 7.0, withdraws=True)
    assert keys.withdrawn() == {ANN, "par_cara"}


def test_a_full_disk_leaves_no_part_of_a_line(
    keys: KeyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys.made_key(ANN)
    keys.forget("par_cara", 5.0)

    def some(descriptor: int, data: memoryview, write: Callable[..., int] = os.write) -> int:
        if len(data) < 20:
            raise OSError(errno.ENOSPC, "no room")
        return write(descriptor, data[:20])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", some)
        with pytest.raises(KeysError, match="cannot be written"):
            keys.forget(ANN, 6.0)
    assert KeyFolder(keys.path).forgotten() == {"par_cara": 5.0}
    assert keys.key(ANN) is not None, "nothing is half done"
    keys.forget(ANN, 7.0)
    assert keys.forgotten() == {"par_cara": 5.0, ANN: 7.0}


def test_another_process_forgets_somebody(keys: KeyFolder) -> None:
    sealed = sealed_by(keys, [ANN], WORDS)
    assert opened(keys, sealed) == WORDS
    KeyFolder(keys.path).forget(ANN, 5.0)
    assert opened(keys, sealed) == FORGOTTEN


def test_a_spoiled_folder_is_told_with_what_to_do(keys: KeyFolder) -> None:
    keys.made_key(ANN)
    (keys.path / f"{ANN}.key").write_text("abc")
    with pytest.raises(KeysError, match="is no key: bring it back"):
        keys.key(ANN)
    with pytest.raises(ValueError, match="expected the id of a participant"):
        keys.made_key("../par_ann")
    (keys.path / LIST).write_text('{"person": "par_ann"')
    assert keys.forgotten() == {}, "a forgetting that was cut off"
    keys.forget(BEN, 5.0)
    (keys.path / LIST).write_text('{"person": "par_ann"\n')
    with pytest.raises(KeysError, match=r"forgotten\.jsonl, line 1, is no entry of the list"):
        keys.is_forgotten(ANN)
    (keys.path.parent / "file").write_text("")
    with pytest.raises(KeysError, match=r"folder of keys.* cannot be read \(Not a directory\)"):
        KeyFolder(keys.path.parent / "file" / "keys").made_key(ANN)
