import { deflateSync } from "node:zlib";

import { beforeEach, describe, expect, test } from "vitest";

import { Connection } from "../../src/session/connection";
import { CloseCode, writeEpisodeOver, writePong, writeWelcome } from "../../src/wire/generated";
import type { ClientMessage, ServerMessage } from "../../src/wire/generated";
import { FakeEnvironment, settle } from "./fake_environment";

const RECONNECT_S = 20;
const WELCOME = { sessionId: "ses_1", me: 0, tickRate: 30, serverVersion: "1", chatLimit: 500, reconnectS: RECONNECT_S };
/** What a websocket tells that broke without a word. */
const BROKEN = 1006;

let browser: FakeEnvironment;
let connection: Connection;
let got: ServerMessage[];

beforeEach(() => {
  browser = new FakeEnvironment();
  got = [];
  connection = new Connection(
    {
      url: "wss://a.example/ws/play",
      codec: "json",
      token: "t",
      tab: "tab-1",
      clientVersion: "1",
      idleMs: () => 7,
      onMessage: (message) => got.push(message),
    },
    browser,
  );
});

function welcome(): void {
  browser.socket.accept();
  browser.socket.say(writeWelcome(WELCOME));
}

function lastHello(): Extract<ClientMessage, { tag: "hello" }> {
  const [first] = browser.socket.sent;
  if (first?.tag !== "hello") throw new Error("the first message is no hello");
  return first;
}

/** End the connection, and wait until the page has read what came before. */
async function end(code: number, reason = ""): Promise<void> {
  browser.socket.end(code, reason);
  await settle();
}

/** Milliseconds until the next socket is opened, to within 10; null when none is within a minute. */
async function untilNextAttempt(): Promise<number | null> {
  const before = browser.sockets.length;
  for (let ms = 10; ms <= 60_000; ms += 10) {
    await browser.wind(10);
    if (browser.sockets.length > before) return ms;
  }
  return null;
}

describe("a connection that holds", () => {
  test("is opened, greets, and is open when it is welcomed", () => {
    connection.open();
    expect(connection.state).toEqual({ kind: "connecting", loss: null });
    expect(connection.send({ tag: "ready" })).toBe(false);
    browser.socket.accept();
    expect(connection.state.kind).toBe("greeting");
    expect(lastHello()).toEqual({ tag: "hello", token: "t", tab: "tab-1", clientVersion: "1", takeOver: false });
    browser.socket.say(writeWelcome(WELCOME));
    expect(connection.state.kind).toBe("open");
    expect(connection.send({ tag: "ready" })).toBe(true);
  });

  test("pings each second and measures the round trip", async () => {
    connection.open();
    welcome();
    await browser.wind(3000);
    const pings = browser.socket.sent.filter((message) => message.tag === "ping");
    expect(pings).toHaveLength(4);
    expect(pings[0]).toMatchObject({ rttMs: -1, idleMs: 7, hidden: false });
    browser.socket.say(writePong({ clientMs: browser.now() - 40, tick: 90 }));
    expect(connection.rttMs).toBe(40);
  });
});

describe("a connection that is lost", () => {
  beforeEach(() => {
    connection.open();
    welcome();
  });

  test("comes back after 100 ms, then twice as long each time, up to 5 s", async () => {
    await end(BROKEN);
    const waits: (number | null)[] = [];
    for (let i = 0; i < 8; i++) {
      waits.push(await untilNextAttempt());
      await end(BROKEN);
    }
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });

  test("takes a quarter more or less than three quarters of that", async () => {
    for (const [dice, waited] of [[0, 50], [0.5, 80], [1, 100]] as const) {
      browser.dice = dice;
      await end(BROKEN);
      expect(await untilNextAttempt(), `dice ${dice}`).toBe(waited);
      welcome();
    }
  });

  test("begins with the shortest wait again once it was back", async () => {
    for (let i = 0; i < 4; i++) {
      await end(BROKEN);
      await untilNextAttempt();
    }
    welcome();
    await end(BROKEN);
    expect(await untilNextAttempt()).toBe(100);
  });

  test("tells how long the place is kept: since the first loss, as the server said", async () => {
    const lostAtMs = browser.now();
    await end(BROKEN);
    const loss = { cause: "lost", deadlineMs: lostAtMs + RECONNECT_S * 1000 };
    expect(connection.state).toEqual({ kind: "waiting", loss });
    await untilNextAttempt();
    expect(connection.state).toEqual({ kind: "connecting", loss });
    browser.socket.accept();
    expect(connection.state).toEqual({ kind: "greeting", loss });
    await end(BROKEN);
    expect(connection.state).toEqual({ kind: "waiting", loss });
    // The server decides whether it is too late.
    await browser.wind(60_000);
    welcome();
    expect(connection.state).toEqual({ kind: "open" });
  });

  test("sends nothing, and keeps nothing for later", async () => {
    await end(BROKEN);
    expect(connection.send({ tag: "say", text: "hello?" })).toBe(false);
    await untilNextAttempt();
    welcome();
    expect(browser.socket.sent.some((message) => message.tag === "say")).toBe(false);
  });

  test.each([
    ["the server is going away", CloseCode.GOING_AWAY, "restarting"],
    ["the page read too slowly", CloseCode.TRY_AGAIN, "lost"],
    ["the network broke", BROKEN, "lost"],
    ["nobody knows why", 4999, "lost"],
  ] as const)("comes back by itself when %s", async (_why, code, cause) => {
    await end(code);
    expect(connection.state).toMatchObject({ kind: "waiting", loss: { cause } });
    expect(await untilNextAttempt()).toBe(100);
    welcome();
    expect(connection.state.kind).toBe("open");
  });

  test.each([
    ["an ended session", 1000, "ended"],
    ["the end of the stay", CloseCode.DONE, "left"],
    ["a damaged message", CloseCode.MALFORMED, "broken"],
    ["a refusal", CloseCode.REFUSED, "refused"],
    ["too many messages", CloseCode.OVER_LIMIT, "over_limit"],
    ["another tab", CloseCode.OTHER_TAB, "other_tab"],
    ["a token of somebody else", CloseCode.UNAUTHENTICATED, "not_you"],
    ["a session that is over", CloseCode.NO_SESSION, "no_session"],
    ["another version", CloseCode.VERSION, "version"],
  ] as const)("stays closed after %s", async (_why, code, cause) => {
    await end(code, "for programmers");
    expect(connection.state).toEqual({ kind: "closed", cause, text: "for programmers" });
    expect(await untilNextAttempt()).toBeNull();
    browser.comeBack();
    connection.hurry();
    expect(browser.sockets).toHaveLength(1);
  });

  test("delivers what arrived before the end, although inflating takes a while", async () => {
    const over = deflateSync(JSON.stringify(writeEpisodeOver({ episodeId: "epi_1", reason: "finished" })));
    browser.socket.deliver(new Uint8Array(over).buffer);
    browser.socket.end(1000);
    expect(connection.state.kind).toBe("open");
    await expect.poll(() => connection.state.kind).toBe("closed");
    expect(got.map(({ tag }) => tag)).toEqual(["welcome", "over"]);
  });
});

describe("another tab", () => {
  test("loses its place when somebody asks to play here instead", async () => {
    connection.open();
    browser.socket.accept();
    await end(CloseCode.OTHER_TAB);
    expect(connection.state).toMatchObject({ kind: "closed", cause: "other_tab" });
    connection.open(true);
    expect(connection.state).toEqual({ kind: "connecting", loss: null });
    browser.socket.accept();
    expect(lastHello().takeOver).toBe(true);
  });

  test("is asked for until it is granted, over losses too, and only once", async () => {
    connection.open(true);
    browser.socket.accept();
    await end(CloseCode.GOING_AWAY);
    await untilNextAttempt();
    welcome();
    expect(lastHello().takeOver).toBe(true);
    await end(BROKEN);
    await untilNextAttempt();
    welcome();
    expect(lastHello().takeOver).toBe(false);
  });
});

describe("there is never more than one socket", () => {
  beforeEach(() => {
    connection.open();
    welcome();
  });

  test("when somebody does not wait for the next attempt", async () => {
    await end(BROKEN);
    connection.hurry();
    expect(browser.sockets).toHaveLength(2);
    // Neither again, nor by the timer that was running.
    connection.hurry();
    browser.comeBack();
    await browser.wind(1000);
    expect(browser.sockets).toHaveLength(2);
    welcome();
    connection.hurry();
    expect(browser.sockets).toHaveLength(2);
    expect(browser.live).toBe(1);
  });

  test("when the network comes back", async () => {
    for (let i = 0; i < 6; i++) {
      await end(BROKEN);
      await untilNextAttempt();
    }
    await end(BROKEN);
    browser.comeBack();
    expect(browser.live).toBe(1);
  });

  test("when an old one ends late", async () => {
    const old = browser.socket;
    connection.open(true);
    expect(old.state).toBe("closed");
    welcome();
    old.end(BROKEN);
    old.say(writePong({ clientMs: 0, tick: 1 }));
    await settle();
    expect(connection.state).toEqual({ kind: "open" });
    expect(got.some(({ tag }) => tag === "pong")).toBe(false);
    expect(browser.live).toBe(1);
  });

  test("when somebody asks anew while an attempt is waited for", async () => {
    await end(BROKEN);
    connection.open();
    welcome();
    await browser.wind(1000);
    expect(browser.sockets).toHaveLength(2);
    expect(connection.state.kind).toBe("open");
  });
});

describe("silence", () => {
  beforeEach(() => {
    connection.open();
    welcome();
  });

  test("for eight seconds is a lost connection", async () => {
    await browser.wind(8000);
    expect(connection.state.kind).toBe("open");
    await browser.wind(1000);
    expect(connection.state).toMatchObject({ kind: "waiting", loss: { cause: "lost" } });
    expect(browser.live).toBe(0);
  });

  test("does not count while the tab is hidden, which the server is told", async () => {
    browser.isHidden = true;
    await browser.wind(60_000);
    expect(connection.state.kind).toBe("open");
    expect(browser.socket.sent.at(-1)).toMatchObject({ tag: "ping", hidden: true });
    browser.isHidden = false;
    connection.ping();
    expect(connection.state.kind).toBe("waiting");
  });

  test("of a server that never accepts is given up after ten seconds", async () => {
    await end(BROKEN);
    await untilNextAttempt();
    const { socket } = browser;
    await browser.wind(9990);
    expect(socket.state).toBe("connecting");
    await browser.wind(10);
    expect(socket.state).toBe("closed");
  });
});
