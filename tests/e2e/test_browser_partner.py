"""A person and the scripted partner that talks, by real keys and mouse."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from episodes.catalogue.colour_words import COLOUR_WORDS
from episodes.scene import template_name
from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="session")]

TWO_BOOKS = "1"


async def test_a_person_reads_and_talks_with_the_partner_that_is_offered_first(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer
) -> None:
    server = serve(TWO_BOOKS)
    ann = await new_player(server, "ann")
    await ann.page.goto("/")
    first = ann.page.locator("input[name='robot']").first
    await expect(first).to_have_value("expert:partner")
    await expect(first).to_be_checked()
    await ann.see("play-robot").click()
    await ann.wait_until_playing()
    chat = ann.see("chat-log")
    # It shares the work out aloud, by the names that everybody reads.
    await expect(chat).to_contain_text(
        re.compile(r"I take the (red|blue) book, you take the (red|blue) book\.")
    )
    await ann.say("stop please")
    await expect(chat).to_contain_text("I stop. Say go on when I should continue.")
    await expect(ann.see("partner-status")).to_contain_text("stopped")
    await ann.say("were is teh blue book?")
    await expect(chat).to_contain_text(re.compile(r"The blue book is (in|on) the "))
    await ann.say("ok, go on")
    await expect(chat).to_contain_text("I go on.")
    await ann.say("what are you doing?")
    await expect(chat).to_contain_text(
        re.compile(r"I am (taking|going to fetch) the \w+ book (to|for) the coffee table")
    )
    await expect(ann.see("partner-status")).to_contain_text(
        re.compile("taking the|going to fetch the")
    )
    # It leaves the person their share, who carries it.
    shared = re.search(r"you take the (\w+) book", await chat.inner_text())
    assert shared is not None
    for_ann = guide(TWO_BOOKS)
    [mine] = [
        handle
        for handle in for_ann.sim.objects()
        if handle.startswith("book_") and COLOUR_WORDS[template_name(handle)] == shared[1]
    ]
    await ann.fetch(for_ann, mine)
    # The nearer she is the more she sees of what it has put down.
    table = for_ann.goal_furniture()
    await ann.walk_to(for_ann, for_ann.stand_for(for_ann.middle(table, "top"), table))
    await ann.put(for_ann, mine, table, "top")
    await ann.until("window.cohabit.state().seats[0].finished", 120)
    await ann.finish()
    report = await ann.wait_for_report()
    assert "100" in report.percent
    rows = str(report.propositions)
    assert "by you" in rows
    assert "by your partner" in rows
