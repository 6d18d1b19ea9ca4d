"""Sign-ins of operators at a provider: begun by a button, ended when the browser is back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from server.operator_accounts import Identity
from server.settings import Settings
from server.settings_error import SettingsError
from server.web.oidc.sign_in_flows import SignInFlows

if TYPE_CHECKING:
    from server.web.oidc.provider import Provider

PATH = "/operator/oidc"
CALLBACK = "/operator/oidc/callback"
"""Path to which the provider sends browsers back; it is told to its administrators."""
LONGEST_STATE = 128


class Back(NamedTuple):
    """Operator who is back from the provider."""

    identity: Identity
    watched: str
    """Session to whose page their sign-in leads; empty: none."""
    former: str
    """Name of the sign-in that their browser had; empty: none."""


class ProviderSignIns:
    """Sign-ins of one process at the provider in the settings."""

    def __init__(self, provider: Provider, clock: Callable[[], float]) -> None:
        self._provider = provider
        self._flows = SignInFlows(clock)

    async def begin(self, group: str, watched: str, former: str) -> tuple[str, str]:
        """Return the address at which the provider signs somebody in, and their browser's cookie.

        ``group`` is their group of addresses, ``watched`` the session to whose page it leads,
        ``former`` the name of the sign-in that the browser has. Raises ProviderError.
        """
        flow, cookie = self._flows.begin(group, watched, former)
        return await self._provider.address(flow), cookie

    async def end(self, cookie: str, answer: Mapping[str, str]) -> Back | None:
        """Return who is back.

        None: this browser has begun no such sign-in, or it is over. Raises ProviderError, also
        where the provider says that it has signed nobody in.
        """
        flow = self._flows.end(answer.get("state", "")[:LONGEST_STATE], cookie)
        if flow is None:
            return None
        return Back(await self._provider.identity(flow, answer), flow.watched, flow.former)


def provider_sign_ins(settings: Settings, clock: Callable[[], float]) -> ProviderSignIns | None:
    """Return the sign-ins at the provider in the settings; None: there is none.

    Raises SettingsError where what is needed to speak with one is not installed.
    """
    if not settings.oidc_issuer:
        return None
    try:
        # Here: it is not installed with everything else, and nobody else needs it.
        from server.web.oidc.provider import Provider
    except ImportError as error:
        raise SettingsError(
            f"COHABIT_OIDC_ISSUER needs a package that is not installed ({error.name}): pip "
            "install 'cohabit[oidc]'"
        ) from error
    return ProviderSignIns(Provider(settings, f"{settings.public_url}{CALLBACK}", clock), clock)
