"""The cohabit command as a module: ``python -m server.cli``."""

from server.cli.main import main

main()
