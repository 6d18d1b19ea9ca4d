"""The cohabit command: one file for each of its commands."""
