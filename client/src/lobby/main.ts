// The waiting page. Its text comes from the server; this keeps it up to date, tells the player
// when a partner is there, and goes to the play page. Leaving works through the page's form.
import { bootString, readBoot } from "../dom/boot";
import { sitePath } from "../dom/site_path";
import { socketUrl } from "../dom/socket_url";
import { tabId } from "../dom/tab";
import { retryDelay } from "../net/backoff";
import { closeKind, comesBack } from "../net/close_kind";
import { CloseCode, writeLobbyHello, writeLobbyReady } from "../wire/generated";
import type { LobbyServerMessage } from "../wire/generated";
import { clockText } from "../world/duration";
import { callFor } from "./attention";
import { readLobbyMessage } from "./message";
import { hideTakenLinks, showPlaces } from "./places";

const boot = readBoot();
const token = bootString(boot, "token");
const status = document.querySelector<HTMLElement>("[data-testid=lobby-status]");
const heading = document.getElementById("lobby-heading");
const position = document.getElementById("lobby-position");
const waiting = document.getElementById("lobby-waiting");
const waited = document.getElementById("lobby-waited");

const places = document.getElementById("lobby-places");
const begin = document.getElementById("lobby-begin");
const ready = document.getElementById("lobby-ready");
const readyButton = document.querySelector<HTMLButtonElement>("[data-testid=lobby-ready]");
const left = document.getElementById("lobby-left");

const begins = document.getElementById("lobby-begins");
const beginsIn = document.getElementById("lobby-begins-in");

const title = heading?.textContent ?? "";

let waitedSince = performance.now() - secondsShown() * 1000;
let attempt = 0;
let over = false;
let takeOver = false;
let current: WebSocket | null = null;
let isAsked = false;
let stopCalling = (): void => undefined;
const tab = tabId();

function secondsShown(): number {
  const [minutes, seconds] = (waited?.textContent ?? "0:00").split(":").map(Number);
  return (minutes || 0) * 60 + (seconds || 0);
}

/** Return a text of the page, in the language in which the server gave it. */
function words(name: string): string {
  return bootString(boot, name);
}

/** Call somebody who looks elsewhere, until they look or the reason is gone. */
function call(name: string): void {
  stopCalling();
  stopCalling = callFor(words(name));
}

function say(element: HTMLElement | null, text: string): void {
  // Only changes are written: a live region reads out whatever is written.
  if (element && element.textContent !== text) element.textContent = text;
}

function tick(): void {
  if (!over) say(waited, clockText((performance.now() - waitedSince) / 1000));
}

function apply(message: LobbyServerMessage): void {
  switch (message.tag) {
    case "status":
      say(status, message.text);
      say(position, String(message.position));
      say(waiting, String(message.waiting));
      // While the home is being opened they stay as they were.
      if (message.places.length > 0) {
        if (places) showPlaces(places, message.places);
        hideTakenLinks(document, message.places);
      }
      if (begin) begin.hidden = !message.mayBegin;
      if (message.leftS >= 0) say(left, clockText(message.leftS));
      if (begins) begins.hidden = message.beginsS < 0;
      say(beginsIn, clockText(Math.ceil(message.beginsS)));
      askReady(message.readyS);
      waitedSince = performance.now() - message.waitedS * 1000;
      tick();
      return;
    case "matched":
      over = true;
      hideWaitingParts();
      say(heading, words("homeReady"));
      say(status, words("takingYou"));
      call("homeReady");
      // Long enough to hear it; the partner is not kept waiting.
      window.setTimeout(() => window.location.assign(sitePath(message.playUrl)), 250);
      return;
    case "closed":
      over = true;
      close(message.text, message.code === CloseCode.OTHER_TAB);
  }
}

/** Ask whether the player is ready, for as long as the group is asked; 0: it is not. */
function askReady(seconds: number): void {
  if (ready) {
    ready.hidden = seconds <= 0;
    say(heading, seconds > 0 ? words("areYouReady") : title);
  }
  if (readyButton) readyButton.textContent = `${words("iAmReady")} (${Math.ceil(seconds)})`;
  if (seconds > 0 && !isAsked) {
    // Whoever waits for minutes looks elsewhere.
    call("areYouReady");
    readyButton?.focus();
  } else if (seconds <= 0 && isAsked) {
    stopCalling();
  }
  isAsked = seconds > 0;
}

/** Hide what the page offers or promises to those who wait in it; return what that is. */
function hideWaitingParts(): HTMLElement[] {
  const parts = [...document.querySelectorAll<HTMLElement>("[data-while-waiting]")];
  for (const part of parts) part.hidden = true;
  return parts;
}

function close(text: string, elsewhere: boolean): void {
  say(heading, words(elsewhere ? "elsewhere" : "over"));
  say(status, text);
  stopCalling();
  const waitingParts = hideWaitingParts();
  const link = document.createElement("a");
  link.className = elsewhere ? "button button-quiet" : "button";
  link.href = bootString(boot, "homePath", "/");
  link.textContent = words(link.pathname === "/" ? "toStart" : "goOn");
  link.dataset.testid = "lobby-home";
  const actions = document.createElement("div");
  actions.className = "lobby-actions";
  if (elsewhere) {
    const here = document.createElement("button");
    here.className = "button";
    here.type = "button";
    here.textContent = words("waitHere");
    here.dataset.testid = "lobby-here";
    here.addEventListener("click", () => {
      actions.remove();
      for (const part of waitingParts) part.hidden = false;
      say(heading, title);
      over = false;
      takeOver = true;
      connect();
    });
    actions.append(here);
  }
  actions.append(link);
  status?.after(actions);
}

function connect(): void {
  const socket = new WebSocket(socketUrl(bootString(boot, "wsPath", "/ws/lobby")));
  current = socket;
  socket.addEventListener("open", () => {
    socket.send(JSON.stringify(writeLobbyHello({ token, tab, takeOver })));
    // Asked for once: what connects by itself later must not push another tab out.
    takeOver = false;
  });
  socket.addEventListener("message", (event: MessageEvent<unknown>) => {
    const message = readLobbyMessage(event.data);
    if (!message) return;
    attempt = 0;
    apply(message);
  });
  socket.addEventListener("close", (event) => {
    if (over) return;
    if (!comesBack(closeKind(event.code))) {
      // The server said why in words that this page does not know.
      over = true;
      close(words("outdated"), false);
      return;
    }
    say(status, words("lost"));
    window.setTimeout(connect, retryDelay(attempt++, Math.random));
  });
  window.addEventListener("pagehide", () => socket.close(), { once: true });
}

readyButton?.addEventListener("click", () => {
  current?.send(JSON.stringify(writeLobbyReady()));
});

if (token) {
  connect();
  window.setInterval(tick, 1000);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });
}
