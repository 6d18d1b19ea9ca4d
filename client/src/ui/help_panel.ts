import { button, el } from "../dom/el";
import { keyWord } from "../input/bindings";
import type { Bindings, Command } from "../input/bindings";

function keys(bindings: Bindings, ...commands: Command[]): string[] {
  return commands.map((command) => keyWord(bindings[command][0] ?? "–"));
}

/** The panel that lists the controls, as they are bound now. */
export class HelpPanel {
  readonly root: HTMLElement;
  private readonly list = el("dl", { class: "help-list" });

  constructor(onClose: () => void) {
    const close = button("", onClose, { class: "icon-button", at: { "aria-label": "Close the help" } }, "×");
    this.root = el("section", { class: "panel help", testid: "help", at: { "aria-label": "Controls" } }, el("header", { class: "panel-head" }, el("h2", { text: "Controls" }), close), this.list);
    this.root.hidden = true;
  }

  show(bindings: Bindings, features: ReadonlySet<string>, touch: boolean): void {
    const key = (...commands: Command[]): string[] => keys(bindings, ...commands);
    const rows: [string[], string][] = touch
      ? [
          [["Left thumb"], "walk"],
          [["Right thumb"], "look around"],
          [["Tap"], "select"],
          [["Buttons"], "act on what is selected"],
        ]
      : [
          [key("forward", "left", "back", "right"), "walk; the arrows do the same"],
          [key("slow"), "walk slower (hold)"],
          [["Drag"], `look around (${key("lock").join("")} locks the pointer)`],
          [["Click"], "select; a double click picks up, opens, closes"],
          [key("pick"), "pick up"],
          [key("openClose"), "open or close"],
          [key("place"), "put down where you point"],
          [[...key("aim"), "Right button"], "hold to aim a placement, the wheel turns it, let go to put down"],
          [key("clean", "fill", "pour", "power"), "wash, fill, pour, switch"],
        ];
    if (features.has("chat") && !touch) rows.push([key("chat"), "chat with your partner (Esc leaves)"]);
    if (features.has("map") && !touch) rows.push([key("map"), "map"]);
    if (features.has("partner_view") && !touch) rows.push([key("partnerView"), "partner's view"]);
    if (!touch) rows.push([key("help"), "this help"]);
    this.list.replaceChildren(
      ...rows.flatMap(([pressed, text]) => [
        el("dt", {}, ...pressed.map((one) => el("kbd", { text: one }))),
        el("dd", { text }),
      ]),
    );
  }
}
