"""`cohabit operator`: accounts of those who run the site, and the log of what they did."""

from __future__ import annotations

from server.cli.lazy_commands import Later, command_group

COMMANDS = {
    "add": Later("server.cli.operator.accounts:add", "Add an account with a role and a password."),
    "remove": Later(
        "server.cli.operator.accounts:remove", "Remove an account; its browsers are signed out."
    ),
    "list": Later("server.cli.operator.accounts:list_accounts", "List the accounts."),
    "role": Later("server.cli.operator.accounts:role", "Give an account another role."),
    "password": Later(
        "server.cli.operator.accounts:password",
        "Set another password; the account's browsers are signed out.",
    ),
    "identity": Later(
        "server.cli.operator.accounts:identity",
        "Say as whom OpenID Connect knows somebody; the account's browsers are signed out.",
    ),
    "sign-out": Later(
        "server.cli.operator.accounts:sign_out", "Sign all browsers of an account out."
    ),
    "log": Later("server.cli.operator.log:log", "Print what operators did."),
}
"""Commands in the order of the help."""

app = command_group(COMMANDS, "Accounts of operators, and the log of what they did.")
