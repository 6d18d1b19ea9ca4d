"""Pseudonyms of participants: the same in each export of a study, and in no other place."""

from __future__ import annotations

import hashlib
import hmac

from matchmaking.identifiers import make_code
from matchmaking.study_key import StudyKey


class Pseudonyms:
    """Maker of pseudonyms from the server's key, without which nobody can tell whose they are.

    Ids of the database tell when somebody came, and stand beside recruiters' ids in the files of
    payments: exports have neither. For another ``purpose`` they are others.
    """

    def __init__(self, secret_key: str, study: StudyKey, purpose: str = "exports") -> None:
        self._key = secret_key.encode()
        self._study = f"{purpose}/{study.name}/{study.version}/{study.mode}"

    def __call__(self, identifier: str) -> str:
        """Return the pseudonym of an id, with the same prefix."""
        prefix = identifier.partition("_")[0]
        text = f"{self._study}/{identifier}".encode()
        return f"{prefix}_{make_code(hmac.digest(self._key, text, hashlib.sha256))}"
