"""Notices to the operator, by mail and webhook as the settings say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import structlog

from server.recruiting.operator_mail import OperatorMail
from server.recruiting.operator_webhook import OperatorWebhook
from server.settings import Settings

log = structlog.get_logger(__name__)


class Notice(NamedTuple):
    """Notice of something that an operator is told."""

    subject: str
    text: str
    facts: dict[str, str]
    """The same for programs: the study, the visit, the cause, and an ``id``.

    A notice that is sent again, because nobody said in time that it had come, has the same id.
    """


class Channel(Protocol):
    """Way on which notices go. ``tell`` raises OSError where one does not get through."""

    async def tell(self, subject: str, text: str, facts: dict[str, str]) -> None: ...


class OperatorNotices:
    """Notices on all channels that there are."""

    def __init__(self, channels: Sequence[Channel]) -> None:
        self._channels = channels

    @property
    def has_channels(self) -> bool:
        return bool(self._channels)

    async def tell(self, notice: Notice) -> bool:
        """Send a notice; return whether it got through on one channel at least."""
        is_told = False
        for channel in self._channels:
            try:
                await channel.tell(*notice)
                is_told = True
            except OSError as error:
                name = type(channel).__name__
                log.warning("operator.not_told", channel=name, reason=repr(error))
        return is_told


def channels_of(settings: Settings) -> list[Channel]:
    """Return the channels that the settings name."""
    channels: list[Channel] = []
    if settings.operator_mail:
        sender = settings.mail_from or settings.operator_mail.partition(",")[0].strip()
        channels.append(OperatorMail(settings.smtp_url, sender, settings.operator_mail))
    if settings.operator_webhook:
        channels.append(OperatorWebhook(settings.operator_webhook))
    return channels
