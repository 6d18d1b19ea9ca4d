import { button, el } from "../dom/el";
import { keyWord } from "../input/bindings";
import type { Bindings, Command } from "../input/bindings";
import type { World } from "../world/world";

/** Return the keys of some commands as the help shows them: pages for fingers hide keys. */
function keys(bindings: Bindings, ...commands: Command[]): HTMLElement[] {
  return commands.map((command) => el("kbd", { text: keyWord(bindings[command][0] ?? "–") }));
}

/** Return what hand or mouse does as the help shows it. */
function gesture(text: string): HTMLElement {
  return el("span", { class: "gesture", text });
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

  show(bindings: Bindings, { features, isPair }: World, touch: boolean): void {
    const key = (...commands: Command[]): HTMLElement[] => keys(bindings, ...commands);
    const rows: [HTMLElement[], string][] = touch
      ? [
          [[gesture("Left thumb")], "walk"],
          [[gesture("Right thumb")], "look around"],
          [[gesture("Tap")], "select"],
          [[gesture("Buttons")], "act on what is selected"],
        ]
      : [
          [key("forward", "left", "back", "right"), "walk; the arrows do the same"],
          [key("slow"), "walk slower (hold)"],
          [[gesture("Drag")], `look around (${keyWord(bindings.lock[0] ?? "–")} locks the pointer)`],
          [[gesture("Click")], "select; a double click picks up, opens, closes"],
          [key("pick"), "pick up"],
          [key("openClose"), "open or close"],
          [key("place"), "put down where you point"],
          [[...key("aim"), gesture("Right button")], "hold to aim a placement, the wheel turns it, let go to put down"],
          [key("clean", "fill", "pour", "power"), "wash, fill, pour, switch"],
        ];
    if (features.has("chat") && !touch) rows.push([key("chat"), `chat with ${isPair ? "your partner" : "the others"} (Esc leaves)`]);
    if (features.has("map") && !touch) rows.push([key("map"), "map"]);
    if (features.has("partner_view") && !touch) {
      rows.push([key("partnerView"), isPair ? "partner's view" : "what the others see"]);
      if (!isPair) rows.push([key("slow", "partnerView"), "the next one's view"]);
    }
    if (!touch) rows.push([key("help"), "this help"]);
    this.list.replaceChildren(
      ...rows.flatMap(([pressed, text]) => [
        el("dt", {}, ...pressed),
        el("dd", { text }),
      ]),
    );
  }
}
