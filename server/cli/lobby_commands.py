"""`cohabit lobby`: what a lobby would do."""

from __future__ import annotations

from server.cli.lazy_commands import Later, command_group

COMMANDS = {
    "simulate": Later(
        "server.cli.lobby_simulation:simulate_lobby",
        "Play invented arrivals against a study: waits, groups, conditions, cost.",
    ),
}
"""Commands in the order of the help."""

app = command_group(COMMANDS, "Lobbies of studies, before anybody comes.")
