"""Notices to the operator, through a real mail server and a real web server on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from server.recruiting.operator_mail import OperatorMail
from server.recruiting.operator_notices import Notice, OperatorNotices, channels_of
from server.recruiting.operator_webhook import OperatorWebhook
from server.settings import load_settings
from server.settings_error import SettingsError
from tests.live_server import free_port
from tests.server.web.doubles import make_settings

NOTICE = Notice(
    "Study s has paused", "3 of the last 4 visits failed.", {"id": "pause-s-1", "study": "s"}
)


class MailServer:
    """Mail server that takes what it is sent, or refuses every recipient."""

    def __init__(self, refuses: bool = False) -> None:
        self.refuses = refuses
        self.mails: list[str] = []
        self.logins: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 here\r\n")
        while line := (await reader.readline()).decode().rstrip():
            word = line.split()[0].upper()
            if word == "EHLO":
                writer.write(b"250-here\r\n250 AUTH PLAIN\r\n")
            elif word == "AUTH":
                self.logins.append(line)
                writer.write(b"235 welcome\r\n")
            elif word == "RCPT" and self.refuses:
                writer.write(b"550 nobody here\r\n")
            elif word == "DATA":
                writer.write(b"354 go on\r\n")
                body = await reader.readuntil(b"\r\n.\r\n")
                self.mails.append(body.decode())
                writer.write(b"250 taken\r\n")
            elif word == "QUIT":
                writer.write(b"221 bye\r\n")
                break
            else:
                writer.write(b"250 ok\r\n")
        writer.close()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[int]:
        server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        async with server:
            yield server.sockets[0].getsockname()[1]


class WebhookServer:
    """Web server that keeps what is posted, and answers with a status."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.posted: list[dict[str, str]] = []
        self.keys: list[str | None] = []
        """Idempotency keys of these, by which a receiver knows one that is sent again."""

    async def _take(self, request: web.Request) -> web.Response:
        self.posted.append(await request.json())
        self.keys.append(request.headers.get("idempotency-key"))
        return web.Response(status=self.status)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        app = web.Application()
        app.router.add_post("/hook", self._take)
        runner = web.AppRunner(app)
        await runner.setup()
        port = free_port()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        yield f"http://127.0.0.1:{port}/hook"
        await runner.cleanup()


async def test_a_notice_goes_out_by_mail_and_by_webhook(tmp_path: Path) -> None:
    mails, hooks = MailServer(), WebhookServer()
    async with mails.running() as port, hooks.running() as url:
        settings = make_settings(
            tmp_path,
            operator_mail="ann@example.org, ben@example.org",
            smtp_url=f"smtp://lab:se%40cret@127.0.0.1:{port}",
            operator_webhook=url,
        )
        assert await OperatorNotices(channels_of(settings)).tell(NOTICE)
    (mail,) = mails.mails
    assert "To: ann@example.org, ben@example.org" in mail
    assert "From: ann@example.org" in mail
    assert "Subject: Study s has paused" in mail
    assert "3 of the last 4 visits failed." in mail
    assert "study: s" in mail
    assert len(mails.logins) == 1
    (posted,) = hooks.posted
    assert hooks.keys == [posted["id"]] == [NOTICE.facts["id"]]
    assert posted["study"] == "s"
    assert posted["text"] == "Study s has paused\n3 of the last 4 visits failed."


async def test_what_people_write_calls_nobody_and_dresses_no_link_in_a_chat(tmp_path: Path) -> None:
    hooks = WebhookServer()
    async with hooks.running() as url:
        notices = OperatorNotices(channels_of(make_settings(tmp_path, operator_webhook=url)))
        text = "<!channel> <https://evil.example|Log in> @everyone \u202e\x1b[31m"
        assert await notices.tell(NOTICE._replace(text=text))
    (posted,) = hooks.posted
    assert not set("<>@\u202e\x1b") & set(posted["text"])
    assert "!channel" in posted["text"]


async def test_what_people_write_makes_no_header_of_a_mail() -> None:
    mails = MailServer()
    async with mails.running() as port:
        mail = OperatorMail(f"smtp://127.0.0.1:{port}", "a@example.org", "b@example.org")
        await mail.tell("One\r\nBcc: evil@example.org", "Hello\r\n.\r\nRCPT TO:<x@y>", {})
    (sent,) = mails.mails
    head, _, _ = sent.partition("\r\n\r\n")
    assert "\nBcc" not in head
    assert "RCPT TO:<x@y>" in sent


async def test_a_notice_that_gets_through_nowhere_is_not_told() -> None:
    mails, hooks = MailServer(refuses=True), WebhookServer(500)
    async with mails.running() as port, hooks.running() as url:
        mail = OperatorMail(f"smtp://127.0.0.1:{port}", "a@example.org", "b@example.org")
        hook = OperatorWebhook(url)
        assert not await OperatorNotices([mail, hook]).tell(NOTICE)
        assert await OperatorNotices([mail, WebhookDouble()]).tell(NOTICE)
    # Nobody listens there any more.
    assert not await OperatorNotices([mail, hook]).tell(NOTICE)


class WebhookDouble:
    """Webhook that always gets through."""

    async def tell(self, subject: str, text: str, facts: dict[str, str]) -> None: ...


async def test_no_password_goes_unencrypted_to_another_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mails = MailServer()
    async with mails.running() as port:
        monkeypatch.setattr("server.recruiting.operator_mail._is_this_machine", lambda _: False)
        mail = OperatorMail(f"smtp://me:pw@127.0.0.1:{port}", "a@example.org", "b@example.org")
        with pytest.raises(OSError, match="gets no password"):
            await mail.tell("s", "t", {})
    assert mails.logins == []


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"OPERATOR_MAIL": "nobody"}, "COHABIT_OPERATOR_MAIL: expected an address such as lab@"),
        ({"OPERATOR_MAIL": "a@b.org"}, "COHABIT_OPERATOR_MAIL needs COHABIT_SMTP_URL"),
        ({"SMTP_URL": "mail.example.org"}, "COHABIT_SMTP_URL: expected an address such as smtp://"),
        ({"OPERATOR_WEBHOOK": "hook"}, "COHABIT_OPERATOR_WEBHOOK: expected an address"),
    ],
)
def test_settings_that_reach_nobody_are_refused(
    settings: dict[str, str], complaint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in settings.items():
        monkeypatch.setenv(f"COHABIT_{name}", value)
    with pytest.raises(SettingsError, match=complaint):
        load_settings()
