"""HTTP to a provider: what it answers has a size, is not packed, and leads nowhere else."""

from __future__ import annotations

import ssl

import httpx2

LARGEST_ANSWER = 256 * 1024
"""Most bytes of an answer."""


class OversizedError(httpx2.TransportError):
    """Error for an answer that is too large, or packed, so that nobody knows its size."""


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Transport that reads each answer whole, up to a size.

    No proxy of the environment is asked: it is not in the settings, and would see the secret.
    """

    def __init__(self, tls: ssl.SSLContext) -> None:
        self._inner = httpx2.AsyncHTTPTransport(verify=tls, trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["accept-encoding"] = "identity"
        answer = await self._inner.handle_async_request(request)
        assert isinstance(answer.stream, httpx2.AsyncByteStream)
        try:
            if answer.headers.get("content-encoding", "identity").lower() != "identity":
                raise OversizedError("its answer is packed, and nobody asked for that")
            body = b""
            async for part in answer.stream:
                body += part
                if len(body) > LARGEST_ANSWER:
                    raise OversizedError(f"its answer has more than {LARGEST_ANSWER} bytes")
        finally:
            await answer.stream.aclose()
        return httpx2.Response(
            answer.status_code,
            headers={"content-type": answer.headers.get("content-type", "")},
            content=body,
        )

    async def aclose(self) -> None:
        await self._inner.aclose()
