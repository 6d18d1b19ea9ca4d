"""`cohabit codebook`: codebooks, how coders agree, and their notes as files of ELAN."""

from __future__ import annotations

from server.cli.lazy_commands import Later, command_group

COMMANDS = {
    "add": Later("server.cli.codebook.books:add", "Add a codebook from its file."),
    "list": Later("server.cli.codebook.books:list_books", "List the codebooks with their codes."),
    "remove": Later("server.cli.codebook.books:remove", "Remove a codebook that nobody has used."),
    "agreement": Later(
        "server.cli.codebook.agreement:agreement",
        "Print Cohen's kappa of each two coders, code by code.",
    ),
    "elan": Later(
        "server.cli.codebook.elan:elan", "Write the notes of an export as files of ELAN."
    ),
}
"""Commands in the order of the help."""

app = command_group(COMMANDS, "Codebooks of researchers, and what coders note with them.")
