"""The model calls of a recorded episode, as they were made."""

from __future__ import annotations

from server.recording.log_records import ModelCalled
from server.recording.prompt_deduplication import restored
from server.recording.recordings import Recording
from server.sessions.policy_records import CallRecord


def model_calls_of(recording: Recording, seat: str = "", purpose: str = "") -> list[CallRecord]:
    """Return the model calls in the order in which their answers counted, with whole prompts.

    Only those of a seat and for a purpose where these are given.
    """
    calls = (line.call for line in recording.decoded() if isinstance(line, ModelCalled))
    return [
        call
        for call in restored(calls)
        if seat in ("", call.seat) and purpose in ("", call.purpose)
    ]
