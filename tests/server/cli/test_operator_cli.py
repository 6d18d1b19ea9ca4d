"""`cohabit operator`: accounts from the command line, and the log."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from server.cli.main import app
from server.cli.stop import StopError
from server.operator_accounts import is_password
from server.store import Database
from server.store.operators import operator_named

PASSWORD = "the cat sleeps on the warm oven"


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COHABIT_DATA_DIR", str(tmp_path))
    return tmp_path


def run(*arguments: str, typed: str = "") -> Result:
    """Run `cohabit operator` with some arguments; ``typed`` is its standard input."""
    return CliRunner().invoke(app, ["operator", *arguments], input=typed)


def told(result: Result) -> str:
    """Return what a refused command says."""
    assert isinstance(result.exception, StopError), result.output
    return str(result.exception)


def add(name: str, role: str = "administer") -> None:
    result = run("add", name, "--role", role, "--stdin", typed=f"{PASSWORD}\n")
    assert result.exit_code == 0, result.output


def hash_of(data_dir: Path, name: str) -> str:
    async def look() -> str:
        database = Database(f"sqlite:///{data_dir / 'cohabit.db'}")
        try:
            async with database.transaction() as db:
                row = await operator_named(db, name)
                assert row is not None
                return row.password_hash
        finally:
            await database.close()

    return asyncio.run(look())


def test_accounts_are_added_listed_changed_and_removed(data_dir: Path) -> None:
    assert "the first account has to be one that may decide on others" in told(
        run("add", "ben", "--role", "watch", "--stdin", typed=f"{PASSWORD}\n")
    )
    assert "nobody has an account: cohabit operator add NAME" in run("list").output
    add("Anna")
    add("ben", "watch")
    assert "anna has an account already" in told(
        run("add", "anna", "--role", "run", "--stdin", typed=f"{PASSWORD}\n")
    )
    listed = run("list").output.splitlines()
    assert [line.split()[:2] for line in listed] == [["anna", "administer"], ["ben", "watch"]]
    assert run("role", "ben", "run").output == "ben has the role run.\n"
    before = hash_of(data_dir, "ben")
    result = run("password", "ben", "--stdin", typed="quite another password\n")
    assert result.exit_code == 0, result.output
    assert hash_of(data_dir, "ben") != before
    assert is_password(hash_of(data_dir, "ben"), "quite another password")
    assert run("sign-out", "ben").output == "0 browsers of ben signed out.\n"
    assert run("remove", "ben").output == "ben has no account any more.\n"
    log = run("log").output
    for line in (
        "add_operator  anna",
        "set_role  ben",
        "set_password  ben",
        "remove_operator  ben",
    ):
        assert f"command line  {line}  done" in log
    assert "(run, before: watch)" in log
    assert "set_role" not in run("log", "--act", "remove_operator").output
    assert "nothing of that kind" in run("log", "--who", "ben").output
    assert PASSWORD not in log


def test_the_last_administrator_is_removed_by_no_accident() -> None:
    add("anna")
    add("ben", "run")
    for act in (("remove", "anna"), ("role", "anna", "run")):
        assert "anna is the last who may administer: give another account that role" in told(
            run(*act)
        )
    assert run("role", "ben", "administer").exit_code == 0
    assert run("remove", "anna").exit_code == 0
    assert run("remove", "ben", "--even-last").exit_code == 0


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("short\n", "at least 12 characters, got 5"),
        ("\n", "at least 12 characters, got 0"),
        ("", "at least 12 characters, got 0"),
        ("aaaaaaaaaaaaaaaa\n", "different characters"),
        ("annakarenina1\n", "more than the name"),
        ("x" * 300 + "\n", "at most 256 characters"),
        (f" {PASSWORD}\n", "neither begins nor ends with white space"),
        (f"{PASSWORD}\t\n", "neither begins nor ends with white space"),
    ],
)
def test_a_password_that_strangers_guess_is_refused(typed: str, why: str) -> None:
    name = "annakarenina" if "karenina" in typed else "anna"
    assert why in told(run("add", name, "--role", "administer", "--stdin", typed=typed))
    assert "nobody has an account" in run("list").output


def test_a_password_is_given_by_no_argument_and_asked_for_at_a_terminal_only() -> None:
    assert "give it by standard input, with --stdin" in told(
        run("add", "anna", "--role", "administer", typed=f"{PASSWORD}\n{PASSWORD}\n")
    )
    for command in ("add", "password"):
        options = run(command, "--help").output
        assert "--password" not in options
        assert "--stdin" in options


@pytest.mark.parametrize("name", ["", "-x", "anna berg", "token", "a" * 65, "é"])
def test_names_that_can_be_none_are_refused(name: str) -> None:
    result = run("add", "--role", "administer", "--stdin", "--", name, typed=f"{PASSWORD}\n")
    assert "name" in told(result)


def test_what_is_unknown_is_told_with_what_is_known() -> None:
    add("anna")
    assert "expected a role (watch, run, administer), got 'root'" in told(
        run("role", "anna", "root")
    )
    for act in (("remove", "ben"), ("role", "ben", "run"), ("sign-out", "ben")):
        assert "'ben' has no account; who has one: anna" in told(run(*act))


def knows(monkeypatch: pytest.MonkeyPatch, **changes: str) -> None:
    """Set a provider of OpenID Connect."""
    values = {
        "COHABIT_PUBLIC_URL": "https://homes.example.org",
        "COHABIT_OIDC_ISSUER": "https://login.example.edu/staff",
        "COHABIT_OIDC_CLIENT_ID": "cohabit",
        "COHABIT_OIDC_CLIENT_SECRET": "made there",
        **changes,
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)


def test_an_account_may_be_known_by_openid_connect_and_have_no_password(
    monkeypatch: pytest.MonkeyPatch, data_dir: Path
) -> None:
    administers = ("--role", "administer")
    assert "set COHABIT_OIDC_ISSUER first" in told(
        run("add", "anna", *administers, "--oidc-subject", "a1")
    )
    knows(monkeypatch)
    result = run("add", "anna", *administers, "--oidc-subject", "a1")
    assert result.exit_code == 0, result.output
    assert hash_of(data_dir, "anna") == ""
    assert not is_password(hash_of(data_dir, "anna"), "")
    assert "no password, sub a1, signed in with 0 browsers" in run("list").output
    add("ben")
    for arguments, why in (
        (("add", "eve", *administers, "--oidc-subject", "a1"), "the identity of anna already"),
        (("add", "eve", *administers, "--oidc-subject", "a1", "--email", "a@b"), "say one of"),
        (("add", "eve", *administers, "--email", "a@b"), "COHABIT_OIDC_CLAIM is sub"),
        (("add", "eve", *administers, "--oidc-subject", " a"), "without space around"),
        (("add", "eve", *administers, "--oidc-subject", "a" * 256), "of up to 255"),
        (("add", "eve", *administers, "--oidc-subject", "e", "--stdin"), "leave out --stdin"),
        (("identity", "ben", "--oidc-subject", "a1"), "the identity of anna already"),
        (("identity", "ben"), "say one of --oidc-subject, --email and --none"),
        (("identity", "ben", "--none", "--oidc-subject", "b"), "say one of"),
        (("identity", "anna", "--none"), "has no password, and could not sign in"),
        (("identity", "eve", "--oidc-subject", "e"), "'eve' has no account"),
    ):
        assert why in told(run(*arguments)), arguments
    assert run("identity", "ben", "--oidc-subject", "b2").output == (
        "OpenID Connect knows ben as the sub b2.\n"
    )
    assert "sub b2" in run("list").output
    assert run("identity", "ben", "--none").output == "OpenID Connect knows ben as nobody.\n"
    result = run("password", "anna", "--stdin", typed=f"{PASSWORD}\n")
    assert result.exit_code == 0, result.output
    assert run("identity", "anna", "--none").exit_code == 0
    log = run("log").output
    assert "set_identity  ben  done  (sub)" in log
    assert "b2" not in log


def test_a_change_after_which_nobody_can_administer_is_warned_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add("anna")
    add("ben")
    assert "warning" not in run("remove", "ben").output
    knows(monkeypatch, COHABIT_OPERATOR_PASSWORDS="false")
    add("ben", "watch")
    warning = (
        "warning: nobody can administer by the pages now: no account with that role is known to "
        "https://login.example.edu/staff by its sub."
    )
    assert warning in run("role", "ben", "run").output
    assert "warning" not in run("identity", "anna", "--oidc-subject", "a1").output
    assert "warning" not in run("role", "ben", "watch").output
    assert warning in run("identity", "anna", "--none").output
    monkeypatch.setenv("COHABIT_OPERATOR_PASSWORDS", "true")
    assert "warning" not in run("role", "ben", "run").output
    assert run("remove", "ben").exit_code == 0
    result = run("remove", "anna", "--even-last")
    assert "warning" not in result.output, "the first to come may add an account again"


def test_an_email_is_one_in_small_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    knows(monkeypatch, COHABIT_OIDC_CLAIM="email")
    assert "expected an address" in told(
        run("add", "anna", "--role", "administer", "--email", "anna")
    )
    result = run("add", "anna", "--role", "administer", "--email", "Anna@Example.edu")
    assert result.exit_code == 0, result.output
    assert "email anna@example.edu" in run("list").output
