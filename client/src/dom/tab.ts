const KEY = "cohabit.tab";

/** A random id of this browser tab, kept over reloads. */
export function tabId(): string {
  let id = "";
  try {
    id = sessionStorage.getItem(KEY) ?? "";
    if (!id) sessionStorage.setItem(KEY, (id = randomId()));
  } catch {
    // Storage may be forbidden: then a reload counts as another tab.
    id = randomId();
  }
  return id;
}

function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
