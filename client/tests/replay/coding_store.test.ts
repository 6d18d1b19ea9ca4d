import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { CodingStore, newKey } from "../../src/replay/coding_store";
import { writeCodingProblem, writeCodingSheet } from "../../src/wire/generated";
import type { CodingSheet } from "../../src/wire/generated";

const SHEET: CodingSheet = { coder: "anna", longestText: 2000, books: [], notes: [] };
const DRAFT = { key: "k", book: "helping", code: "waits", first: 1, last: 9, text: "" };

let answers: (Response | "lost")[];
let sent: { path: string; body: string }[];
let told: string[];
let shown: number;

function store(): CodingStore {
  return new CodingStore("/c", { name: "form_token", value: "t" }, { shown: () => shown++, tell: (text) => told.push(text) });
}

const kept = (): Response => new Response(JSON.stringify(writeCodingSheet(SHEET)));

beforeEach(() => {
  [answers, sent, told, shown] = [[], [], [], 0];
  vi.useFakeTimers();
  vi.stubGlobal("window", Object.assign(new EventTarget(), { setTimeout }));
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => {
    if (init?.method === "POST") sent.push({ path, body: String(init.body as URLSearchParams) });
    const answer = answers.shift() ?? kept();
    return answer === "lost" ? Promise.reject(new TypeError("no network")) : Promise.resolve(answer);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what cannot be sent is sent again with the same key, and what follows waits for it", async () => {
  answers = ["lost", new Response("", { status: 503 })];
  const coding = store();
  coding.keep(DRAFT);
  coding.finish("helping", true);
  await vi.advanceTimersByTimeAsync(0);
  expect(told.at(-1)).toContain("Not kept yet (2)");
  await vi.advanceTimersByTimeAsync(6000);
  expect(sent.map(({ path }) => path)).toEqual(["/c/notes", "/c/notes", "/c/notes", "/c/finished"]);
  expect(new Set(sent.slice(0, 3).map(({ body }) => body)).size).toBe(1);
  expect(sent[0]?.body).toBe("key=k&book=helping&code=waits&first=1&last=9&text=&form_token=t");
  expect(told.at(-1)).toBe("");
  expect(shown).toBe(2);
});

test("a refusal is told, and the sheet is as the server has it", async () => {
  answers = [new Response(JSON.stringify(writeCodingProblem({ text: "the note lies outside the episode" })), { status: 409 })];
  const coding = store();
  coding.keep(DRAFT);
  coding.remove("not_1");
  await vi.advanceTimersByTimeAsync(0);
  expect(told.at(-1)).toBe("the note lies outside the episode");
  expect(sent.map(({ path }) => path)).toEqual(["/c/notes", "/c/removed"]);
});

test("what somebody noted who is signed out waits for them to sign in again", async () => {
  answers = [new Response("", { status: 403 })];
  store().keep(DRAFT);
  await vi.advanceTimersByTimeAsync(0);
  expect(told.at(-1)).toContain("Sign in, in another tab");
  await vi.advanceTimersByTimeAsync(3000);
  expect(sent).toHaveLength(2);
  expect(told.at(-1)).toBe("");
});

test("what was noted on an episode that is gone is given up", async () => {
  answers = [new Response("", { status: 404 })];
  store().keep(DRAFT);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  expect(told.at(-1)).toContain("the episode is gone");
});

test("keys are long and differ", () => {
  const keys = new Set(Array.from({ length: 50 }, newKey));
  expect(keys.size).toBe(50);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{24}$/);
});
