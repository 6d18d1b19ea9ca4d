import { describe, expect, test } from "vitest";

import type { CloseKind } from "../../src/net/close_kind";
import { screenOf } from "../../src/ui/screens";
import type { PlaySituation } from "../../src/ui/screens";

const PLAYING: PlaySituation = {
  link: { kind: "open" },
  loading: { world: true, loaded: 20, total: 20 },
  phase: "running",
  endReason: "",
  over: false,
  practiceOver: false,
  inStudy: false,
  others: [{ name: "your partner", presence: "connected" }],
  graphics: "ok",
  nowMs: 10_000,
};

function screen(part: Partial<PlaySituation>): ReturnType<typeof screenOf> {
  return screenOf({ ...PLAYING, ...part });
}

test("nothing covers the scene while playing", () => {
  expect(screen({})).toBeNull();
  expect(screen({ others: [] })).toBeNull();
  // A partner who is gone for a moment is no reason to stop.
  expect(screen({ others: [{ name: "your partner", presence: "reconnecting" }] })).toBeNull();
});

test("connecting, then loading with progress, then waiting for the partner", () => {
  const nothing = { world: false, loaded: 0, total: 1 };
  expect(screen({ link: { kind: "connecting", loss: null }, loading: nothing, phase: "" })?.id).toBe("connecting");
  const loading = screen({ loading: { world: true, loaded: 5, total: 20 }, phase: "gathering" });
  expect(loading?.id).toBe("loading");
  expect(loading?.progress).toBe(0.25);
  const gathering = screen({ phase: "gathering", others: [{ name: "your partner", presence: "loading" }] });
  expect(gathering?.steps).toEqual([
    { label: "The home", done: true },
    { label: "Its things", done: true },
    { label: "Your partner", done: false },
  ]);
  expect([gathering?.title, gathering?.text]).toEqual(["Your partner is on the way", "You start together, as soon as both of you are ready."]);
});

test("reconnecting counts down and then offers a way out", () => {
  const loss = { cause: "lost", deadlineMs: 22_500 } as const;
  const link = { kind: "waiting", loss } as const;
  expect(screen({ link })?.text).toContain("13 s");
  const late = screen({ link, nowMs: 30_000 });
  expect(late?.id).toBe("offline");
  expect(late?.actions.map((a) => a.action)).toEqual(["retry", "home"]);
  expect(screen({ link: { ...link, loss: { ...loss, cause: "restarting" } } })?.id).toBe("restarting");
});

describe("every way to be cut off has its own words and something to do", () => {
  const kinds: CloseKind[] = ["left", "broken", "refused", "over_limit", "other_tab", "not_you", "no_session", "version", "ended"];
  const shown = kinds.map((cause) => screen({ link: { kind: "closed", cause, text: "for programmers" } }));

  test.each(kinds.map((kind, i) => [kind, shown[i]] as const))("%s", (kind, covered) => {
    expect(covered?.id).toBe(kind);
    expect(covered?.actions.length).toBeGreaterThan(0);
    expect(covered?.text).not.toContain("programmers");
    expect(`${covered?.title} ${covered?.text}`).not.toMatch(/\d{4}|error/i);
  });

  test("each its own", () => {
    expect(new Set(shown.map((covered) => covered?.text)).size).toBe(kinds.length);
  });

  test("nobody who is refused is told that they came too late", () => {
    expect(shown[2]?.title).toBe("You cannot join this session");
    expect(`${shown[2]?.title} ${shown[2]?.text}`).not.toMatch(/late/);
  });

  test("a second tab may play here instead; a new version reloads", () => {
    expect(shown[4]?.actions[0]).toEqual({ label: "Play here instead", action: "take_over" });
    expect(shown[7]?.actions[0]?.action).toBe("reload");
  });
});

test("the end says why, and the report follows", () => {
  expect(screen({ phase: "ended", endReason: "time_limit" })?.title).toBe("Time is up");
  expect(screen({ over: true, endReason: "left" })?.title).toBe("Your partner has left");
  expect(screen({ over: true, endReason: "operator" })?.actions[0]?.action).toBe("report");
  // The server closes the connection after the end: that is not an error.
  expect(screen({ over: true, link: { kind: "closed", cause: "ended", text: "" } })?.id).toBe("over");
});

test("a practice that the study has ended leads on, and nobody is said to have left", () => {
  const ended = screen({ over: true, endReason: "left", practiceOver: true, others: [] });
  expect(ended?.title).toBe("The time for the practice is over");
  expect(ended?.actions.map(({ action }) => action)).toEqual(["home"]);
  expect(screen({ over: true, endReason: "success", practiceOver: true })?.title).toBe("Task complete");
  expect(screen({ over: true, endReason: "left", others: [] })?.title).toBe("That was it");
  // What is still going on is not covered: the page is on its way to another one.
  expect(screen({ practiceOver: true, others: [] })).toBeNull();
});

test("a participant without a place goes on in the study, and to no other home", () => {
  const link: PlaySituation["link"] = { kind: "closed", cause: "refused", text: "" };
  expect(screen({ link })?.text).toContain("from the start page");
  const told = screen({ link, inStudy: true });
  expect(told?.text).toContain("how the study goes on");
  expect(told?.actions).toEqual([{ label: "Continue", action: "home" }]);
  expect(screen({ link: { kind: "closed", cause: "left", text: "" }, inStudy: true })?.title).toBe("You have left");
});

test("nobody waits for those who have left", () => {
  const others = [
    { name: "person 2", presence: "gone" },
    { name: "person 3", presence: "loading" },
  ];
  const gathering = screen({ phase: "gathering", others });
  expect(gathering?.title).toBe("Person 3 is on the way");
  expect(gathering?.steps?.map(({ label }) => label)).toEqual(["The home", "Its things", "Person 3"]);
});

test("among several, those are named who are waited for", () => {
  const others = [
    { name: "robot 1", presence: "ready" },
    { name: "robot 2", presence: "loading" },
    { name: "the person", presence: "reconnecting" },
  ];
  const gathering = screen({ phase: "gathering", others });
  expect(gathering?.title).toBe("Robot 2 and the person are on the way");
  expect(gathering?.text).toBe("The person lost the connection and is coming back.");
  expect(gathering?.steps?.slice(2)).toEqual([
    { label: "Robot 1", done: true },
    { label: "Robot 2", done: false },
    { label: "The person", done: false },
  ]);
  expect(screen({ phase: "gathering", others: others.slice(0, 2) })?.text).toBe("You start together, as soon as everybody is ready.");
  expect(screen({ over: true, endReason: "left", others })?.title).toBe("Everybody else has left");
});

test("no WebGL, and a lost picture", () => {
  expect(screen({ graphics: "missing" })?.id).toBe("no_webgl");
  expect(screen({ graphics: "lost" })?.actions[0]?.action).toBe("reload");
});
