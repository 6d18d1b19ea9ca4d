// Presses that count: one that began elsewhere is not meant for what has come under the finger since.

/** A part of the page, as far as a press is concerned. */
export interface Pressable {
  contains(other: unknown): boolean;
}

/** Where the last press of each pointer began. */
export class PressGuard {
  private readonly began = new Map<number, unknown>();

  /** Note that a pointer came down on a part of the page. */
  down(pointer: number, on: unknown): void {
    this.began.set(pointer, on);
  }

  /** Forget a press, which has come to its end. */
  forget(pointer: number): void {
    this.began.delete(pointer);
  }

  /** Tell whether a click on a button was begun on it; one that no pointer began (a key, a screen reader) counts. */
  counts(pointer: number, button: Pressable): boolean {
    return !this.began.has(pointer) || button.contains(this.began.get(pointer));
  }
}

const BUTTONS = "button, a, label, select, summary, canvas";

/** Let a click within `root` through only where its press began on the same button. A browser gives the click of a
    tap to whatever lies under the finger after it was lifted, and that may have come by the tap itself. */
export function guardPresses(root: HTMLElement): void {
  const guard = new PressGuard();
  document.addEventListener("pointerdown", ({ pointerId, target }) => guard.down(pointerId, target), true);
  document.addEventListener("pointercancel", ({ pointerId }) => guard.forget(pointerId), true);
  root.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest(BUTTONS) : null;
    // A key that presses a button names no pointer that was down.
    const counts = !button || event.detail === 0 || guard.counts(event.pointerId, button);
    guard.forget(event.pointerId);
    if (counts) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}
