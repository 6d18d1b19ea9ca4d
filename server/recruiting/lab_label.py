"""Labels of a laboratory: each link names a label, and its signature shows that we made it."""

from __future__ import annotations

import hashlib
import hmac

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from server.recruiting.recruiter import Fault, LinkError, Parameters, Recruiter, Way

HASH_LENGTH = 40
"""Hexadecimal digits of a signature: 160 bits."""


class LabLabel(Recruiter):
    kind = "lab"
    id_parameter = "participant_label"
    proof = ("participant_label", "hash")
    title = "the laboratory"

    def external_id(self, study: Study, parameters: Parameters) -> str | None:
        label = super().external_id(study, parameters)
        assert label is not None
        given = {name.lower(): value for name, value in parameters.items()}.get("hash", "")
        if not hmac.compare_digest(given.encode(), self.sign(study, label).encode()):
            raise LinkError(Fault.FORGED, "hash")
        return label

    def sign(self, study: Study, label: str) -> str:
        """Return the ``hash`` that belongs to a label in a study's link."""
        text = f"cohabit.label.1\n{study.name}\n{label}".encode()
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()[:HASH_LENGTH]

    def way_back(self, study: Study, ending: Ending, parameters: Parameters) -> Way | None:
        return None
