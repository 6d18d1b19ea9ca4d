"""Mail to the operator, over SMTP."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from server.host_names import read_authority

LONGEST_S = 10.0
"""Longest time (s) that the mail server may take for an answer."""


class OperatorMail:
    """Mail by a server at ``smtp://user:password@host:587`` or, encrypted at once, ``smtps://``.

    A password goes over an encrypted connection only, or to this machine.
    """

    def __init__(self, url: str, sender: str, recipients: str) -> None:
        self._parts = urlsplit(url)
        self._sender, self._recipients = sender, recipients

    async def tell(self, subject: str, text: str, facts: dict[str, str]) -> None:
        """Send a mail. Raises OSError where that fails."""
        message = EmailMessage()
        message["From"], message["To"] = self._sender, self._recipients
        message["Subject"] = " ".join(subject.split())
        named = "\n".join(f"{name}: {value}" for name, value in facts.items())
        message.set_content(f"{text}\n\n{named}\n")
        await asyncio.to_thread(self._send, message)

    async def try_out(self) -> str:
        """Sign in at the mail server and name the recipients, and send nothing.

        Returns what it said, in words. Raises OSError where it would take no mail.
        """
        await asyncio.to_thread(self._try_out)
        return f"{self._parts.hostname} takes mail to {self._recipients} (none was sent)"

    def _try_out(self) -> None:
        with self._connected() as server:
            for command, arguments in self._envelope():
                code, said = command(server, arguments)
                if code >= 400:
                    raise OSError(f"it answers {code} {said.decode(errors='replace')}")
            server.rset()

    def _envelope(self) -> Iterator[tuple[Callable[[smtplib.SMTP, str], tuple[int, bytes]], str]]:
        yield smtplib.SMTP.mail, self._sender
        for recipient in self._recipients.split(","):
            yield smtplib.SMTP.rcpt, recipient.strip()

    def _send(self, message: EmailMessage) -> None:
        with self._connected() as server:
            server.send_message(message)

    @contextmanager
    def _connected(self) -> Iterator[smtplib.SMTP]:
        """Yield the server, signed in."""
        # Every error of smtplib is an OSError.
        host, is_encrypted = self._parts.hostname or "", self._parts.scheme == "smtps"
        tls = ssl.create_default_context()
        if is_encrypted:
            made: smtplib.SMTP = smtplib.SMTP_SSL(
                host, self._parts.port or 465, timeout=LONGEST_S, context=tls
            )
        else:
            made = smtplib.SMTP(host, self._parts.port or 25, timeout=LONGEST_S)
        with made as server:
            server.ehlo()
            if not is_encrypted and server.has_extn("starttls"):
                server.starttls(context=tls)
                server.ehlo()
                is_encrypted = True
            if self._parts.username:
                if not is_encrypted and not _is_this_machine(host):
                    raise OSError(f"{host} offers no encryption, so it gets no password")
                server.login(unquote(self._parts.username), unquote(self._parts.password or ""))
            yield server


def _is_this_machine(host: str) -> bool:
    authority = read_authority(f"[{host}]" if ":" in host else host)
    return authority is not None and authority.is_loopback
