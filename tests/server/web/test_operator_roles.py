"""Roles of operators' routes: each has one, and what it does not allow is refused."""

from __future__ import annotations

import re

import pytest
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from server.operator_accounts import Role
from server.web import health, metrics
from server.web.operators.route_roles import ANYBODY, ROUTE_ROLES
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import ORIGIN
from tests.server.web.operator_accounts import add_account, signed_in

WITH_A_ROLE = {route: role for route, role in ROUTE_ROLES.items() if role is not ANYBODY}
BELOW = {role: below for below, role in zip(Role, list(Role)[1:], strict=False)}
"""The next smaller role of each that has one."""


def routes_of(site: RunningSite) -> list[APIRoute]:
    """Return all routes of the site, however deep its routers are."""
    found: list[APIRoute] = []
    waiting: list[BaseRoute] = list(site.app.routes)
    while waiting:
        route = waiting.pop()
        if isinstance(route, APIRoute):
            found.append(route)
        waiting.extend(getattr(route, "routes", None) or ())
        included = getattr(route, "original_router", None)
        waiting.extend(getattr(included, "routes", None) or ())
    return found


async def test_every_operators_route_has_a_role_and_no_role_is_left_over(
    site: RunningSite,
) -> None:
    routes = routes_of(site)
    # The look finds routes at all.
    assert {"/", "/healthz", "/metrics"} <= {route.path for route in routes}
    declared = {
        f"{method} {route.path}"
        for route in routes
        if route.path.startswith("/operator")
        for method in route.methods or ()
    }
    assert declared == set(ROUTE_ROLES), "give each route of operators a role in route_roles.py"


@pytest.mark.parametrize("route", sorted(WITH_A_ROLE))
async def test_strangers_and_smaller_roles_are_refused(route: str, make_site: MakeSite) -> None:
    method, path = re.sub(r"\{\w+\}", "1", route).split(" ")
    async with make_site(metrics_token="a token that nobody here knows").running() as site:
        stranger = site.browser("192.0.2.9")
        refused = await stranger.client.request(method, path, headers={"origin": ORIGIN})
        assert refused.status_code == 403
        assert "For operators" in refused.text
        await add_account(site, "anna")
        below = BELOW.get(WITH_A_ROLE[route])
        if below is not None:
            await add_account(site, "ben", below)
            browser = await signed_in(site, "ben")
            refused = await browser.client.request(method, path, headers={"origin": ORIGIN})
            assert refused.status_code == 403
            assert f"role {below.word}; this needs" in refused.text
        browser = await signed_in(site, "anna")
        answer = await browser.client.request(method, path, headers={"origin": ORIGIN})
        # Let in, and then told what else is wrong with such a request.
        assert "For operators" not in answer.text
        assert "Your role" not in answer.text


async def test_an_account_opens_no_figures_and_a_cookie_is_sent_to_no_other_page(
    site: RunningSite,
) -> None:
    """Figures are for machines: see `server.web.operator_access`."""
    for module in (metrics, health):
        for route in module.router.routes:
            assert isinstance(route, APIRoute)
            assert not route.path.startswith("/operator")
    await add_account(site, "anna")
    browser = await signed_in(site, "anna")
    assert (await browser.get("/metrics")).status_code == 403


def test_a_role_may_do_what_those_before_it_may() -> None:
    assert [role.word for role in sorted(Role)] == ["watch", "run", "administer"]
    assert [Role.of(role.word) for role in Role] == list(Role)
    with pytest.raises(ValueError, match="expected a role"):
        Role.of("root")
