import { button, el, setText, toggle } from "../dom/el";
import type { SeatLook } from "../world/seat_looks";

const LEAST_PX = 120;
/** Characters of a name beside which there is no room for what its bearer does. */
const LONG_TITLE = 12;

/** Somebody else, as the panel names them. */
export interface ShownPartner {
  index: number;
  seatId: string;
  title: string;
  look: SeatLook;
  presence: string;
  finished: boolean;
}

interface Tab {
  root: HTMLButtonElement;
  doing: HTMLElement;
}

/** Write what somebody does; a long text is cut after three lines, or two in low windows, and whole where the pointer rests on it. */
function tell(line: HTMLElement, text: string): void {
  setText(line, text);
  if (line.title !== text) line.title = text;
}

/** What the others see and do: a frame over the corner of the scene for one of them, and a line of text for
    each. Of several each line is a tab; the frame shows the chosen one. */
export class PartnerPanel {
  readonly root: HTMLElement;
  readonly frame: HTMLElement;
  private readonly name = el("span", { class: "partner-name" });
  private readonly doing = el("span", { class: "partner-doing", testid: "partner-status" });
  private readonly tabList = el("div", { class: "partner-tabs", at: { role: "tablist", "aria-label": "The others", "aria-orientation": "vertical" } });
  private readonly hide: HTMLButtonElement;
  private tabs = new Map<number, Tab>();
  private partners: readonly ShownPartner[] = [];
  private doings = new Map<number, string>();
  private chosenSeat = -1;
  private viewAllowed = false;
  private shown = true;

  constructor(
    onToggle: () => void,
    private readonly onChoose: () => void,
  ) {
    this.hide = button("", onToggle, { class: "icon-button words", testid: "partner-hide", title: "Hide or show the partner's view (V)" });
    const head = el("div", { class: "partner-head" }, el("span", { class: "seat-mark" }), this.name, this.doing, this.hide);
    const grip = el("span", { class: "grip", at: { "aria-hidden": "true" } });
    this.frame = el("div", { class: "partner-frame", testid: "partner-view", at: { role: "img", "aria-label": "What your partner sees" } }, grip);
    this.root = el("section", { class: "partner", at: { "aria-label": "Your partner" } }, this.tabList, head, this.frame);
    this.root.hidden = true;
    this.tabList.hidden = true;
    this.tabList.addEventListener("keydown", (event) => this.onTabKey(event));
    this.makeResizable(grip);
  }

  /** Whether the scene should draw a view into the frame. */
  get viewShown(): boolean {
    return !this.root.hidden && !this.frame.hidden;
  }

  /** Index of the seat whose view is looked at; -1 for none. */
  get chosen(): number {
    return this.chosenSeat;
  }

  /** Say who the others are; `several`: they are told apart by name. */
  setPartners(partners: readonly ShownPartner[], statusAllowed: boolean, viewAllowed: boolean, several: boolean): void {
    this.viewAllowed = viewAllowed;
    this.partners = partners;
    toggle(this.root, partners.length > 0 && (statusAllowed || viewAllowed));
    toggle(this.doing, statusAllowed);
    this.root.classList.toggle("several", several);
    this.root.classList.toggle("without-status", !statusAllowed);
    toggle(this.tabList, several);
    if (several) this.root.setAttribute("aria-label", "The others");
    // Who has left sees nothing any more.
    const there = partners.filter(({ presence }) => presence !== "gone");
    const among = there.length > 0 ? there : partners;
    if (!among.some(({ index }) => index === this.chosenSeat)) this.chosenSeat = among[0]?.index ?? -1;
    this.showTabs(several ? partners : []);
    this.showChosen();
    this.layout();
  }

  setDoing(seat: number, text: string): void {
    this.doings.set(seat, text);
    const tab = this.tabs.get(seat);
    if (tab) tell(tab.doing, text);
    if (seat === this.chosenSeat) tell(this.doing, text);
  }

  toggleView(): void {
    this.shown = !this.shown;
    this.layout();
  }

  /** Look at what the next one sees. */
  next(): void {
    if (this.partners.length < 2) {
      this.toggleView();
      return;
    }
    this.shown = true;
    this.layout();
    this.step(1);
  }

  private step(by: number): void {
    const { partners } = this;
    const at = partners.findIndex(({ index }) => index === this.chosenSeat);
    const next = partners[(at + by + partners.length) % partners.length];
    if (next) this.choose(next.index);
  }

  private choose(seat: number): void {
    this.chosenSeat = seat;
    this.showChosen();
    this.onChoose();
  }

  private showTabs(partners: readonly ShownPartner[]): void {
    const known = partners.length === this.tabs.size && partners.every(({ index }) => this.tabs.has(index));
    if (!known) {
      this.tabs = new Map(partners.map((partner) => [partner.index, this.makeTab(partner)]));
      this.tabList.replaceChildren(...[...this.tabs.values()].map(({ root }) => root));
    }
    for (const { index, presence, finished } of partners) {
      const tab = this.tabs.get(index)?.root;
      tab?.classList.toggle("missing", presence !== "connected" && presence !== "ready");
      tab?.classList.toggle("finished", finished);
      tab?.classList.toggle("gone", presence === "gone");
    }
  }

  private makeTab({ index, seatId, title, look }: ShownPartner): Tab {
    const doing = el("span", { class: "tab-doing", text: this.doings.get(index) ?? "" });
    const root = button("", () => this.choose(index), { class: "partner-tab", testid: `partner-tab-${seatId}`, title: `What ${title} sees`, at: { role: "tab" } },
      el("span", { class: "seat-mark" }), el("b", { class: "tab-label", text: look.label }), el("span", { class: "tab-name", text: title }), doing);
    root.dataset.look = look.key;
    root.classList.toggle("wide", title.length > LONG_TITLE);
    return { root, doing };
  }

  private showChosen(): void {
    const chosen = this.partners.find(({ index }) => index === this.chosenSeat);
    this.root.dataset.look = chosen?.look.key ?? "";
    setText(this.name, chosen?.title ?? "");
    tell(this.doing, this.doings.get(this.chosenSeat) ?? "");
    if (this.tabs.size > 0 && chosen) this.frame.setAttribute("aria-label", `What ${chosen.title} sees`);
    for (const [seat, { root }] of this.tabs) {
      root.setAttribute("aria-selected", String(seat === this.chosenSeat));
      root.tabIndex = seat === this.chosenSeat ? 0 : -1;
    }
  }

  private onTabKey(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(by);
    this.tabs.get(this.chosenSeat)?.root.focus();
  }

  private layout(): void {
    toggle(this.frame, this.viewAllowed && this.shown);
    toggle(this.hide, this.viewAllowed);
    setText(this.hide, this.shown ? "hide" : "show");
    this.hide.setAttribute("aria-label", this.shown ? "Hide the partner's view" : "Show the partner's view");
    this.root.classList.toggle("collapsed", Boolean(this.frame.hidden));
  }

  /** Make the frame resizable; it sits in the bottom right corner, so its grip is at the top left. */
  private makeResizable(grip: HTMLElement): void {
    grip.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      const width = this.frame.clientWidth;
      const { clientX } = event;
      const move = (moved: PointerEvent): void => {
        const most = Math.min(640, window.innerWidth * 0.6);
        const wanted = Math.max(LEAST_PX, Math.min(most, width + clientX - moved.clientX));
        this.root.style.setProperty("--partner-width", `${Math.round(wanted)}px`);
      };
      grip.addEventListener("pointermove", move);
      grip.addEventListener("pointerup", () => grip.removeEventListener("pointermove", move), { once: true });
    });
  }
}
