"""Renderer of templates, with the form token and the client's scripts that every page needs."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from server.web.client_build import ClientBuild, ClientMissingError
from server.web.csrf import FIELD, Csrf
from server.web.errors import PageError
from server.web.identity import Identity
from server.web.page_templates import TEMPLATES, self_contained

SITE_ENTRY = "src/site/main.ts"
PRESENCE_ENTRY = "src/presence/main.ts"
VISIT = "/visit"
"""Address at which somebody's visit to a study goes on."""
OWN_DATA = "/my-data"
"""Address of what is kept of whoever plays in a browser, and beginning of the link that lasts."""


class Pages:
    """Renderer of pages. ``texts_for`` gives our texts for an ``Accept-Language`` header."""

    def __init__(
        self,
        client: ClientBuild,
        csrf: Csrf,
        identity: Identity,
        texts_for: Callable[[str], Callable[..., str]],
    ) -> None:
        self._client, self._csrf, self._identity = client, csrf, identity
        self._texts_for = texts_for

    def show(
        self,
        request: Request,
        template: str,
        *,
        status: int = 200,
        entry: str | None = None,
        still_here: str = "",
        **values: Any,
    ) -> Response:
        """Render a page.

        ``entry`` names the client entry that runs on it beside the site's own. ``still_here`` is
        the path at which it says that it is open, for as long as it has no socket.
        """
        try:
            site = self._client.entry(SITE_ENTRY)
            own = self._client.entry(entry) if entry is not None else None
            presence = self._client.entry(PRESENCE_ENTRY) if still_here else None
        except ClientMissingError as error:
            return self._without_client(error, template, values)
        nonce = self._csrf.nonce(request)
        html = TEMPLATES.get_template(template).render(
            site=site,
            entry=own,
            presence=presence,
            still_here=still_here,
            form_field=FIELD,
            form_token=self._csrf.token(nonce),
            **values,
        )
        response = HTMLResponse(html, status)
        self._csrf.set_cookie(response, nonce)
        self._identity.offer(request, response)
        return response

    def error(self, request: Request, error: PageError) -> Response:
        """Draw the page of an error. Who takes part in a study is not led to open play."""
        path = request.url.path
        is_visit = path == VISIT or path.startswith(f"{VISIT}/")
        is_of_study = is_visit or path.startswith(("/s/", "/debrief/"))
        goes_on = is_visit and error.status == HTTPStatus.SERVICE_UNAVAILABLE
        response = self.show(
            request,
            "error.html",
            status=error.status,
            heading=error.heading,
            text=error.text,
            leads_home=error.leads_home and not is_of_study,
            way_on=VISIT if goes_on else "",
            again=path if error.reloads_after_s is not None else "",
            t=self._texts_for(request.headers.get("accept-language", "")),
        )
        if error.retry_after_s is not None:
            response.headers["retry-after"] = str(error.retry_after_s)
        if error.reloads_after_s is not None:
            # Browsers heed it without a script.
            response.headers["refresh"] = str(error.reloads_after_s)
        return response

    def misdirected(self, status: HTTPStatus, name: str = "") -> Response:
        """Render the page for a request that asked for ``name``, which is not ours.

        It carries its own style, since whatever it linked to would be refused as well.
        """
        bad = status is HTTPStatus.BAD_REQUEST
        heading = "No host was named" if bad else "This server goes by another name"
        page = self_contained("misdirected.html", heading=heading, name=name)
        return HTMLResponse(page.html, status, {"content-security-policy": page.policy})

    def _without_client(
        self, error: ClientMissingError, template: str, values: dict[str, Any]
    ) -> Response:
        if template == "error.html":
            return PlainTextResponse(f"{values['heading']}\n\n{values['text']}\n", 503)
        html = TEMPLATES.get_template("no_client.html").render(reason=str(error))
        return HTMLResponse(html, HTTPStatus.SERVICE_UNAVAILABLE)
