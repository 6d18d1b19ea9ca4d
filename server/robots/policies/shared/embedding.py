"""Text embeddings from an OpenAI-compatible server of their own."""

from __future__ import annotations

from collections.abc import Sequence

from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.policies.shared.retrieval import Embed, NoLibraryError


def embed_at(url: str, model: str) -> Embed:
    """Return a function that asks the server at ``url`` for embeddings.

    Raises NoLibraryError where ``url`` is empty.
    """
    if not url:
        raise NoLibraryError(
            "retrieval by embedding needs embedding_url=URL; retrieval=words needs no server"
        )
    server = ModelServer(url, model=model)

    async def embed(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        async with ModelClient(server) as client:
            return await client.embed(texts)

    return embed
