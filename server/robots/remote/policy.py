"""A seat's policy that asks one elsewhere."""

from __future__ import annotations

import hashlib
import time

import msgspec

from server.robots.models.request import AbandonedError, ModelError
from server.robots.policy import Decision, Do, Policy, PolicyView, SayLine
from server.robots.remote.hop import Hop
from server.robots.remote.messages import decision_of
from server.robots.remote.views import as_json
from server.sessions.policy_records import CallRecord

PURPOSE = "decide"


class RemotePolicy(Policy):
    """The policy ``remote:NAME`` in one seat of one episode."""

    # A program that answers at once fills no log with what comes to nothing.
    pace_s = 0.5

    def __init__(self, hop: Hop, name: str, game: str, seat: str, seed: int) -> None:
        self._hop, self._name, self._game, self._seat, self._seed = hop, name, game, seat, seed
        self._calls: list[CallRecord] = []

    async def decide(self, view: PolicyView) -> Decision:
        """Ask; what goes wrong is a failed decision, as with a model that does not answer.

        Raises ModelError.
        """
        shown = as_json(view)
        began = time.monotonic()
        told = parsed = ""
        problem: Exception | None = AbandonedError("nobody waits for it any more")
        try:
            answer = await self._hop.ask(self._name, self._game, self._seat, self._seed, shown)
            told = msgspec.json.encode(answer).decode()
            decision = decision_of(answer)
            parsed, problem = _in_words(decision), None
        except ModelError as error:
            problem = error
            raise
        finally:
            self._note(shown, told, parsed, problem, time.monotonic() - began)
        return decision

    def take_calls(self) -> list[CallRecord]:
        """Return the questions since the last time, for the log."""
        calls, self._calls = self._calls, []
        return calls

    def over(self) -> None:
        """Tell the program that it plays this episode no more."""
        self._hop.over(self._name, self._game, self._seat)

    def _note(
        self, shown: bytes, told: str, parsed: str, problem: Exception | None, latency_s: float
    ) -> None:
        self._calls.append(
            CallRecord(
                purpose=PURPOSE,
                model=f"remote:{self._name}",
                prompt=shown.decode(),
                prompt_sha256=hashlib.sha256(shown).hexdigest(),
                completion=told,
                parameters={},
                seed=self._seed,
                latency_s=latency_s,
                parsed=parsed,
                error="" if problem is None else f"{type(problem).__name__}: {problem}",
            )
        )


def _in_words(decision: Decision) -> str:
    return decision.text if isinstance(decision, Do | SayLine) else str(decision)
