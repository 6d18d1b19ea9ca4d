import { framesPerSecond } from "./probe_scene";

/** Milliseconds for which pictures are counted. */
const DRAWING_MS = 1500;

/** Round trips to the server, in milliseconds, one after another. The first opens the connection and is left out. */
export async function roundTrips(path: string, count: number, ask: typeof fetch = fetch): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i <= count; i++) {
    const begun = performance.now();
    const answer = await ask(path, { cache: "no-store" });
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    if (i > 0) found.push(performance.now() - begun);
  }
  return found;
}

/** Kinds of input that the device says it has. */
export function inputs(matches: (query: string) => boolean, touchPoints: number): string[] {
  const found = [];
  const hasMouse = matches("(any-pointer: fine)");
  // No browser tells of a keyboard; whoever has a mouse has one.
  if (hasMouse) found.push("keyboard", "mouse");
  if (touchPoints > 0 || matches("(any-pointer: coarse)")) found.push("touch");
  return found;
}

/** Measure the device, fill in the form, and let it be sent. */
export async function checkDevice(check: HTMLElement): Promise<void> {
  const form = check.closest("form");
  const status = document.getElementById("device-status");
  const button = form?.querySelector<HTMLButtonElement>("[data-testid=device-continue]");
  if (!form || !status || !button) return;
  const set = (name: string, value: string): void => {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value;
  };
  const measureSize = (): void => {
    set("width", String(window.innerWidth));
    set("height", String(window.innerHeight));
  };
  measureSize();
  window.addEventListener("resize", measureSize);
  set("inputs", inputs((query) => window.matchMedia(query).matches, navigator.maxTouchPoints).join(","));
  try {
    const samples = await roundTrips(check.dataset.ping ?? "/visit-ping", Number(check.dataset.samples ?? 5));
    set("rtt_ms", samples.map((sample) => sample.toFixed(1)).join(","));
  } catch {
    // Sent without them: the server says what is missing and how to go on.
    set("rtt_ms", "");
  }
  set("fps", (await framesPerSecond(DRAWING_MS)).toFixed(1));
  status.textContent = check.dataset.ready ?? "";
  button.disabled = false;
}
