"""A real browser that goes to a provider of OpenID Connect, on another site, and comes back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import NewPlayer
from tests.live_server import LiveServer
from tests.server.web.oidc_provider import OidcProvider, serving_provider

pytestmark = [pytest.mark.e2e, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


class PublicServer(LiveServer):
    """Server that has its address in its settings, as one with a provider needs it."""

    def start_with(self, provider: OidcProvider) -> None:
        self._options |= {
            "public_url": self.url,
            "metrics_token": "open sesame, please",
            **provider.settings,
        }
        self.start()

    def add_operator(self, name: str, provider: OidcProvider) -> None:
        """Make an account beside the server, of whom the provider signs in."""
        environment = {**os.environ, "COHABIT_DATA_DIR": str(self.data_dir)}
        environment["COHABIT_PUBLIC_URL"] = self.url
        for setting, value in provider.settings.items():
            environment[f"COHABIT_{setting.upper()}"] = value
        command = [sys.executable, "-m", "server.cli", "operator", "add", name]
        options = ["--role", "administer", "--oidc-subject", provider.subject]
        subprocess.run([*command, *options], env=environment, check=True)


@pytest.fixture
def server(data_dir: Path) -> Iterator[PublicServer]:
    made = PublicServer(data_dir)
    yield made
    made.stop()


async def test_whoever_the_university_knows_signs_in_and_comes_back_to_where_they_were(
    server: PublicServer, new_player: NewPlayer
) -> None:
    # Another name is another site to a browser, which sends no strict cookies from there.
    async with serving_provider("localhost") as provider:
        server.start_with(provider)
        server.add_operator("anna", provider)
        anna = await new_player(server, "anna")
        await anna.page.goto("/operator")
        await anna.see("operator-oidc").click()
        await expect(anna.see("operator-who")).to_contain_text("anna (administer)")
        assert anna.page.url == f"{server.url}/operator"
        assert provider.asked["token"] == 1
        # The way back through the history signs nobody in again, and out neither.
        await anna.page.reload()
        await expect(anna.see("operator-who")).to_contain_text("anna (administer)")
        provider.subject = "somebody-else"
        ben = await new_player(server, "ben")
        await ben.page.goto("/operator")
        await ben.see("operator-oidc").click()
        await expect(ben.page.get_by_role("heading", level=1)).to_have_text(
            "You have no account here"
        )
        await expect(ben.page.locator("main")).to_contain_text("somebody-else")
        anna.expect_complaints("403")
        ben.expect_complaints("403")
