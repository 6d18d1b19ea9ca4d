"""OpenID Connect provider in the settings: where it signs people in, and who it says they are.

It is asked over a network, and may be away, slow, broken or lying: each ends in an error with a
sentence, after a time that has a limit, and holds up nobody else.
"""

from __future__ import annotations

import asyncio
import math
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx2
import msgspec
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from server.operator_accounts import Identity, read_identity
from server.sign_in_settings import SignInSettings, is_safe_address
from server.wall_clock import wall_s
from server.web.oidc.bounded_transport import BoundedTransport
from server.web.oidc.provider_error import ProviderError
from server.web.oidc.sign_in_flows import Flow

PATIENCE_S = 8.0
"""Seconds that a provider has for each answer."""
KNOWN_S = 3600.0
"""Seconds for which it is believed to be as it said."""
LEFT_ALONE_S = 5.0
"""Seconds for which it is not asked again what it is, after it has failed to say."""
NEW_KEYS_S = 10.0
"""Least seconds between two looks for a key that is not known."""
LEEWAY_S = 60
"""Seconds by which its clock may differ from ours."""
AT_ONCE = 4
"""Most codes that are brought to it at once."""
ALGORITHMS = tuple(f"{kind}{bits}" for kind in ("RS", "PS", "ES") for bits in (256, 384, 512))
"""Signatures that are believed: with a key of which nobody else has the private half."""


class _KeyList(msgspec.Struct, frozen=True):
    """Keys with which a provider signs, as it publishes them."""

    keys: list[dict[str, Any]]


class _Metadata(msgspec.Struct, frozen=True):
    """Description that a provider gives of itself, as far as it is used."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class _Known(msgspec.Struct, frozen=True):
    """Provider as it is known, until it is asked again."""

    metadata: _Metadata
    keys: KeySet
    at: float


class Provider:
    """Provider of the settings, with what is known of it."""

    def __init__(
        self, settings: SignInSettings, redirect_uri: str, clock: Callable[[], float]
    ) -> None:
        self._settings, self._redirect_uri, self._clock = settings, redirect_uri, clock
        # Here: reading the certificates of the system takes a while.
        self._tls = ssl.create_default_context()
        self._known: _Known | None = None
        self._fault: tuple[float, ProviderError] | None = None
        self._one_look = asyncio.Lock()
        self._exchanges = asyncio.Semaphore(AT_ONCE)

    async def address(self, flow: Flow) -> str:
        """Return the address at which the provider signs somebody in. Raises ProviderError."""
        known = await self._look()
        async with self._client(known.metadata) as client:
            address, _ = client.create_authorization_url(
                known.metadata.authorization_endpoint,
                state=flow.state,
                nonce=flow.nonce,
                code_verifier=flow.verifier,
            )
        return str(address)

    async def identity(self, flow: Flow, answer: Mapping[str, str]) -> Identity:
        """Return who somebody is who is back from the provider.

        ``answer`` is what their browser brings. Raises ProviderError.
        """
        if "error" in answer:
            raise ProviderError("it has signed nobody in, or was told not to")
        known = await self._look()
        # A server that speaks for several providers would else take the code of one to another.
        speaks = answer.get("iss", "")
        must_say = known.metadata.authorization_response_iss_parameter_supported
        if (speaks or must_say) and speaks != self._settings.oidc_issuer:
            raise ProviderError("the answer is of another provider than the one in the settings")
        token = await self._exchange(known.metadata, flow, answer.get("code", ""))
        claims = await self._claims(known, flow, token)
        claim = self._settings.oidc_claim
        if claim == "email" and claims.get("email_verified") is not True:
            raise ProviderError("it does not say that it has verified the email address")
        try:
            return read_identity(self._settings.oidc_issuer, claim, claims.get(claim))
        except ValueError as error:
            raise ProviderError(f"it does not say who somebody is: {error}") from error

    async def _exchange(self, metadata: _Metadata, flow: Flow, code: str) -> Mapping[str, object]:
        """Return the tokens that the provider gives for a code."""
        async with _asking(), self._exchanges, self._client(metadata) as client:
            token = await client.fetch_token(
                metadata.token_endpoint,
                grant_type="authorization_code",
                code=code,
                code_verifier=flow.verifier,
            )
        assert isinstance(token, dict)
        return token

    async def _claims(
        self, known: _Known, flow: Flow, token: Mapping[str, object]
    ) -> Mapping[str, object]:
        """Return what the provider has signed of somebody, which is for us and for this flow."""
        signed = token.get("id_token")
        if not isinstance(signed, str):
            raise ProviderError("it gave no id token")
        try:
            try:
                found = jwt.decode(signed, known.keys, algorithms=ALGORITHMS)
            except InvalidKeyIdError:
                # It has other keys by now.
                known = await self._look(since=self._clock() - NEW_KEYS_S)
                found = jwt.decode(signed, known.keys, algorithms=ALGORITHMS)
            client_id = self._settings.oidc_client_id
            claims = CodeIDToken(
                found.claims,
                found.header,
                {
                    "iss": {"essential": True, "value": self._settings.oidc_issuer},
                    "aud": {"essential": True, "value": client_id},
                },
                {
                    "nonce": flow.nonce,
                    "client_id": client_id,
                    "access_token": token.get("access_token"),
                },
            )
            claims.validate(int(wall_s()), LEEWAY_S)
        except (JoseError, ValueError, TypeError, RecursionError) as error:
            raise ProviderError(f"its id token is not to be believed ({_kind(error)})") from error
        assert isinstance(claims, dict)
        return claims

    async def _look(self, since: float = -math.inf) -> _Known:
        """Return the provider as it is known, of ``since`` at the earliest, or after a look at it.

        Of many who ask at once one looks; after a fault nobody does for a while.
        """
        async with self._one_look:
            now = self._clock()
            known = self._known
            if known is not None and known.at > max(now - KNOWN_S, since):
                return known
            if self._fault is not None and now < self._fault[0]:
                raise ProviderError(str(self._fault[1])) from self._fault[1]
            try:
                known = await self._read()
            except ProviderError as error:
                self._fault = (self._clock() + LEFT_ALONE_S, error)
                raise
            self._known, self._fault = known, None
            return known

    async def _read(self) -> _Known:
        issuer = self._settings.oidc_issuer
        text = await self._get(f"{issuer.removesuffix('/')}/.well-known/openid-configuration")
        try:
            metadata = msgspec.json.decode(text, type=_Metadata)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ProviderError("it does not say what it is, as OpenID Connect has it") from error
        if metadata.issuer != issuer:
            raise ProviderError("it calls itself otherwise than COHABIT_OIDC_ISSUER does")
        may_be_plain = issuer.startswith("http:")
        for address in (
            metadata.authorization_endpoint,
            metadata.token_endpoint,
            metadata.jwks_uri,
        ):
            if not is_safe_address(address, may_be_plain=may_be_plain):
                raise ProviderError("it names an address that is not https")
        text = await self._get(metadata.jwks_uri)
        return _Known(metadata, _keys(text), self._clock())

    async def _get(self, address: str) -> bytes:
        async with (
            _asking(),
            httpx2.AsyncClient(
                transport=BoundedTransport(self._tls), timeout=PATIENCE_S, trust_env=False
            ) as client,
        ):
            answer = await client.get(address, headers={"accept": "application/json"})
        if answer.status_code != 200:
            raise ProviderError(f"it answers with the status {answer.status_code}")
        return answer.content

    def _client(self, metadata: _Metadata) -> AsyncOAuth2Client:
        settings = self._settings
        methods = metadata.token_endpoint_auth_methods_supported
        is_basic = "client_secret_basic" in methods or "client_secret_post" not in methods
        return AsyncOAuth2Client(
            settings.oidc_client_id,
            settings.oidc_client_secret,
            token_endpoint_auth_method="client_secret_basic" if is_basic else "client_secret_post",
            scope="openid email" if settings.oidc_claim == "email" else "openid",
            redirect_uri=self._redirect_uri,
            code_challenge_method="S256",
            transport=BoundedTransport(self._tls),
            timeout=PATIENCE_S,
            trust_env=False,
        )


def _keys(text: bytes) -> KeySet:
    """Return the keys of a provider; what is of no known kind is left out (RFC 7517, 5).

    Raises ProviderError where none is left.
    """
    try:
        listed = msgspec.json.decode(text, type=_KeyList).keys
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProviderError("its keys cannot be read") from error
    found = []
    for listed_key in listed:
        with suppress(JoseError, LookupError, ValueError, TypeError, RecursionError):
            found += KeySet.import_key_set({"keys": [listed_key]}).keys
    if not found:
        raise ProviderError("its keys cannot be read")
    return KeySet(found)


@asynccontextmanager
async def _asking() -> AsyncIterator[None]:
    """Ask the provider something within its time; what goes wrong is a ProviderError."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield
    except (TimeoutError, httpx2.TimeoutException) as error:
        raise ProviderError(f"it did not answer within {PATIENCE_S:g} seconds") from error
    except httpx2.HTTPStatusError as error:
        raise ProviderError(f"it answers with the status {error.response.status_code}") from error
    except AuthlibBaseError as error:
        raise ProviderError("it takes the code for no good one") from error
    except (httpx2.HTTPError, OSError) as error:
        raise ProviderError(f"it cannot be reached ({_kind(error)})") from error
    except (httpx2.InvalidURL, ValueError, TypeError, RecursionError) as error:
        raise ProviderError("it answers something else than OpenID Connect has") from error


def _kind(error: BaseException) -> str:
    """Return what went wrong in a word of ours; what a provider wrote is repeated nowhere."""
    return type(error).__name__.removesuffix("Error")
