from __future__ import annotations

import stat
from pathlib import Path

import pytest

from server.settings import Settings, SettingsError, load_settings


def settings(**changes: object) -> Settings:
    # What a setting may be is what these tests are about.
    return Settings(_env_file=None, **changes)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    for name in list(os.environ):
        if name.startswith("COHABIT_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_a_typo_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COHABIT_PROT", "9000")
    with pytest.raises(
        SettingsError, match=r"unknown setting COHABIT_PROT; known are .*COHABIT_PORT"
    ):
        load_settings()


def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COHABIT_PORT", "many")
    monkeypatch.setenv("COHABIT_PUBLIC_URL", "homes.example.org")
    with pytest.raises(SettingsError) as failure:
        load_settings()
    assert "COHABIT_PORT: " in str(failure.value)
    assert "COHABIT_PUBLIC_URL: expected an address such as" in str(failure.value)


def test_values_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COHABIT_PORT", "9000")
    monkeypatch.setenv("COHABIT_PUBLIC_URL", "https://Homes.example.org/")
    loaded = load_settings()
    assert loaded.port == 9000
    assert loaded.address == "https://homes.example.org"
    assert loaded.is_https


@pytest.mark.parametrize(
    ("made", "origin", "host", "accepted"),
    [
        ({}, "http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ({}, "http://localhost:8000", "localhost:8000", True),
        ({}, "http://localhost:9000", "localhost:8000", False),
        ({}, "https://evil.example", "127.0.0.1:8000", False),
        # A name of an attacker's that resolves to this machine.
        ({}, "http://evil.example:8000", "evil.example:8000", False),
        ({}, None, "127.0.0.1:8000", False),
        ({}, "null", "127.0.0.1:8000", False),
        ({"port": 0}, "http://127.0.0.1:40001", "127.0.0.1:40001", True),
        ({"host": "0.0.0.0"}, "http://192.168.1.7:8000", "192.168.1.7:8000", True),
        ({"host": "0.0.0.0"}, "https://evil.example", "192.168.1.7:8000", False),
        ({"public_url": "https://h.org"}, "https://h.org", "127.0.0.1:8000", True),
        (
            {"public_url": "https://h.org", "host": "0.0.0.0"},
            "http://10.0.0.1:8000",
            "10.0.0.1:8000",
            False,
        ),
    ],
)
def test_origins(made: dict[str, object], origin: str, host: str, accepted: bool) -> None:
    assert settings(**made).accepts_origin(origin, host) is accepted


@pytest.mark.parametrize(
    ("made", "address"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"host": "localhost"}, "http://localhost:8000"),
        ({"host": "0.0.0.0"}, "http://127.0.0.1:8000"),
        ({"host": "::"}, "http://[::1]:8000"),
        ({"host": "192.168.1.7", "port": 80}, "http://192.168.1.7:80"),
        ({"host": "fd00::1"}, "http://[fd00::1]:8000"),
        ({"public_url": "https://h.org/"}, "https://h.org"),
    ],
)
def test_the_address_to_open(made: dict[str, object], address: str) -> None:
    assert settings(**made).address == address


def test_the_secret_key_is_made_once_and_is_the_owners(tmp_path: Path) -> None:
    made = settings(data_dir=tmp_path / "data")
    key = made.secret_key()
    assert len(key) >= 40
    assert made.secret_key() == key
    assert stat.S_IMODE((tmp_path / "data" / "secret_key").stat().st_mode) == 0o600


def test_capacity() -> None:
    assert settings(workers=2, sessions_per_worker=30).capacity == 60
