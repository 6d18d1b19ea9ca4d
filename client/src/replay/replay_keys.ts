// The keys of a replay: those that are pressed once, and those that fly while they are held.
import { VIEWS } from "./camera";
import type { View } from "./camera";

export interface KeyHandlers {
  play(): void;
  seekBy(seconds: number): void;
  step(ticks: number): void;
  toEnd(last: boolean): void;
  beside(after: boolean): void;
  faster(steps: number): void;
  follow(seat: number): void;
  nextView(): void;
  toggleMap(): void;
  toggleMoments(): void;
  link(): void;
  /** Puts the code with a number, from 0, on the moment that is shown. */
  code(number: number): void;
}

const FLYING = new Set(["KeyW", "KeyA", "KeyS", "KeyD", "KeyQ", "KeyE"]);

export class ReplayKeys {
  private readonly held = new Set<string>();
  private shift = false;

  constructor(private readonly handlers: KeyHandlers) {
    window.addEventListener("keydown", (event) => this.down(event));
    window.addEventListener("keyup", (event) => this.up(event));
    window.addEventListener("blur", () => this.held.clear());
  }

  /** How the held keys fly: forward, to the right and up, and whether in a hurry. */
  get flight(): { forward: number; right: number; up: number; hurry: boolean } {
    const axis = (plus: string, minus: string): number => Number(this.held.has(plus)) - Number(this.held.has(minus));
    return { forward: axis("KeyW", "KeyS"), right: axis("KeyD", "KeyA"), up: axis("KeyE", "KeyQ"), hurry: this.shift };
  }

  private up(event: KeyboardEvent): void {
    this.held.delete(event.code);
    this.shift = event.shiftKey;
  }

  private down(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    this.shift = event.shiftKey;
    const target = event.target as HTMLElement;
    // Whoever writes words flies nowhere.
    if (target.matches('input[type="text"]')) return;
    if (FLYING.has(event.code)) this.held.add(event.code);
    // What has the focus uses some keys itself.
    if (target.matches("input, select, textarea") && !/^(Key|Bracket|Comma|Period|Digit)/.test(event.code)) return;
    if (target.matches("button, a, summary, label") && (event.code === "Space" || event.code === "Enter")) return;
    if (this.press(event)) event.preventDefault();
  }

  private press({ code, key, shiftKey, repeat }: KeyboardEvent): boolean {
    const { handlers } = this;
    const coded = shiftKey && /^Digit([1-9])$/.exec(code);
    if (coded) return done(() => !repeat && handlers.code(Number(coded[1]) - 1));
    const digit = /^Digit([1-5])$/.exec(code);
    if (digit) return done(() => handlers.follow(Number(digit[1]) - 1));
    if (key === "+") return done(() => handlers.faster(1));
    if (key === "-") return done(() => handlers.faster(-1));
    switch (code) {
      case "Space":
        return done(() => !repeat && handlers.play());
      case "ArrowLeft":
        return done(() => handlers.seekBy(shiftKey ? -1 : -5));
      case "ArrowRight":
        return done(() => handlers.seekBy(shiftKey ? 1 : 5));
      case "Comma":
        return done(() => handlers.step(-1));
      case "Period":
        return done(() => handlers.step(1));
      case "BracketLeft":
        return done(() => handlers.beside(false));
      case "BracketRight":
        return done(() => handlers.beside(true));
      case "Home":
        return done(() => handlers.toEnd(false));
      case "End":
        return done(() => handlers.toEnd(true));
      case "KeyV":
        return done(() => handlers.nextView());
      case "KeyM":
        return done(() => handlers.toggleMap());
      case "KeyH":
        return done(() => handlers.toggleMoments());
      case "KeyL":
        return done(() => handlers.link());
      default:
        return false;
    }
  }
}

function done(act: () => unknown): true {
  act();
  return true;
}

export function viewAfter(view: View): View {
  return VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] ?? "eyes";
}
