"""Classes of what passes between browsers and the server, and of what the server prints."""

from __future__ import annotations

from server.privacy import terms
from server.privacy.data_classes import Holding, Seen, holding

COOKIES: tuple[Holding, ...] = (
    holding(
        "cohabit_participant",
        "to come back to one's own session; a random number, of which the server keeps the hash",
        "until the browser is closed; once a button to play was pressed, 180 days",
        Seen.THE_BROWSER,
        pseudonymous="value",
    ),
    holding(
        "cohabit_form",
        "to know that a form is of this site; a random number, stored nowhere",
        "until the browser is closed",
        Seen.THE_BROWSER,
        technical="value",
    ),
    holding(
        "cohabit_operator",
        "sign-in of an operator; a random number, of which the server keeps the hash",
        "12 hours at most",
        Seen.THE_BROWSER,
        personal="value",
    ),
    holding(
        "cohabit_operator_browser",
        "to let guesses from elsewhere lock no operator out; a signed note of the account",
        "180 days",
        Seen.THE_BROWSER,
        personal="value",
    ),
    holding(
        "cohabit_operator_oidc",
        "to know a browser again that comes back from an OpenID Connect provider; a random number, "
        "of which the server keeps the hash in memory",
        "10 minutes at most",
        Seen.THE_BROWSER,
        technical="value",
    ),
)

STORAGE: tuple[Holding, ...] = (
    holding(
        "cohabit.settings",
        "keys, sounds and sizes that somebody has chosen",
        terms.BROWSER,
        Seen.THE_BROWSER,
        technical="value",
    ),
    holding(
        "cohabit.tutorial",
        "steps of the tutorial that are done",
        terms.BROWSER,
        Seen.THE_BROWSER,
        technical="value",
    ),
    holding(
        "cohabit.tab",
        "a random id of the tab, so that a reload keeps its seat",
        terms.TAB,
        Seen.THE_BROWSER,
        technical="value",
    ),
    holding(
        "cohabit.tab.left",
        "whether a copy of the tab needs an id of its own",
        terms.TAB,
        Seen.THE_BROWSER,
        technical="value",
    ),
    holding(
        "cohabit.muted.SESSION",
        "whose chat somebody does not want to read",
        terms.TAB,
        Seen.THE_BROWSER,
        pseudonymous="value",
    ),
    holding(
        "cohabit.draft",
        "what is filled in on a page of a study",
        "until the page is left",
        Seen.THE_BROWSER,
        free_text="value",
    ),
)

HEADERS: tuple[Holding, ...] = (
    holding(
        "read and used",
        "to answer a request; none of them is stored",
        terms.REQUEST,
        Seen.NOBODY,
        technical="accept-encoding content-encoding connection content-length content-type host "
        "origin purpose referer sec-fetch-dest sec-fetch-mode sec-fetch-site sec-purpose te "
        "transfer-encoding x-moz x-purpose",
    ),
    holding(
        "read for the language",
        "the language of pages; the one that was chosen is stored with a visit",
        terms.REQUEST,
        Seen.NOBODY,
        technical="accept-language",
    ),
    holding(
        "who asks",
        "cookies, and the token of machines that read figures",
        terms.REQUEST,
        Seen.NOBODY,
        pseudonymous="cookie",
        personal="authorization",
    ),
    holding(
        "the address on the internet",
        "limits for each address, and to believe proxies; counted in memory, never stored, printed "
        "or exported, and no setting changes that",
        "in memory, an hour at most",
        Seen.NOBODY,
        personal="x-forwarded-for",
    ),
    holding(
        "known by name alone",
        "a request of an ordinary browser has no others; what they say is not read",
        terms.REQUEST,
        Seen.NOBODY,
        technical="device-memory pragma user-agent x-prometheus-scrape-timeout-seconds",
    ),
    holding(
        "sent",
        "how a browser treats the page; they say nothing of who asks",
        terms.REQUEST,
        Seen.THE_BROWSER,
        none="cache-control content-security-policy cross-origin-opener-policy permissions-policy "
        "referrer-policy retry-after strict-transport-security vary x-content-type-options",
    ),
)

LOG_FIELDS: tuple[Holding, ...] = (
    holding(
        "server log",
        "for operators: what started, failed or was refused",
        terms.SERVER_LOG,
        Seen.OPERATORS,
        none="at_work bytes channel days drain_s first_run_s how kind limit log mode model "
        "packed_bytes parameter pid policy recruiter resumed_sessions state study version what "
        "worker",
        technical="act asked came cause count exc_info fault from_loopback hint instead_of into "
        "is_of_chat kept_as lost_bytes lost_events lost_s lost_ticks page path place playing "
        "reason silent_s socket stretched_s tick",
        pseudonymous="episode on seat session sessions ticket tickets visit",
        personal="by who",
    ),
)
"""Fields that the server's own log has beside the name of what happened."""
