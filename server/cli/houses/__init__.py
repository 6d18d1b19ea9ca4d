"""`cohabit houses`: generated houses and their tasks."""

from __future__ import annotations

from server.cli.lazy_commands import Later, command_group

COMMANDS = {
    "build": Later(
        "server.cli.houses.build:build",
        "Write the catalogue, houses and first tasks; skip what is current.",
    ),
    "list": Later(
        "server.cli.houses.list:list_houses",
        "List the houses, each with its split, its size and its rooms.",
    ),
    "check": Later(
        "server.cli.houses.check:check",
        "Check every house and the first tasks; exit with 1 if something is wrong.",
    ),
    "export": Later(
        "server.cli.houses.export:export",
        "Write the houses as a Habitat scene data set, and their tasks in PARTNR's format.",
    ),
    "show": Later(
        "server.cli.houses.show:show",
        "Draw the plan of a house, or a task in it: its start, goal and order of steps.",
    ),
    "compare": Later(
        "server.cli.houses.compare:compare",
        "Measure walkable area, ways, clutter, closed containers and starts by house and split.",
    ),
}
"""Commands in the order of the help."""

app = command_group(COMMANDS, "Generated houses and their tasks.")
