"""Settings of the public address, and of the ways in which operators sign in."""

from __future__ import annotations

from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from server.host_names import read_authority
from server.operator_token import hard_to_guess
from server.retention_settings import RetentionSettings


class SignInSettings(RetentionSettings):
    """Settings that operators' sign-ins depend on."""

    public_url: str = ""
    """Address that browsers use, if it is not ``http://<host>:<port>`` (behind a proxy). With it,
    operators need an account or a token."""
    metrics_token: str = ""
    """Bearer token for `/metrics` and the details of `/readyz`, and the password of `/operator`
    while nobody has an account; empty: they are for browsers on this machine that ask for
    ``localhost``, past no proxy, and for who opens the link of `cohabit serve --operator-link`."""
    operator_passwords: bool = True
    """Whether operators may sign in with a password; else with OpenID Connect alone."""
    oidc_issuer: str = ""
    """OpenID Connect provider with which operators may sign in, by the name that it gives itself:
    ``https://login.example.edu/realms/staff``; empty: none."""
    oidc_client_id: str = ""
    """Name by which that provider knows this server."""
    oidc_client_secret: str = Field(default="", repr=False)
    """Secret that the provider gave with it."""
    oidc_claim: Literal["sub", "email"] = "sub"
    """Claim of the provider by which accounts are known: ``sub``, which stays somebody's for ever,
    or ``email``, where the provider says that it has verified it."""

    @property
    def is_https(self) -> bool:
        return self.public_url.startswith("https://")

    @field_validator("public_url")
    @classmethod
    def _is_an_origin(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in {"http", "https"} or not parts.netloc):
            raise ValueError("expected an address such as https://homes.example.org")
        if parts.path not in {"", "/"} or parts.query or parts.fragment:
            raise ValueError("expected an address without a path: Cohabit serves a whole host")
        host = read_authority(parts.netloc) if value else None
        if value and host is None:
            raise ValueError(
                f"{parts.netloc!r} is no host: expected one such as homes.example.org (other "
                "alphabets as browsers send them, xn--…), with a port where it needs one"
            )
        return f"{parts.scheme}://{host}" if value else ""

    @field_validator("metrics_token")
    @classmethod
    def _is_hard_to_guess(cls, value: str) -> str:
        return hard_to_guess(value)

    @field_validator("oidc_issuer")
    @classmethod
    def _is_an_issuer(cls, value: str) -> str:
        if value and not is_safe_address(value, may_be_plain=True):
            raise ValueError(
                "expected an address such as https://login.example.edu/realms/staff (http on a "
                f"loopback address only), got {value!r}"
            )
        if "?" in value or "#" in value:
            raise ValueError(f"expected an address that ends with its path, got {value!r}")
        # As it was written: it has to be the name that the provider gives itself, to the letter.
        return value

    @field_validator("oidc_client_id", "oidc_client_secret")
    @classmethod
    def _can_be_sent(cls, value: str) -> str:
        if not (value.isascii() and value.isprintable()) or value != value.strip():
            # Without the value, which may be the secret.
            raise ValueError("expected printable ASCII characters without space around them")
        return value

    @model_validator(mode="after")
    def _can_ask_the_provider(self) -> Self:
        given = (self.oidc_issuer, self.oidc_client_id, self.oidc_client_secret)
        if any(given) and not all(given):
            raise ValueError(
                "COHABIT_OIDC_ISSUER, COHABIT_OIDC_CLIENT_ID and COHABIT_OIDC_CLIENT_SECRET belong "
                "together: set all three, or none"
            )
        if self.oidc_issuer and not self.public_url:
            raise ValueError(
                "COHABIT_OIDC_ISSUER needs COHABIT_PUBLIC_URL, the address to which the provider "
                "sends people back"
            )
        if not (self.operator_passwords or self.oidc_issuer):
            raise ValueError(
                "COHABIT_OPERATOR_PASSWORDS=false needs COHABIT_OIDC_ISSUER: nobody could sign in"
            )
        return self


def is_safe_address(address: str, *, may_be_plain: bool) -> bool:
    """Tell whether secrets may go to an address: https, or http on this machine's loopback.

    ``may_be_plain`` says whether the latter is allowed.
    """
    if not (address.isascii() and address.isprintable()) or " " in address:
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    host = read_authority(parts.netloc)
    if host is None:
        return False
    return parts.scheme == "https" or (may_be_plain and parts.scheme == "http" and host.is_loopback)
