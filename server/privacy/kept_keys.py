"""Classes of what lies in the folder of keys."""

from __future__ import annotations

from server.privacy import terms
from server.privacy.data_classes import Holding, Seen, holding

KEYS: tuple[Holding, ...] = (
    holding(
        "par_….key",
        "to seal and read the words of one participant; a random key, in a file with their id",
        terms.KEYS,
        Seen.NOBODY,
        pseudonymous="value",
    ),
    holding(
        "forgotten.jsonl",
        "list of the forgotten: a database or a folder that is restored forgets them, too",
        terms.FOR_GOOD,
        Seen.NOBODY,
        technical="at withdraws",
        pseudonymous="person",
    ),
    holding(
        "hiding.key",
        "to make the hashes by which ids at recruiters are known again; a random key",
        terms.FOR_GOOD,
        Seen.NOBODY,
        technical="value",
    ),
)
