"""A small OpenID Connect provider on the loopback, with keys of its own, which tests let lie."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any
from urllib.parse import urlencode

import httpx
from aiohttp import web
from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT_ID = "cohabit-of-a-laboratory"
CLIENT_SECRET = "a secret that the provider made"
Claims = dict[str, Any]


@cache
def key(name: str = "first") -> RSAKey:
    """Return a pair of keys; making one takes a while."""
    return RSAKey.generate_key(2048, {"kid": name})


class OidcProvider:
    """Provider that signs everybody in as ``subject``, without a question."""

    def __init__(self, host: str, port: int) -> None:
        self.issuer = f"http://{host}:{port}/realm"
        self.subject = "a1b2-anna"
        self.change: Callable[[Claims], Claims] = dict
        """Change of what an id token says."""
        self.key, self.signing_key = key(), key()
        """Keys that it shows, and with which it signs."""
        self.other_keys: list[Claims] = []
        """Keys that it shows beside it, first."""
        self.described: Claims = {}
        """Changes of what it says of itself."""
        self.statuses: dict[str, int] = {}
        self.bodies: dict[str, bytes] = {}
        self.slow_s: dict[str, float] = {}
        self.asked: Counter[str] = Counter()
        self.tokens: list[str] = []
        """Id tokens that it gave."""
        self.sign: Callable[[Claims], str] = self.sign_truly
        self._codes: dict[str, Claims] = {}

    @property
    def settings(self) -> dict[str, str]:
        """Settings of a server that knows it."""
        return {
            "oidc_issuer": self.issuer,
            "oidc_client_id": CLIENT_ID,
            "oidc_client_secret": CLIENT_SECRET,
        }

    def application(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/realm/.well-known/openid-configuration", self._describe)
        app.router.add_get("/realm/keys", self._keys)
        app.router.add_get("/realm/authorize", self._authorize)
        app.router.add_post("/realm/token", self._token)
        return app

    async def _gate(self, name: str) -> web.Response | None:
        """Count a request, and answer it as a test wants it; None: as it should be."""
        self.asked[name] += 1
        await asyncio.sleep(self.slow_s.get(name, 0))
        if name in self.bodies:
            return web.Response(body=self.bodies[name], content_type="application/json")
        if name in self.statuses:
            headers = {"location": f"{self.issuer}/elsewhere"}
            return web.Response(status=self.statuses[name], headers=headers)
        return None

    async def _describe(self, _request: web.Request) -> web.Response:
        return await self._gate("description") or web.json_response(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                **self.described,
            }
        )

    async def _keys(self, _request: web.Request) -> web.Response:
        shown = {**self.key.as_dict(private=False), "use": "sig"}
        return await self._gate("keys") or web.json_response({"keys": [*self.other_keys, shown]})

    async def _authorize(self, request: web.Request) -> web.Response:
        asked = dict(request.query)
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT_ID
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"]})
        return web.Response(status=302, headers={"location": f"{asked['redirect_uri']}?{back}"})

    async def _token(self, request: web.Request) -> web.Response:
        if answer := await self._gate("token"):
            return answer
        form = await request.post()
        given = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        asked = self._codes.pop(str(form["code"]), None)
        if request.headers.get("authorization") != f"Basic {given}" or asked is None:
            return web.json_response({"error": "invalid_grant"}, status=400)
        verified = hashlib.sha256(str(form["code_verifier"]).encode()).digest()
        wanted = (asked["code_challenge"], asked["redirect_uri"])
        if (_packed(verified), form["redirect_uri"]) != wanted:
            return web.json_response({"error": "invalid_grant"}, status=400)
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": self.subject,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
        }
        signed = self.sign(self.change(claims))
        self.tokens.append(signed)
        return web.json_response(
            {"access_token": "unused", "token_type": "Bearer", "id_token": signed}
        )

    def sign_truly(self, claims: Claims) -> str:
        header = {"alg": "RS256", "kid": self.signing_key.kid}
        return jwt.encode(header, claims, self.signing_key)

    def sign_with_nothing(self, claims: Claims) -> str:
        """Return a token with the algorithm ``none``."""
        parts = (b'{"alg":"none","typ":"JWT"}', json.dumps(claims).encode(), b"")
        return ".".join(_packed(part) for part in parts)

    def sign_with_what_is_public(self, claims: Claims) -> str:
        """Return a token signed with its public key, as if that were a secret."""
        header = {"alg": "HS256", "typ": "JWT", "kid": self.key.kid}
        said = ".".join(_packed(json.dumps(part).encode()) for part in (header, claims))
        secret = self.key.as_pem(private=False)
        return f"{said}.{_packed(hmac.digest(secret, said.encode(), 'sha256'))}"

    async def back_from(self, address: str) -> str:
        """Return the address to which it sends a browser back that comes to it."""
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.get(address)
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@asynccontextmanager
async def serving_provider(host: str = "127.0.0.1") -> AsyncIterator[OidcProvider]:
    """Serve a provider until the block ends; ``host`` is a name of the loopback."""
    listening = socket.create_server(("127.0.0.1", 0))
    provider = OidcProvider(host, listening.getsockname()[1])
    runner = web.AppRunner(provider.application(), shutdown_timeout=0.1)
    await runner.setup()
    await web.SockSite(runner, listening).start()
    try:
        yield provider
    finally:
        await runner.cleanup()
