import { expect, test } from "vitest";

import { DraftCopy, type Field, type Kept } from "../../src/visit/draft_copy";

class Tab implements Kept {
  private readonly texts = new Map<string, string>();
  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.texts.set(key, value);
  }
  removeItem(key: string): void {
    this.texts.delete(key);
  }
  get size(): number {
    return this.texts.size;
  }
}

/** The fields of a page as the server draws it, with what it knows of them. */
function page(trust = "", words = ""): Required<Field>[] {
  const field = (type: string, name: string, value: string, checked = false): Required<Field> => ({ type, name, value, checked });
  return [
    field("hidden", "step", "7"),
    field("radio", "q.trust", "1", trust === "1"),
    field("radio", "q.trust", "2", trust === "2"),
    field("checkbox", "q.devices.mouse", "on"),
    field("textarea", "q.words", words),
    field("submit", "decision", "agree"),
  ];
}

function filled(): Required<Field>[] {
  const fields = page("2", "Fine");
  fields[3]!.checked = true;
  return fields;
}

test("a reload brings back at once what was filled in", () => {
  const tab = new Tab();
  new DraftCopy("a7", tab).keep("/visit/survey", filled());
  const fields = page();
  expect(new DraftCopy("a7", tab).bringBack("/visit/survey", fields)).toBe(true);
  expect(fields).toEqual(filled());
});

test("what the tab has is newer than what the server knew, also where it is empty", () => {
  const tab = new Tab();
  new DraftCopy("a7", tab).keep("/visit/survey", page("1", ""));
  const fields = filled();
  expect(new DraftCopy("a7", tab).bringBack("/visit/survey", fields)).toBe(true);
  expect(fields).toEqual(page("1", ""));
});

test("what the server knows as well is no change to send", () => {
  const tab = new Tab();
  new DraftCopy("a7", tab).keep("/visit/survey", filled());
  expect(new DraftCopy("a7", tab).bringBack("/visit/survey", filled())).toBe(false);
});

test("another page, another step and somebody else in the same tab see nothing of it", () => {
  const tab = new Tab();
  new DraftCopy("a7", tab).keep("/visit/survey", filled());
  const fields = page();
  expect(new DraftCopy("a7", tab).bringBack("/visit/quiz", fields)).toBe(false);
  expect(new DraftCopy("b7", tab).bringBack("/visit/survey", fields)).toBe(false);
  expect(fields).toEqual(page());
  expect(tab.size).toBe(0);
});

test("each form of a page has its own, and one that is sent has none", () => {
  const tab = new Tab();
  const copy = new DraftCopy("a7", tab);
  copy.keep("/visit/survey", filled());
  copy.keep("/visit/i-have-a-problem", page("", "It is dark"));
  copy.forget("/visit/i-have-a-problem");
  const fields = page();
  const help = page();
  const again = new DraftCopy("a7", tab);
  again.bringBack("/visit/i-have-a-problem", help);
  again.bringBack("/visit/survey", fields);
  expect(help).toEqual(page());
  expect(fields).toEqual(filled());
});

test("hidden fields are the page's own", () => {
  const tab = new Tab();
  new DraftCopy("a7", tab).keep("/visit/survey", filled());
  const fields = page();
  fields[0]!.value = "8";
  new DraftCopy("a7", tab).bringBack("/visit/survey", fields);
  expect(fields[0]!.value).toBe("8");
});

test("a browser that keeps nothing loses nothing that the server brings", () => {
  new DraftCopy("a7", null).keep("/visit/survey", filled());
  const fields = page("1");
  expect(new DraftCopy("a7", null).bringBack("/visit/survey", fields)).toBe(false);
  expect(fields).toEqual(page("1"));
});
