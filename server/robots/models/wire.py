"""One try of one call, over the `openai` package: what is sent, and what each failure means."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from server.robots.models.request import (
    Constraint,
    GarbageError,
    ModelAnswer,
    ModelError,
    ModelRequest,
    RefusedError,
    UnavailableError,
)

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI

CONNECT_S = 5.0
CHARS_PER_TOKEN = 64
"""No tokenizer's tokens are that long on average: more text than this is a stream gone wild."""
SHOWN_CHARS = 400
"""Of what a server sent, so much is quoted in an error."""


class Wire:
    """Sends requests as they are, once, and without a deadline of its own."""

    def __init__(self, url: str, api_key: str, clock: Callable[[], float]) -> None:
        self._url = url.rstrip("/")
        self._key = api_key
        self._clock = clock
        self._made: AsyncOpenAI | None = None

    async def models(self) -> list[str]:
        """Names, in the server's order; never empty. Raises ModelError."""
        with self._failures():
            page = await (await self._openai()).models.list()
            names = [model.id for model in page.data]
        if not names:
            raise GarbageError(f"expected at least one model from {self._url}, got none")
        return names

    async def complete(self, request: ModelRequest, model: str) -> ModelAnswer:
        """The answer, with the times and counts of this try. Raises ModelError."""
        most_chars = CHARS_PER_TOKEN * request.max_tokens
        sent = self._clock()
        first_token_s: float | None = None
        text: list[str] = []
        pieces = length = 0
        finish_reason = ""
        usage: Any = None
        with self._failures():
            async for piece in self._pieces(request, model):
                if piece.text and first_token_s is None:
                    first_token_s = self._clock() - sent
                pieces += 1
                text.append(piece.text)
                length += len(piece.text)
                if length > most_chars:
                    raise GarbageError(
                        f"expected at most {request.max_tokens} tokens from {self._url}, "
                        f"got {length} characters and no end"
                    )
                finish_reason = piece.finish_reason or finish_reason
                usage = piece.usage or usage
        if not pieces:
            raise GarbageError(f"expected a stream of events from {self._url}, got none")
        if not finish_reason:
            raise UnavailableError(f"{self._url} ended an answer in the middle", is_fault=True)
        counts = _Counts.read(usage, request.max_tokens, has_text=length > 0)
        return ModelAnswer(
            text="".join(text),
            finish_reason=finish_reason,
            model=model,
            prompt_tokens=counts.prompt,
            completion_tokens=counts.completion,
            cached_tokens=counts.cached,
            first_token_s=first_token_s,
        )

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()
            self._made = None

    async def _openai(self) -> AsyncOpenAI:
        if self._made is None:
            # The import takes a second and certificates are read: not on the event loop.
            made = await asyncio.to_thread(self._make)
            self._made = self._made or made
        return self._made

    def _make(self) -> AsyncOpenAI:
        # Imported at first use: a worker without robots is spared its memory.
        from openai import AsyncOpenAI, Timeout

        return AsyncOpenAI(
            base_url=self._url,
            api_key=self._key or "none",
            max_retries=0,
            timeout=Timeout(None, connect=CONNECT_S),
        )

    async def _pieces(self, request: ModelRequest, model: str) -> AsyncIterator[_Piece]:
        api = await self._openai()
        sent: dict[str, Any] = {
            "model": model,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.seed is not None:
            sent["seed"] = request.seed
        if request.stop:
            sent["stop"] = list(request.stop)
        if request.constraint is not None:
            sent["extra_body"] = {"structured_outputs": structured_outputs(request.constraint)}
        if isinstance(request.prompt, str):
            texts = await api.completions.create(prompt=request.prompt, **sent)
            async with texts:
                async for part in texts:
                    for choice in part.choices or ():
                        yield _Piece(choice.text or "", choice.finish_reason, None)
                    yield _Piece("", None, part.usage)
            return
        messages: Any = [message._asdict() for message in request.prompt]
        chunks = await api.chat.completions.create(messages=messages, **sent)
        async with chunks:
            async for chunk in chunks:
                for choice in chunk.choices or ():
                    yield _Piece(choice.delta.content or "", choice.finish_reason, None)
                yield _Piece("", None, chunk.usage)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """What the library raises, as ours. It has been imported by the time that it raises."""
        try:
            yield
        except ModelError:
            raise
        except Exception as error:
            raise self._as_ours(error) from error

    def _as_ours(self, error: Exception) -> Exception:
        import openai

        if isinstance(error, openai.APIStatusError):
            return self._refusal(error.status_code, error)
        if isinstance(error, openai.APIConnectionError):
            reason = error.__cause__ or error
            text = str(reason) or type(reason).__name__
            return UnavailableError(f"no connection to {self._url}: {text}", is_fault=True)
        if isinstance(error, openai.APIError):
            # An error that came in the middle of a stream, with the status in its body.
            status = error.body.get("code") if isinstance(error.body, Mapping) else None
            return self._refusal(status if isinstance(status, int) else 500, error)
        if isinstance(error, (ValueError, AttributeError, TypeError, KeyError)):
            return GarbageError(
                f"expected the OpenAI protocol from {self._url}, got what cannot be read: "
                f"{_shown(str(error))}"
            )
        return error

    def _refusal(self, status: int, error: APIError) -> UnavailableError | RefusedError:
        said = _shown(error.message)
        if status == 429:
            return UnavailableError(
                f"{self._url} has too many requests: {said}", retry_after_s=_retry_after_s(error)
            )
        if status >= 500:
            return UnavailableError(
                f"{self._url} failed ({status}): {said}",
                is_fault=True,
                retry_after_s=_retry_after_s(error),
            )
        return RefusedError(f"{self._url} refused the request ({status}): {said}")


def structured_outputs(constraint: Constraint) -> dict[str, Any]:
    """vLLM's request field. Its older ``guided_*`` fields are accepted and ignored."""
    value = constraint.value
    return {constraint.kind: list(value) if isinstance(value, tuple) else value}


class _Piece(NamedTuple):
    text: str
    finish_reason: str | None
    usage: Any


class _Counts(NamedTuple):
    """Tokens. What cannot be true is not believed: None."""

    prompt: int | None
    completion: int | None
    cached: int | None

    @classmethod
    def read(cls, usage: Any, max_tokens: int, *, has_text: bool) -> _Counts:
        prompt = _count(getattr(usage, "prompt_tokens", None), least=1)
        details = getattr(usage, "prompt_tokens_details", None)
        return cls(
            prompt,
            _count(getattr(usage, "completion_tokens", None), least=int(has_text), most=max_tokens),
            _count(getattr(details, "cached_tokens", None), most=prompt or 0),
        )


def _count(value: object, *, least: int = 0, most: float = float("inf")) -> int | None:
    return value if isinstance(value, int) and least <= value <= most else None


def _retry_after_s(error: APIError) -> float | None:
    response = getattr(error, "response", None)
    try:
        return max(0.0, float(response.headers["retry-after"])) if response is not None else None
    except (KeyError, ValueError):
        return None


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
