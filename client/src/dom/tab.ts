import { randomHex } from "./random_hex";

const KEY = "cohabit.tab";
const LEFT = "cohabit.tab.left";

/** The storage that `tabId` needs of the browser. */
export interface TabStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Return a random id of this browser tab, kept over reloads and from page to page.

    A duplicated tab starts with a copy of the original's storage. Only a page that has left its tab
    has marked the id as free, so the copy of a page that is still open takes a new one. */
export function tabId(): string {
  try {
    const id = claimTab(sessionStorage, randomId);
    window.addEventListener("pagehide", () => sessionStorage.setItem(LEFT, "1"));
    // Back from the browser's cache of pages.
    window.addEventListener("pageshow", () => sessionStorage.removeItem(LEFT));
    return id;
  } catch {
    // Storage may be forbidden: then a reload counts as another tab.
    return randomId();
  }
}

/** Take the id in the storage if its page has left it, else a new one. */
export function claimTab(storage: TabStorage, random: () => string): string {
  const left = storage.getItem(LEFT) !== null;
  storage.removeItem(LEFT);
  let id = storage.getItem(KEY);
  if (id && left) return id;
  id = random();
  storage.setItem(KEY, id);
  return id;
}

function randomId(): string {
  return randomHex(16);
}
