from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

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
    ("made", "address"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"host": "localhost"}, "http://localhost:8000"),
        ({"host": "0.0.0.0"}, "http://127.0.0.1:8000"),
        ({"host": "::"}, "http://[::1]:8000"),
        ({"host": "192.168.1.7", "port": 80}, "http://192.168.1.7:80"),
        ({"host": "fd00::1"}, "http://[fd00::1]:8000"),
        ({"public_url": "https://h.org/"}, "https://h.org"),
        ({"public_url": "https://H.org.:8443"}, "https://h.org:8443"),
    ],
)
def test_the_address_to_open(made: dict[str, object], address: str) -> None:
    assert settings(**made).address == address


def test_capacity() -> None:
    assert settings(workers=2, sessions_per_worker=30).capacity == 60


@pytest.mark.parametrize(
    "address",
    ["https://", "https://user@h.org", "https://h..org", "https://bücher.example", "ftp://h.org"],
)
def test_a_public_address_that_browsers_do_not_send_is_refused(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("COHABIT_PUBLIC_URL", address)
    with pytest.raises(SettingsError, match="COHABIT_PUBLIC_URL: "):
        load_settings()


def test_a_malformed_host_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COHABIT_ALLOWED_HOSTS", "lab.example.org, http://lab")
    with pytest.raises(SettingsError, match="COHABIT_ALLOWED_HOSTS: 'http://lab' is no host"):
        load_settings()


def test_a_public_address_needs_a_password_of_operators() -> None:
    settings().require_operator_token()
    settings(
        public_url="https://h.org", metrics_token="a secret of operators"
    ).require_operator_token()
    for nothing in ("", "  "):
        with pytest.raises(SettingsError, match="openssl rand -hex 24"):
            settings(public_url="https://h.org", metrics_token=nothing).require_operator_token()


@pytest.mark.parametrize(
    "value", ["", "127.0.0.1", "::1, 10.0.0.0/8", "172.30.77.2,172.30.77.0/24", "fc00::/7"]
)
def test_proxies_are_addresses_and_networks(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COHABIT_PROXY_IPS", value)
    assert load_settings().proxy_ips == value


@pytest.mark.parametrize(
    "value",
    [
        "*",
        "127.0.0.1,*",
        "proxy",
        "172.30.77.256",
        "172.30.77.2/24",
        "0.0.0.0/0",
        "::/0",
        "1.0.0.0/7",
    ],
)
def test_nothing_else_is_a_proxy(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COHABIT_PROXY_IPS", value)
    with pytest.raises(SettingsError, match=r"COHABIT_PROXY_IPS: .* is no address of a proxy"):
        load_settings()


@pytest.mark.parametrize("name", ["address_forms", "address_newcomers", "participant_forms"])
def test_a_rate_of_nothing_is_refused(name: str) -> None:
    for rate in ("0/minute", "60/minute;0/hour"):
        with pytest.raises(ValidationError, match="expected at least 1"):
            settings(**{name: rate})


def test_a_token_that_can_be_guessed_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"expected at least 16 characters.*got 6: export"):
        settings(metrics_token="sesame")
    assert settings(metrics_token="x" * 16).metrics_token == "x" * 16
