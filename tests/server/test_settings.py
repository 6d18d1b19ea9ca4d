from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from server.settings import Settings, load_settings
from server.settings_error import SettingsError


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


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("COHABIT_PROT=8000", "unknown setting COHABIT_PROT; known are .*COHABIT_PORT"),
        ("export COHABIT_PROT=8000", "unknown setting COHABIT_PROT; "),
        ("cohabit_prot=8000", "unknown setting cohabit_prot; "),
        ("COHABITPORT=8000", "unknown setting COHABITPORT; "),
        ("COHABIT_MEMBER", "COHABIT_MEMBER has no value: write COHABIT_MEMBER=value"),
        ('"COHABIT_DRAIN_S=5', 'unknown setting "COHABIT_DRAIN_S; '),
        ("COHABIT DRAIN_S=5", "this cannot be read: write NAME=value"),
        ("COHABIT_DRAIN_S: 5", "this cannot be read: write NAME=value"),
        ('COHABIT_MEMBER="a', "this cannot be read: .* close every quote"),
        ('SOMETHING="a', "this cannot be read: .* close every quote"),
        ("COHABIT_HABITAT_PYTHON=/bin/python", "unknown setting COHABIT_HABITAT_PYTHON; "),
    ],
)
def test_a_wrong_line_of_the_file_is_named(tmp_path: Path, line: str, why: str) -> None:
    file = tmp_path / ".env"
    file.write_text(f"# ours\nCOHABIT_PORT=9000\n\n\n{line}\nCOHABIT_WORKERS=2\n")
    with pytest.raises(SettingsError, match=f"^{re.escape(str(file))}, line 5: {why}"):
        load_settings()


def test_every_wrong_line_is_named_and_no_value(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("COHABIT_METRIC_TOKEN=a secret\nCOHABIT_MEMBER\n")
    with pytest.raises(SettingsError, match=r"line 1.*\n.*line 2") as failure:
        load_settings()
    assert "a secret" not in str(failure.value)


def test_values_come_from_the_file_and_names_of_others_are_theirs(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(
        b"\xef\xbb\xbfCOHABIT_PORT=9000\r\n# COHABIT_PROT=1\r\ncohabit_member='two'\r\n"
        b'export COHABIT_ROBOTS="expert\nhelper"\r\nSITE_DOMAIN=h.org\r\nDEBUG\r\n'
        b"COHABIT_MODEL_NAME=caf\xc3\xa9 # comment\r\nCOHABIT_MODEL_KEY=\r\n"
    )
    loaded = load_settings()
    assert (loaded.port, loaded.member, loaded.robots) == (9000, "two", "expert\nhelper")
    assert (loaded.model_name, loaded.model_key) == ("caf\xe9", "")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_in_another_encoding_is_named(tmp_path: Path, encoding: str) -> None:
    (tmp_path / ".env").write_bytes("COHABIT_PORT=9000\n# caf\xe9\n".encode(encoding))
    line = {"latin-1": 2, "utf-16": 1}[encoding]
    with pytest.raises(SettingsError, match=rf"\.env, line {line}: this is not UTF-8"):
        load_settings()


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("COHABIT_PORT=9000\n")

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(SettingsError, match=r"\.env cannot be read \(Permission denied\)"):
        load_settings()


def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COHABIT_PORT", "many")
    monkeypatch.setenv("COHABIT_PUBLIC_URL", "homes.example.org")
    with pytest.raises(SettingsError) as failure:
        load_settings()
    assert "COHABIT_PORT: " in str(failure.value)
    assert "COHABIT_PUBLIC_URL: expected an address such as" in str(failure.value)


@pytest.mark.parametrize(
    "url",
    [
        "sqlite+aiosqlite:///:memory:",
        "sqlite://",
        "sqlite:///file:/lab/cohabit.db?uri=true",
        "sqlite+aiosqlite:///file:cohabit.db?mode=memory&uri=true",
    ],
)
def test_a_database_is_a_file_that_can_be_locked(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("COHABIT_DATABASE_URL", url)
    with pytest.raises(SettingsError, match="COHABIT_DATABASE_URL: expected the path of a file"):
        load_settings()


def test_no_folder_is_not_this_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COHABIT_DATA_DIR", "")
    with pytest.raises(SettingsError, match="COHABIT_DATA_DIR: expected a folder, got nothing"):
        load_settings()


@pytest.mark.parametrize(
    "reached_by",
    [
        {"public_url": "https://homes.example.org"},
        {"allowed_hosts": "homes.example.org"},
        {"proxy_ips": "10.0.0.1"},
        {"host": "0.0.0.0"},
        {"host": "192.0.2.7"},
    ],
)
def test_a_fast_clock_is_refused_where_others_come(reached_by: dict[str, str]) -> None:
    assert settings(clock_rate=1, **reached_by)
    with pytest.raises(ValidationError, match="COHABIT_CLOCK_RATE is for tests on this machine"):
        settings(clock_rate=20, clock_since=1_795_593_600, **reached_by)


def test_a_fast_clock_needs_its_beginning() -> None:
    assert settings(clock_rate=20, clock_since=1_795_593_600).clock_rate == 20
    with pytest.raises(ValidationError, match="COHABIT_CLOCK_RATE needs COHABIT_CLOCK_SINCE"):
        settings(clock_rate=20)


NUMBERS = [n for n, field in Settings.model_fields.items() if field.annotation is float]


@pytest.mark.parametrize("value", ["inf", "nan", "1e999"])
@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_without_end_is_no_setting(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"COHABIT_{name.upper()}", value)
    with pytest.raises(SettingsError, match=f"COHABIT_{name.upper()}"):
        load_settings()


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
    settings().require_operators(has_accounts=False)
    settings(public_url="https://h.org", metrics_token="a secret of operators").require_operators(
        has_accounts=False
    )
    settings(public_url="https://h.org").require_operators(has_accounts=True)
    for nothing in ("", "  "):
        with pytest.raises(SettingsError, match="openssl rand -hex 24"):
            settings(public_url="https://h.org", metrics_token=nothing).require_operators(
                has_accounts=False
            )


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
    with pytest.raises(ValidationError, match=r"at least 8 different characters.*got 1"):
        settings(metrics_token="x" * 16)
    for carried_changed in ("01234567\n01234567", "01234567\t01234567", "0123456789abcdéf"):
        with pytest.raises(ValidationError, match="printable ASCII characters in one line"):
            settings(metrics_token=carried_changed)
    assert settings(metrics_token="01234567" * 2).metrics_token == "01234567" * 2


def test_fewer_connections_than_a_server_can_do_with_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"at least 8, or 0 .*got 1"):
        settings(connections=1)
    assert settings(connections=8).wanted_connections == 8
    assert settings(connections=0).wanted_connections > 1000


@pytest.mark.parametrize("url", ["ftp://host/v1", "host:8100/v1", "http://"])
def test_the_address_of_a_model_is_one_of_the_web(url: str) -> None:
    with pytest.raises(ValidationError, match="expected an address such as http://host:8100/v1"):
        settings(model_url=url)


PROVIDER = {
    "public_url": "https://homes.example.org",
    "oidc_issuer": "https://login.example.edu/realms/staff",
    "oidc_client_id": "cohabit",
    "oidc_client_secret": "made there",
}


def test_a_provider_of_sign_ins_is_named_whole() -> None:
    given = settings(**PROVIDER)
    assert (given.oidc_issuer, given.oidc_claim) == (PROVIDER["oidc_issuer"], "sub")
    assert "made there" not in repr(given)
    for missing in ("oidc_issuer", "oidc_client_id", "oidc_client_secret"):
        with pytest.raises(ValidationError, match="belong together"):
            settings(**{**PROVIDER, missing: ""})
    with pytest.raises(ValidationError, match="COHABIT_OIDC_ISSUER needs COHABIT_PUBLIC_URL"):
        settings(**{**PROVIDER, "public_url": ""})
    with pytest.raises(ValidationError, match="nobody could sign in"):
        settings(operator_passwords=False)
    assert not settings(**PROVIDER, operator_passwords=False).operator_passwords


@pytest.mark.parametrize(
    "issuer",
    [
        "http://login.example.edu/staff",
        "http://198.51.100.1/staff",
        "http://localhost.example.edu/staff",
        "login.example.edu",
        "https://",
        "https://anna:secret@login.example.edu",
        "https://login.example.edu/staff?x=1",
        "https://login.example.edu/staff#x",
        "https://login.example.edu/st aff",
        "https://login.example.edu/st\naff",
        "https://[::1/staff",
        "javascript:alert(1)",
    ],
)
def test_secrets_of_sign_ins_go_to_https_only(issuer: str) -> None:
    with pytest.raises(ValidationError, match="oidc_issuer"):
        settings(**{**PROVIDER, "oidc_issuer": issuer})


@pytest.mark.parametrize(
    "issuer", ["http://127.0.0.1:9000/realm", "http://[::1]:9000", "http://localhost"]
)
def test_a_provider_on_this_machine_may_be_plain(issuer: str) -> None:
    assert settings(**{**PROVIDER, "oidc_issuer": issuer}).oidc_issuer == issuer
