"""Longest wait of a study's people, which its pauses look at. On a virtual clock."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.lobby.opened_lobby import join, opened
from tests.server.lobby.test_lobby_studies import pairs, take_part
from tests.server.lobby.virtual import virtual


@virtual
async def test_the_longest_wait_is_that_of_the_study_and_of_those_who_wait_still() -> None:
    async with opened(studies=[pairs()]) as lobby:
        await join(lobby, "of_open_play")
        await asyncio.sleep(40)
        assert lobby.longest_wait_s(pairs().key) == 0
        await take_part(lobby, "a")
        await asyncio.sleep(30)
        assert lobby.longest_wait_s(pairs().key) == pytest.approx(30, abs=0.5)
        await lobby.cancel("tic_a")
        assert lobby.longest_wait_s(pairs().key) == 0
