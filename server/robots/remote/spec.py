"""Names of remote policies: ``remote:NAME`` in teams, settings and trials."""

from __future__ import annotations

import re
import secrets

from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, RobotError, SeatSetup
from server.robots.remote.hop import Hop
from server.robots.remote.policy import RemotePolicy

PREFIX = "remote:"
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,22}[a-z0-9])?")


def is_remote(name: str) -> bool:
    """Tell whether a whole name is that of a policy elsewhere."""
    return name.startswith(PREFIX)


def remote_name(name: str) -> str:
    """Return what stands after ``remote:``.

    Raises RobotError for what cannot be a name: it stands in recordings and file names.
    """
    own = name.removeprefix(PREFIX)
    if _NAME.fullmatch(own) is None:
        raise RobotError(
            "expected remote:NAME with a name of 1 to 24 small letters, digits, - and _, "
            f"got {name!r}"
        )
    return own


def remote_spec(name: str) -> PolicySpec[None, RemotePolicy]:
    """Declare the policy of a whole name. Raises RobotError as `remote_name` does."""
    own = remote_name(name)

    def build(_: None, setup: SeatSetup) -> RemotePolicy:
        options = setup.options
        if options.remote_policies is None:
            raise RobotError(
                f"{name} needs somewhere to connect to: a server, or `cohabit trial --listen`"
            )
        game = setup.shared(lambda: secrets.token_hex(8))
        return RemotePolicy(Hop(options.remote_policies), own, game, setup.seat, options.seed)

    return PolicySpec(
        name=name,
        title=own,
        description="A program that is connected to this server decides.",
        build=build,
        presets={DEFAULT: Preset(settings=None)},
        needs_model=False,
        offered=False,
    )
