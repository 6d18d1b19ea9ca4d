import { expect, test } from "vitest";

import { claimTab } from "../../src/dom/tab";
import type { TabStorage } from "../../src/dom/tab";

class Storage implements TabStorage {
  constructor(private readonly values = new Map<string, string>()) {}
  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
  removeItem(key: string): void {
    this.values.delete(key);
  }
  /** What a duplicated tab starts with. */
  copy(): Storage {
    return new Storage(new Map(this.values));
  }
}

let count = 0;
const random = (): string => `id-${count++}`;

test("a reload keeps the id, again and again", () => {
  const storage = new Storage();
  const id = claimTab(storage, random);
  for (let i = 0; i < 3; i++) {
    storage.setItem("cohabit.tab.left", "1");
    expect(claimTab(storage, random)).toBe(id);
  }
});

test("a duplicate of an open tab takes an id of its own, and both keep theirs", () => {
  const storage = new Storage();
  const id = claimTab(storage, random);
  const copied = storage.copy();
  const other = claimTab(copied, random);
  expect(other).not.toBe(id);
  for (const [page, own] of [
    [storage, id],
    [copied, other],
  ] as const) {
    page.setItem("cohabit.tab.left", "1");
    expect(claimTab(page, random)).toBe(own);
  }
});
