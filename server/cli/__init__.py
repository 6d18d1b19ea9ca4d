"""Command line of cohabit: a file for each command, a folder for each group of commands."""
