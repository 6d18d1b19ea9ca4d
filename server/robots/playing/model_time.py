"""Time that a model's answers are charged with, from their tokens and not from the clock.

How long a call takes by the clock depends on what else the machine and the model server do: the
same trial, on a busy machine, would have slower robots. Tokens are the same wherever it is played.
"""

from __future__ import annotations

import msgspec

from server.recording.prompt_deduplication import shared_chars
from server.robots.models import Completes, ModelAnswer, ModelError, ModelRequest
from server.robots.models.call_record import prompt_text
from server.robots.models.request import DeadlineError

CHARS_PER_TOKEN = 4.0
"""Characters that a token has, for a server that does not count them."""


class TokenTime(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seconds that a call is charged with: a fixed part, reading what is new, and saying.

    The defaults are about those of an 8B model on one GPU of a data centre.
    """

    call_s: float = 0.2
    read_per_s: float = 4000.0
    """Prompt tokens a second, of what no prompt before of its purpose had begun with."""
    said_per_s: float = 50.0

    def of(self, new_tokens: float, said_tokens: float) -> float:
        """Return the seconds of a call."""
        return self.call_s + new_tokens / self.read_per_s + said_tokens / self.said_per_s


class TimedModel:
    """A model that adds up what its answers are charged with."""

    def __init__(self, model: Completes, time: TokenTime, deadline_s: float) -> None:
        """Take a model; a call that is not answered in time is charged with ``deadline_s``."""
        self._model, self._time, self._deadline_s = model, time, deadline_s
        self._before: dict[str, str] = {}
        self._owed_s = 0.0

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        """Ask the model. Raises ModelError, as it does."""
        prompt = prompt_text(request)
        # Servers keep the start of the prompt before.
        shared = shared_chars(self._before.get(request.purpose, ""), prompt)
        self._before[request.purpose] = prompt
        try:
            answer = await self._model.complete(request)
        except DeadlineError:
            self._owed_s += request.deadline_s or self._deadline_s
            raise
        except ModelError:
            self._owed_s += self._time.call_s
            raise
        tokens, said = answer.prompt_tokens, answer.completion_tokens
        asked = len(prompt) / CHARS_PER_TOKEN if tokens is None else tokens
        new = asked * (1 - shared / len(prompt)) if prompt else 0.0
        self._owed_s += self._time.of(
            new, len(answer.text) / CHARS_PER_TOKEN if said is None else said
        )
        return answer

    def take_s(self) -> float:
        """Return the seconds since the last time that this was asked."""
        owed, self._owed_s = self._owed_s, 0.0
        return owed
