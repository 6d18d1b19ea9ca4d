// What was done, said, refused and decided, in time: the moment that is shown is marked, a press goes to another.
import { button, el, toggle } from "../dom/el";
import type { FilmCall, FilmIndex, FilmMark, FilmMoment } from "../wire/generated";
import { capitalised } from "../world/words";
import { clockAt } from "./film_clock";

interface Line {
  tick: number;
  kind: string;
  seat: number;
  text: string;
  detail: string;
  call: FilmCall | null;
}

const KINDS: readonly (readonly [string, string])[] = [
  ["did", "Acts"],
  ["said", "Chat"],
  ["refused", "Refusals"],
  ["decided", "Decisions"],
  ["step", "Steps"],
];

export class MomentsPanel {
  readonly root: HTMLElement;
  private readonly lines: Line[];
  private readonly items: HTMLLIElement[];
  private readonly list = el("ol", { class: "film-moments", testid: "film-moments" });
  private readonly hidden = new Set<string>();
  private current = -1;

  constructor(
    private readonly index: FilmIndex,
    private readonly seek: (tick: number) => void,
  ) {
    this.lines = linesOf(index);
    this.items = this.lines.map((line) => this.item(line));
    this.list.replaceChildren(...this.items);
    const present = KINDS.filter(([kind]) => this.lines.some((line) => line.kind === kind));
    const filters = present.map(([kind, name]) => {
      const box = el("input", { at: { type: "checkbox", checked: "" }, on: { change: () => this.filter(kind, box.checked) } });
      return el("label", { class: "film-filter" }, box, name);
    });
    const none = this.lines.length === 0 && el("p", { class: "hint", text: "Nothing was done or said." });
    this.root = el("section", { class: "panel film-side", at: { "aria-label": "What was done and said" } }, el("div", { class: "film-filters" }, ...filters), none, this.list);
  }

  /** Mark the last line that is not after a tick, and keep it in sight while the list is not being used. */
  show(tick: number): void {
    let found = -1;
    for (let i = 0; i < this.lines.length && (this.lines[i]?.tick ?? Infinity) <= tick; i++) if (!this.hidden.has(this.lines[i]?.kind ?? "")) found = i;
    if (found === this.current) return;
    this.items[this.current]?.removeAttribute("aria-current");
    this.current = found;
    const item = this.items[found];
    if (!item) return;
    item.setAttribute("aria-current", "true");
    if (this.root.matches(":hover, :focus-within")) return;
    this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
  }

  /** Return the tick of the line after or before a tick; null where there is none. */
  beside(tick: number, after: boolean): number | null {
    const shown = this.lines.filter((line) => !this.hidden.has(line.kind));
    const found = after ? shown.find((line) => line.tick > tick + 1) : shown.filter((line) => line.tick < tick - 1).pop();
    return found?.tick ?? null;
  }

  private filter(kind: string, shown: boolean): void {
    if (shown) this.hidden.delete(kind);
    else this.hidden.add(kind);
    this.lines.forEach((line, i) => toggle(this.items[i] as HTMLElement, !this.hidden.has(line.kind)));
  }

  private item(line: Line): HTMLLIElement {
    const { lanes } = this.index;
    const lane = lanes.find(({ seat }) => seat === line.seat);
    const time = button(clockAt(this.index, line.tick), () => this.seek(line.tick), { class: "film-time" });
    const words = el("span", { class: `film-words ${line.kind}` }, lane ? el("b", { text: `${capitalised(lane.name)} ` }) : null, line.text);
    const detail = line.detail && el("span", { class: "film-detail", text: line.detail });
    return el("li", { at: lane ? { "data-look": lane.look } : {} }, time, words, detail || null, line.call && callDetails(line.call, this.index));
  }
}

function linesOf(index: FilmIndex): Line[] {
  const moments = index.moments.map((m: FilmMoment): Line => ({ ...m, text: m.kind === "said" ? `“${m.text}”` : m.text, call: index.calls[m.call] ?? null }));
  const steps = index.marks.map((m: FilmMark): Line => ({ tick: m.tick, kind: "step", seat: -1, text: `Step ${m.number} ${m.holds ? "was done" : "was undone"}`, detail: m.text, call: null }));
  return [...moments, ...steps].sort((a, b) => a.tick - b.tick);
}

/** Return what a model was asked and answered, folded up. */
function callDetails(call: FilmCall, index: FilmIndex): HTMLElement {
  const at = (tick: number): string => clockAt(index, tick);
  const facts = `${call.model}, ${call.purpose}: asked at ${at(call.asked)}, counted at ${at(call.applied)}, ${call.seconds.toFixed(1)} s`;
  return el(
    "details",
    { class: "film-call" },
    el("summary", { text: "What the model was asked and answered" }),
    el("p", { class: "film-detail", text: facts }),
    el("h3", { text: "Answer" }),
    el("pre", { text: call.answer || call.error || "(none)" }),
    el("h3", { text: "Prompt" }),
    el("pre", { text: call.prompt || "(only its hash was recorded)" }),
  );
}
