/** Read what the server gave the page: the JSON in `<script type="application/json" id="boot">`. */
export function readBoot(): Record<string, unknown> {
  const text = document.getElementById("boot")?.textContent ?? "";
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Return a number of the boot data, or 0 when there is none of this name. */
export function bootNumber(boot: Record<string, unknown>, name: string): number {
  const value = boot[name];
  return typeof value === "number" ? value : 0;
}

/** Return a string of the boot data, or `missing` when there is none of this name. */
export function bootString(boot: Record<string, unknown>, name: string, missing = ""): string {
  const value = boot[name];
  return typeof value === "string" ? value : missing;
}
