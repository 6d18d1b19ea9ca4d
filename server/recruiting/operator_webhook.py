"""Webhook to the operator: a JSON object that chat programs show as a line."""

from __future__ import annotations

import aiohttp

from episodes.visible_text import visible

LONGEST_S = 10.0
"""Longest time (s) that the address may take for an answer."""


_HARMLESS = str.maketrans({"<": "(", ">": ")", "@": " at "})
"""Stand-ins for the letters by which chat programs call people and dress links."""


class OperatorWebhook:
    """Webhook at an address, which answers with a status below 300."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def tell(self, subject: str, text: str, facts: dict[str, str]) -> None:
        """Send a notice. Raises OSError where that fails.

        It may have come nevertheless, when only the answer was late; its id tells it again.
        """
        headers = {"idempotency-key": facts["id"]} if "id" in facts else {}
        text = visible(f"{subject}\n{text}").translate(_HARMLESS)
        body = {"text": text, "subject": subject, **facts}
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(LONGEST_S)) as session,
                session.post(
                    self._url, json=body, headers=headers, allow_redirects=False
                ) as answer,
            ):
                if answer.status >= 300:
                    raise OSError(f"the webhook answered {answer.status}")
        except (aiohttp.ClientError, TimeoutError) as error:
            raise _unanswered(error) from error

    async def try_out(self) -> str:
        """Ask whether anything answers at the address, without a notice; return so in words.

        Raises OSError where nothing does.
        """
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(LONGEST_S)) as session,
                session.head(self._url, allow_redirects=False) as answer,
            ):
                # What takes notices alone refuses this request, each in its own way.
                if answer.status >= 500 and answer.status != 501:
                    raise OSError(f"the webhook answered {answer.status}")
        except (aiohttp.ClientError, TimeoutError) as error:
            raise _unanswered(error) from error
        return "the webhook answers (no notice was sent)"


def _unanswered(error: Exception) -> OSError:
    # Without the address, which is a secret of its own.
    return OSError(f"the webhook did not answer: {type(error).__name__}")
