"""Error of an OpenID Connect provider, apart from what is installed to speak with one."""

from __future__ import annotations


class ProviderError(Exception):
    """Error for a provider that is away, broken or not to be believed; the text says which.

    It begins in the middle of a sentence about the provider, and has nothing that it wrote.
    """
