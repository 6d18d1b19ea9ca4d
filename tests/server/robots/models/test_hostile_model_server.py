"""A model server that means harm: bytes without an end, nesting without an end, and no text."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.models.openai_http import MOST_BODY_BYTES
from server.robots.models.request import GarbageError, Message, ModelError, ModelRequest

DOCUMENT = "content-type: application/json\r\n"
STREAM = "content-type: text/event-stream\r\n"
ASKED = ModelRequest(purpose="act", prompt=(Message("user", "Where is the cup?"),), max_tokens=20)


@asynccontextmanager
async def server(headers: str, part: bytes, times: int = 1) -> AsyncIterator[ModelServer]:
    """Serve every request with the same bytes, again and again if need be."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 200 OK\r\nconnection: close\r\n{headers}\r\n".encode())
            for _ in range(times):
                writer.write(part)
                await writer.drain()
        except ConnectionError:
            """It has hung up, as it should."""
        finally:
            writer.close()

    listening = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with listening:
        port = listening.sockets[0].getsockname()[1]
        yield ModelServer(f"http://127.0.0.1:{port}/v1", deadline_s=20.0)


@pytest.mark.parametrize(
    ("headers", "part", "times"),
    [
        (DOCUMENT, b" " * (1 << 20), 2 * MOST_BODY_BYTES >> 20),
        (
            f"{DOCUMENT}content-encoding: gzip\r\n",
            gzip.compress(bytes(2 * MOST_BODY_BYTES), mtime=0),
            1,
        ),
        (DOCUMENT, b'{"x":' + b"[" * 100_000, 1),
        (DOCUMENT, b"\x00\xff\x1b[2J" * 1000, 1),
        (DOCUMENT, b'{"data":[{"id":' + b"9" * 100_000 + b"}]}", 1),
    ],
)
async def test_a_list_of_models_is_read_within_bounds(
    headers: str, part: bytes, times: int
) -> None:
    async with server(headers, part, times) as hostile, ModelClient(hostile) as client:
        with pytest.raises(GarbageError) as caught:
            await client.models()
        assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("part", "times"),
    [
        (b'data: {"x":' + b"[" * 100_000 + b"\n\n", 1),
        (b"data: \xff\xfe\x00\n\n", 1),
        (b"data: " + b"x" * (1 << 20), 4),
        (b'data: {"choices":[{"delta":{"content":"' + b"x" * 60_000 + b'"}}]}\n\n', 99),
        (b'data: {"usage":{"prompt_tokens":' + b"9" * 100_000 + b"}}\n\n", 1),
    ],
)
async def test_an_answer_is_read_within_bounds(part: bytes, times: int) -> None:
    async with server(STREAM, part, times) as hostile, ModelClient(hostile) as client:
        with pytest.raises(ModelError) as caught:
            await client.complete(ASKED)
        assert len(str(caught.value)) < 1000
