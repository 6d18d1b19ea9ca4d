"""Tokens of remote policies: proof that a program may play as ``remote:NAME``."""

from __future__ import annotations

from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer

AGE_DAYS = 30
_SALT = "cohabit.policy.1"


class PolicyTokenError(Exception):
    """A token is missing, forged or too old; the text is fit for the close reason."""


def sign(secret_key: str, name: str) -> str:
    """Return a token for a policy's name, good for `AGE_DAYS` days."""
    token = URLSafeTimedSerializer(secret_key, _SALT).dumps([name])
    return token if isinstance(token, str) else token.decode("ascii")


def name_of(secret_key: str, token: str) -> str:
    """Return the name that a token is for. Raises PolicyTokenError."""
    try:
        claim = URLSafeTimedSerializer(secret_key, _SALT).loads(token, max_age=AGE_DAYS * 86_400)
    except SignatureExpired as error:
        raise PolicyTokenError(
            f"the token is older than {AGE_DAYS} days: make a new one"
        ) from error
    except BadSignature as error:
        raise PolicyTokenError("the token is not valid: cohabit robots token NAME") from error
    if not isinstance(claim, list) or len(claim) != 1:
        raise PolicyTokenError("the token is of another kind: cohabit robots token NAME")
    return str(claim[0])
