// Keys as commands. While somebody types or a panel has the focus, keys keep their usual meaning.
import { commandOf } from "./bindings";
import type { Bindings, Command } from "./bindings";

export interface KeyboardHandlers {
  /** Called with `down` once per press, however long the key repeats, and without when it is let go. */
  onCommand(command: Command, down: boolean): void;
  /** Called for a number key: 1 to 9. */
  onDigit(digit: number): void;
  onEscape(): void;
}

export class Keyboard {
  private readonly held = new Map<string, Command>();

  constructor(
    private bindings: Bindings,
    private readonly handlers: KeyboardHandlers,
  ) {
    window.addEventListener("keydown", (event) => this.down(event));
    window.addEventListener("keyup", (event) => this.up(event));
    window.addEventListener("blur", () => this.release());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.release();
    });
  }

  rebind(bindings: Bindings): void {
    this.release();
    this.bindings = bindings;
  }

  isHeld(command: Command): boolean {
    for (const held of this.held.values()) if (held === command) return true;
    return false;
  }

  /** Let go of every key: who loses the focus is told of no keyup. */
  release(): void {
    const commands = new Set(this.held.values());
    this.held.clear();
    for (const command of commands) this.handlers.onCommand(command, false);
  }

  private down(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.handlers.onEscape();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
    if (digit && !event.repeat) this.handlers.onDigit(Number(digit[1]));
    const command = commandOf(this.bindings, event.code);
    if (!command) return;
    event.preventDefault();
    if (event.repeat || this.held.has(event.code)) return;
    this.held.set(event.code, command);
    this.handlers.onCommand(command, true);
  }

  private up(event: KeyboardEvent): void {
    const command = this.held.get(event.code);
    if (!command) return;
    this.held.delete(event.code);
    if (!this.isHeld(command)) this.handlers.onCommand(command, false);
  }
}

/** Tell whether a key belongs to what has the focus: text anywhere, Space and Enter on a button. */
function isTyping(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("input, textarea, select, [contenteditable], dialog, [role=dialog]")) return true;
  return target.closest("button, a, summary") !== null && (event.code === "Space" || event.key === "Enter");
}
