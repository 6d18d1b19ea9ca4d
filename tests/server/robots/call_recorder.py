"""Records that scripted policies of tests keep of their decisions, as policies of models do."""

from __future__ import annotations

from server.robots.policy import Policy
from server.sessions.policy_records import CallRecord


class CallRecorder(Policy):
    """Policy that keeps a call for each decision until somebody takes them."""

    def __init__(self) -> None:
        self.calls: list[CallRecord] = []

    def note(self, answer: object) -> None:
        self.calls.append(
            CallRecord(
                purpose="act", model="none", prompt="", prompt_sha256="", completion=str(answer),
                parameters={},
            )
        )  # fmt: skip

    def take_calls(self) -> list[CallRecord]:
        taken, self.calls = self.calls, []
        return taken
