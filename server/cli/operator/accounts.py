"""`cohabit operator add` and its like: who has an account, and what they may do."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.operator_accounts import Identity, Role
    from server.settings import Settings
    from server.store.operator_models import OperatorRow

Name = Annotated[str, typer.Argument(help="Name of the account.")]
RoleOption = Annotated[
    str,
    typer.Option(
        "--role",
        help="watch (see), run (act in what runs) or administer (accounts, outcomes, removal).",
    ),
]
FromStdin = Annotated[
    bool,
    typer.Option("--stdin", help="Read the password from standard input, without a question."),
]
EvenLast = Annotated[
    bool, typer.Option("--even-last", help="Do it to the last who may administer, too.")
]
Subject = Annotated[
    str,
    typer.Option("--oidc-subject", help="Value of `sub` for them at the OpenID Connect provider."),
]
Email = Annotated[
    str,
    typer.Option("--email", help="Email address there, where COHABIT_OIDC_CLAIM is email."),
]
_LONGEST_LINE = 4096


def add(
    name: Name,
    role: RoleOption,
    stdin: FromStdin = False,
    oidc_subject: Subject = "",
    email: Email = "",
) -> None:
    """Add an account with a role; the password is asked for.

    With --oidc-subject or --email it has none: its owner signs in with OpenID Connect. The first
    account has to administer. Once there is one, the token opens no pages to act in.
    """
    from server.operator_accounts import hash_password, read_name
    from server.store import operator_changes
    from server.store.operator_acts import COMMAND_LINE
    from server.wall_clock import utc_now

    settings, given = read_settings(), _role(role)
    known_as = _identity(settings, oidc_subject, email)
    if known_as is not None and stdin:
        raise StopError("an account that OpenID Connect knows has no password: leave out --stdin")
    try:
        account = read_name(name)
    except ValueError as error:
        raise StopError(str(error)) from error

    async def check(db: AsyncSession) -> None:
        await operator_changes.check_addition(db, account, given, known_as)

    async def work(db: AsyncSession) -> None:
        await operator_changes.add(db, COMMAND_LINE, account, given, kept, utc_now(), known_as)

    try:
        # Nobody types a password for nothing.
        in_database(settings, check, upgrades=True)
        kept = ""
        if known_as is None:
            kept = hash_password(_read_password(account, from_stdin=stdin))
        in_database(settings, work)
    except operator_changes.AccountError as error:
        raise StopError(
            f"{error}; `cohabit operator role` and `cohabit operator password` change one"
        ) from error
    echo(f"{account} has an account with the role {given.word}, and signs in at /operator.")
    _warn_of_nobody()


def remove(name: Name, even_last: EvenLast = False) -> None:
    """Remove an account; its browsers are signed out at once."""
    from server.store import operator_changes
    from server.store.operator_acts import COMMAND_LINE
    from server.store.operators import LastAdministratorError
    from server.wall_clock import utc_now

    async def work(db: AsyncSession) -> str:
        row = await _found(db, name)
        try:
            await operator_changes.remove(
                db, COMMAND_LINE, row.name, utc_now(), even_last=even_last
            )
        except LastAdministratorError as error:
            raise _is_last(error) from error
        return row.name

    echo(f"{in_database(read_settings(), work)} has no account any more.")
    _warn_of_nobody()


def list_accounts() -> None:
    """List the accounts with their roles, and how many browsers each is signed in with."""
    from server.operator_accounts import MAKE_ACCOUNT
    from server.store.operators import all_operators, count_sign_ins
    from server.wall_clock import utc_now

    async def work(db: AsyncSession) -> tuple[list[OperatorRow], dict[str, int]]:
        return await all_operators(db), await count_sign_ins(db, utc_now())

    rows, signed_in = in_database(read_settings(), work)
    for row in rows:
        count = signed_in.get(row.name, 0)
        secret = f"password of {row.password_at:%Y-%m-%d}" if row.password_hash else "no password"
        known_as = f", {row.oidc_claim} {row.oidc_value}" if row.oidc_value else ""
        echo(
            f"{row.name:<24} {row.role:<11} added {row.added_at:%Y-%m-%d}, {secret}{known_as}, "
            f"signed in with {count} browser{'' if count == 1 else 's'}"
        )
    if not rows:
        echo(f"nobody has an account: {MAKE_ACCOUNT}")


def role(
    name: Name,
    to: Annotated[str, typer.Argument(help="watch, run or administer.")],
    even_last: EvenLast = False,
) -> None:
    """Give an account another role, which holds at once, in open pages too."""
    from server.store import operator_changes
    from server.store.operator_acts import COMMAND_LINE
    from server.store.operators import LastAdministratorError
    from server.wall_clock import utc_now

    given = _role(to)

    async def work(db: AsyncSession) -> str:
        row = await _found(db, name)
        try:
            await operator_changes.change_role(
                db, COMMAND_LINE, row.name, given, utc_now(), even_last=even_last
            )
        except LastAdministratorError as error:
            raise _is_last(error) from error
        return row.name

    echo(f"{in_database(read_settings(), work)} has the role {given.word}.")
    _warn_of_nobody()


def password(name: Name, stdin: FromStdin = False) -> None:
    """Set another password, which is asked for; the account's browsers are signed out at once."""
    from server.operator_accounts import hash_password
    from server.store import operator_changes
    from server.store.operator_acts import COMMAND_LINE
    from server.wall_clock import utc_now

    settings = read_settings()

    async def look(db: AsyncSession) -> str:
        return (await _found(db, name)).name

    account = in_database(settings, look)
    kept = hash_password(_read_password(account, from_stdin=stdin))

    async def work(db: AsyncSession) -> None:
        row = await _found(db, account)
        await operator_changes.change_password(db, COMMAND_LINE, row.name, kept, utc_now())

    in_database(settings, work)
    echo(f"{account} has another password, and has to sign in again.")


def identity(
    name: Name,
    oidc_subject: Subject = "",
    email: Email = "",
    nobody: Annotated[
        bool, typer.Option("--none", help="OpenID Connect knows them as nobody any more.")
    ] = False,
) -> None:
    """Say as whom OpenID Connect knows somebody; the account's browsers are signed out at once."""
    from server.store import operator_changes
    from server.store.operator_acts import COMMAND_LINE
    from server.wall_clock import utc_now

    settings = read_settings()
    known_as = _identity(settings, oidc_subject, email)
    if (known_as is None) != nobody:
        raise StopError("say one of --oidc-subject, --email and --none")

    async def work(db: AsyncSession) -> str:
        row = await _found(db, name)
        await operator_changes.change_identity(db, COMMAND_LINE, row.name, known_as, utc_now())
        return row.name

    try:
        account = in_database(settings, work, upgrades=True)
    except operator_changes.AccountError as error:
        raise StopError(f"{error}; `cohabit operator list` names all") from error
    told = "nobody" if known_as is None else f"the {known_as.claim} {known_as.value}"
    echo(f"OpenID Connect knows {account} as {told}.")
    _warn_of_nobody()


def sign_out(name: Name) -> None:
    """Sign all browsers of an account out at once: one was lost, say."""
    from server.store import operator_changes
    from server.store.operator_acts import COMMAND_LINE
    from server.wall_clock import utc_now

    async def work(db: AsyncSession) -> tuple[str, int]:
        row = await _found(db, name)
        return row.name, await operator_changes.sign_out(db, COMMAND_LINE, row.name, utc_now())

    account, ended = in_database(read_settings(), work)
    echo(f"{ended} browser{'' if ended == 1 else 's'} of {account} signed out.")


def _role(word: str) -> Role:
    from server.operator_accounts import Role

    try:
        return Role.of(word.strip().lower())
    except ValueError as error:
        raise StopError(str(error)) from error


def _identity(settings: Settings, subject: str, email: str) -> Identity | None:
    """Return the identity that options name; None: none.

    Raises StopError for what can be none, and where nobody could sign in with it.
    """
    from server.operator_accounts import read_identity

    given = {claim: text for claim, text in (("sub", subject), ("email", email)) if text}
    if not given:
        return None
    if len(given) > 1:
        raise StopError("say one of --oidc-subject and --email: an account is known by one")
    if not settings.oidc_issuer:
        raise StopError(
            "set COHABIT_OIDC_ISSUER first: what identifies somebody is so at one provider only"
        )
    ((claim, text),) = given.items()
    if claim != settings.oidc_claim:
        raise StopError(
            f"COHABIT_OIDC_CLAIM is {settings.oidc_claim}: nobody would be known by their {claim}"
        )
    try:
        return read_identity(settings.oidc_issuer, claim, text)
    except ValueError as error:
        raise StopError(str(error)) from error


def _warn_of_nobody() -> None:
    """Print a warning where there are accounts, and none that may administer has a way in."""
    from server.store.operators import anybody_administers

    settings = read_settings()
    takes_passwords = settings.operator_passwords

    async def work(db: AsyncSession) -> bool:
        return await anybody_administers(
            db, settings.oidc_issuer, settings.oidc_claim, takes_passwords=takes_passwords
        )

    if in_database(settings, work):
        return
    ways = ["has a password"] if takes_passwords else []
    if settings.oidc_issuer:
        ways.append(f"is known to {settings.oidc_issuer} by its {settings.oidc_claim}")
    echo(
        f"warning: nobody can administer by the pages now: no account with that role "
        f"{' or '.join(ways)}. `cohabit operator list` shows what each has; `cohabit serve "
        "--operator-link` prints a way in without an account.",
        err=True,
    )


async def _found(db: AsyncSession, name: str) -> OperatorRow:
    """Return an account. Raises StopError: there is none of that name."""
    from server.operator_accounts import plain_name
    from server.store.operators import all_operators, operator_named

    row = await operator_named(db, plain_name(name))
    if row is None:
        known = ", ".join(other.name for other in await all_operators(db)) or "nobody"
        raise StopError(f"{name!r} has no account; who has one: {known}")
    return row


def _is_last(error: Exception) -> StopError:
    return StopError(
        f"{error}: give another account that role first (`cohabit operator role NAME administer`), "
        "or say --even-last"
    )


def _read_password(name: str, *, from_stdin: bool) -> str:
    """Read a password twice from the terminal without showing it, or once from standard input.

    Raises StopError for one that strangers guess, and where nobody can be asked.
    """
    from server.operator_accounts import check_password

    if from_stdin:
        given = sys.stdin.readline(_LONGEST_LINE).rstrip("\r\n")
    elif sys.stdin.isatty():
        given = typer.prompt(f"Password of {name}", hide_input=True, confirmation_prompt=True)
    else:
        raise StopError(
            "a password is asked for at a terminal, which this is not: give it by standard input, "
            "with --stdin"
        )
    try:
        check_password(given, name)
    except ValueError as error:
        raise StopError(f"this is no password to keep strangers out: {error}") from error
    return given
