"""A try of a call: what is sent to an OpenAI-compatible server, and what each failure means.

The protocol is spoken directly: with the `openai` package an answer of 52 tokens costs the event
loop 20 ms, most of it for making objects of each, and so 2.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from server.robots.models.request import (
    TOO_LONG,
    ContextLengthError,
    GarbageError,
    ModelAnswer,
    ModelRequest,
    RefusedError,
    UnavailableError,
)

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

CONNECT_S = 5.0
KEEP_S = 4.0
"""Seconds for which an unused connection is kept: vLLM closes its end after 5."""
CHARS_PER_TOKEN = 64
"""The most characters of an answer for each token that it may have.

No tokenizer's tokens are that long on average: more text than this is a stream gone wild.
"""
_TOO_LONG = re.compile(
    r"context.length|context_length_exceeded|maximum model length|max_model_len", re.IGNORECASE
)
"""Words by which servers (vLLM's versions, OpenAI) refuse a prompt that is too long."""
MOST_LINE_BYTES = 1 << 20
MOST_BODY_BYTES = 32 << 20
"""Most bytes of an answer that is one document: vectors of a hundred texts have some 10 MB."""
_PART_BYTES = 1 << 16
SHOWN_CHARS = 400
"""The most characters of what a server sent that are quoted in an error."""
_OK = 200


class _Delta(msgspec.Struct):
    role: str | None = None
    content: str | None = None


class _Choice(msgspec.Struct):
    delta: _Delta | None = None
    text: str | None = None
    finish_reason: str | None = None

    @property
    def piece(self) -> str:
        return self.text or (self.delta.content if self.delta else "") or ""

    @property
    def has_token(self) -> bool:
        """Whether a token has come, also one that is no character yet: an empty piece.

        The event that only opens an answer, with its role, is no token.
        """
        if self.piece or self.finish_reason:
            return bool(self.piece)
        if self.delta is None:
            return self.text is not None
        return self.delta.content is not None and self.delta.role is None


class _Details(msgspec.Struct):
    cached_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None


class _Fault(msgspec.Struct):
    message: str = ""
    code: int | str | None = None


class _Chunk(msgspec.Struct):
    """An event of a stream."""

    choices: tuple[_Choice, ...] = ()
    usage: _Usage | None = None
    error: _Fault | None = None


class ModelCard(msgspec.Struct, frozen=True):
    """A model as a server lists it; what it was loaded from and its context length if it tells."""

    id: str
    owned_by: str = ""
    root: str | None = None
    max_model_len: int | None = None


class _Models(msgspec.Struct):
    data: tuple[ModelCard, ...]


class _Vector(msgspec.Struct):
    index: int
    embedding: tuple[float, ...]


class _Vectors(msgspec.Struct):
    data: tuple[_Vector, ...]


class _Refusal(msgspec.Struct):
    """The body of an error, as most servers write it and as some do."""

    error: _Fault | str | None = None
    message: str = ""


_read_chunk = msgspec.json.Decoder(_Chunk).decode
_read_models = msgspec.json.Decoder(_Models).decode
_read_vectors = msgspec.json.Decoder(_Vectors).decode
_read_refusal = msgspec.json.Decoder(_Refusal).decode
_write = msgspec.json.Encoder().encode


class Wire:
    """The connection to a server: sends requests as they are, once, without a deadline."""

    def __init__(self, url: str, api_key: str, clock: Callable[[], float]) -> None:
        self._url = url.rstrip("/")
        self._key = api_key
        self._clock = clock
        self._session: ClientSession | None = None

    async def models(self) -> list[str]:
        """List the models' names, in the server's order; never empty. Raises ModelError."""
        names = [card.id for card in await self.cards()]
        if not names:
            raise GarbageError(f"expected at least one model from {self._url}, got none")
        return names

    async def cards(self) -> tuple[ModelCard, ...]:
        """List all that the server says of its models and that stays. Raises ModelError."""
        async with self._asked("GET", "models") as response:
            return _read_models(await _whole(response)).data

    async def beside(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Ask for a document that stands beside the protocol, as ``version`` of vLLM's does.

        Returns None where the server has none such. Raises UnavailableError.
        """
        method = "GET" if body is None else "POST"
        try:
            async with self._asked(method, f"../{path}", body) as response:
                return msgspec.json.decode(await _whole(response))
        except (RefusedError, GarbageError):
            return None

    async def embed(self, texts: Sequence[str], model: str) -> list[tuple[float, ...]]:
        """Ask for a vector for each text, in their order. Raises ModelError."""
        body = {"model": model, "input": list(texts)}
        async with self._asked("POST", "embeddings", body) as response:
            found = {v.index: v.embedding for v in _read_vectors(await _whole(response)).data}
        if sorted(found) != list(range(len(texts))):
            raise GarbageError(
                f"expected {len(texts)} vectors from {self._url}, got those of {sorted(found)}"
            )
        return [found[n] for n in range(len(texts))]

    async def complete(self, request: ModelRequest, model: str) -> ModelAnswer:
        """Ask for an answer, with the times and counts of this try. Raises ModelError."""
        most_chars = CHARS_PER_TOKEN * request.max_tokens
        path = "completions" if isinstance(request.prompt, str) else "chat/completions"
        sent = self._clock()
        first_token_s: float | None = None
        text: list[str] = []
        events = length = 0
        finish_reason = ""
        usage = None
        async with self._asked("POST", path, body_of(request, model)) as response:
            async for line in _data(response):
                chunk = _read_chunk(line)
                events += 1
                if chunk.error is not None:
                    # In the middle of a stream; the status is in its body.
                    code = chunk.error.code
                    raise self._refusal(code if isinstance(code, int) else 500, chunk.error.message)
                usage = chunk.usage or usage
                for choice in chunk.choices:
                    finish_reason = choice.finish_reason or finish_reason
                    if first_token_s is None and choice.has_token:
                        first_token_s = self._clock() - sent
                    text.append(choice.piece)
                    length += len(choice.piece)
                if length > most_chars:
                    raise GarbageError(
                        f"expected at most {request.max_tokens} tokens from {self._url}, "
                        f"got {length} characters and no end"
                    )
        if not events:
            raise GarbageError(f"expected a stream of events from {self._url}, got none")
        if not finish_reason:
            raise UnavailableError(f"{self._url} ended an answer in the middle", is_fault=True)
        counts = _Counts.read(usage or _Usage(), request.max_tokens, has_text=length > 0)
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
        if self._session is not None:
            await self._session.close()
            self._session = None

    @asynccontextmanager
    async def _asked(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> AsyncIterator[ClientResponse]:
        """Open the response, if it is good. What goes wrong then and inside is a ModelError."""
        session = await self._opened()
        import aiohttp

        try:
            async with session.request(
                method,
                f"{self._url}/{path}",
                data=None if body is None else _write(body),
                allow_redirects=False,
            ) as response:
                if response.status != _OK:
                    said = _said(await response.content.read(MOST_LINE_BYTES))
                    raise self._refusal(response.status, said, _retry_after_s(response))
                yield response
        except aiohttp.ClientPayloadError as error:
            text = f"{self._url} ended an answer in the middle"
            raise UnavailableError(text, is_fault=True) from error
        except aiohttp.InvalidURL as error:
            raise RefusedError(f"{self._url} is no address of a server") from error
        except aiohttp.ClientError as error:
            text = f"no connection to {self._url}: {error or type(error).__name__}"
            raise UnavailableError(text, is_fault=True) from error
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise GarbageError(
                f"expected the OpenAI protocol from {self._url}, got what cannot be read: {error}"
            ) from error

    async def _opened(self) -> ClientSession:
        if self._session is None:
            # At first use, and beside the event loop: it takes a good part of a second.
            await asyncio.to_thread(__import__, "aiohttp")
            from aiohttp import ClientSession, ClientTimeout, TCPConnector

            headers = {"Content-Type": "application/json"}
            if self._key:
                headers["Authorization"] = f"Bearer {self._key}"
            self._session = self._session or ClientSession(
                connector=TCPConnector(limit=0, keepalive_timeout=KEEP_S),
                timeout=ClientTimeout(total=None, sock_connect=CONNECT_S),
                headers=headers,
            )
        return self._session

    def _refusal(
        self, status: int, said: str, retry_after_s: float | None = None
    ) -> UnavailableError | RefusedError:
        said = said if len(said) <= SHOWN_CHARS else f"{said[:SHOWN_CHARS]}…"
        if status == 429:
            text = f"{self._url} has too many requests: {said}"
            return UnavailableError(text, retry_after_s=retry_after_s)
        if status >= 500:
            text = f"{self._url} failed ({status}): {said}"
            return UnavailableError(text, is_fault=True, retry_after_s=retry_after_s)
        if _TOO_LONG.search(said):
            return ContextLengthError(f"{TOO_LONG} ({status}): {said}", status)
        return RefusedError(f"{self._url} refused the request ({status}): {said}", status)


def body_of(request: ModelRequest, model: str) -> dict[str, Any]:
    """Build what is posted.

    Structured outputs are vLLM's request field; its older ``guided_*`` fields are accepted and
    ignored.
    """
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if isinstance(request.prompt, str):
        body["prompt"] = request.prompt
    else:
        body["messages"] = [message._asdict() for message in request.prompt]
    if request.seed is not None:
        body["seed"] = request.seed
    if request.stop:
        body["stop"] = request.stop
    if request.constraint is not None:
        body["structured_outputs"] = {request.constraint.kind: request.constraint.value}
    return body


async def _whole(response: ClientResponse) -> bytes:
    """Read an answer that is one document. Raises GarbageError for one without an end."""
    parts: list[bytes] = []
    length = 0
    async for part in response.content.iter_chunked(_PART_BYTES):
        parts.append(part)
        length += len(part)
        if length > MOST_BODY_BYTES:
            raise GarbageError(f"expected {MOST_BODY_BYTES} bytes at most from a server, got more")
    return b"".join(parts)


async def _data(response: ClientResponse) -> AsyncIterator[bytes]:
    """Yield the data of each event. An event is one line here.

    What follows the mark that ends the stream is read too, or the connection could not be used
    again.
    """
    rest = b""
    is_over = False
    async for part in response.content.iter_any():
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            if not line.startswith(b"data:") or is_over:
                continue
            data = line[5:].strip()
            if data == b"[DONE]":
                is_over = True
            else:
                yield data
        if len(rest) > MOST_LINE_BYTES:
            raise GarbageError(f"expected lines from a server, got one of {len(rest)} bytes")


class _Counts(NamedTuple):
    """The counts of tokens. What cannot be true is not believed: None."""

    prompt: int | None
    completion: int | None
    cached: int | None

    @classmethod
    def read(cls, usage: _Usage, max_tokens: int, *, has_text: bool) -> _Counts:
        prompt = _count(usage.prompt_tokens, least=1)
        details = usage.prompt_tokens_details or _Details()
        return cls(
            prompt,
            _count(usage.completion_tokens, least=int(has_text), most=max_tokens),
            _count(details.cached_tokens, most=prompt or 0),
        )


def _count(value: int | None, *, least: int = 0, most: float = float("inf")) -> int | None:
    return value if value is not None and least <= value <= most else None


def _said(body: bytes) -> str:
    """Return the text of an error."""
    try:
        read = _read_refusal(body)
    except msgspec.MsgspecError:
        return body.decode(errors="replace")
    said = read.error.message if isinstance(read.error, _Fault) else read.error
    return said or read.message or body.decode(errors="replace")


def _retry_after_s(response: ClientResponse) -> float | None:
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None
