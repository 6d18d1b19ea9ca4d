"""`cohabit robots token`: let a program elsewhere play as ``remote:NAME``."""

from __future__ import annotations

from typing import Annotated

import typer

from server.cli.terminal import echo, error_console, failed
from server.robots.policy_spec import RobotError
from server.robots.remote.spec import PREFIX, remote_name
from server.settings import load_settings
from server.settings_error import SettingsError
from server.web.secret_key import secret_key
from server.web.tokens import POLICY_TOKEN_AGE_DAYS, Tokens


def token(
    name: Annotated[str, typer.Argument(help="Name by which teams call it: remote:NAME.")],
) -> None:
    """Print a token with which a program elsewhere plays as remote:NAME.

    It is signed with the key of the data directory, and good for 30 days at its servers and trials.
    Whoever has it can play as this policy.
    """
    try:
        settings = load_settings()
        own = remote_name(PREFIX + name.removeprefix(PREFIX))
        made = Tokens(secret_key(settings.data_dir)).sign_policy(own)
    except (SettingsError, RobotError) as error:
        raise failed(error) from error
    echo(made)
    error_console().print(
        f"good for {POLICY_TOKEN_AGE_DAYS} days, as {PREFIX}{own}, at /ws/policy of the server or "
        "at cohabit trial --listen",
        highlight=False,
    )
