import { button, el, setText, toggle } from "../dom/el";
import type { SeatKind } from "../world/world";

const LEAST_PX = 120;

/** What the partner sees and does: a frame over the corner of the scene, and a line of text. */
export class PartnerPanel {
  readonly root: HTMLElement;
  readonly frame: HTMLElement;
  private readonly name = el("span", { class: "partner-name" });
  private readonly doing = el("span", { class: "partner-doing", testid: "partner-status" });
  private readonly head: HTMLElement;
  private viewAllowed = false;
  private shown = true;

  constructor(onToggle: () => void) {
    const hide = button("", onToggle, { class: "icon-button", title: "Hide or show the partner's view (V)", at: { "aria-label": "Hide or show the partner's view" } }, "▾");
    this.head = el("div", { class: "partner-head" }, el("span", { class: "seat-dot" }), this.name, this.doing, hide);
    const grip = el("span", { class: "grip", at: { "aria-hidden": "true" } });
    this.frame = el("div", { class: "partner-frame", testid: "partner-view", at: { role: "img", "aria-label": "What your partner sees" } }, grip);
    this.root = el("section", { class: "partner", at: { "aria-label": "Your partner" } }, this.head, this.frame);
    this.root.hidden = true;
    this.makeResizable(grip);
  }

  /** Whether the scene should draw the partner's view into the frame. */
  get viewShown(): boolean {
    return !this.root.hidden && !this.frame.hidden;
  }

  setPartner(name: string, kind: SeatKind | null, statusAllowed: boolean, viewAllowed: boolean): void {
    this.viewAllowed = viewAllowed;
    toggle(this.root, kind !== null && (statusAllowed || viewAllowed));
    this.root.dataset.seat = kind ?? "";
    setText(this.name, name);
    toggle(this.doing, statusAllowed);
    this.layout();
  }

  setDoing(text: string): void {
    setText(this.doing, text);
  }

  toggleView(): void {
    this.shown = !this.shown;
    this.layout();
  }

  private layout(): void {
    toggle(this.frame, this.viewAllowed && this.shown);
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
