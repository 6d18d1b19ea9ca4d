// The list of running sessions, which keeps itself up to date. Without this it is a page to reload.
import { refreshPeriodically } from "./page_refresh";

const now = document.getElementById("now");
const stale = document.getElementById("stale");
if (now && stale) refreshPeriodically(now, stale);
