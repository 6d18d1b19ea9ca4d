// The operators' pages: the list of running sessions keeps itself up to date, and the link that the
// server printed opens them. Without this they are pages to reload, and a secret to type.
import { enterWithLink } from "./entrance_link";
import { refreshPeriodically } from "./page_refresh";

enterWithLink();
const now = document.getElementById("now");
const stale = document.getElementById("stale");
if (now && stale) refreshPeriodically(now, stale);
