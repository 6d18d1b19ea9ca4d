import { button, el } from "../dom/el";
import { keyWord } from "../input/bindings";
import type { Bindings, Command } from "../input/bindings";

function keys(bindings: Bindings, ...commands: Command[]): string {
  return commands.map((command) => keyWord(bindings[command][0] ?? "–")).join(" ");
}

/** The controls, as they are bound now. */
export class HelpPanel {
  readonly root: HTMLElement;
  private readonly list = el("dl", { class: "help-list" });

  constructor(onClose: () => void) {
    const close = button("", onClose, { class: "icon-button", at: { "aria-label": "Close the help" } }, "×");
    this.root = el("section", { class: "panel help", testid: "help", at: { "aria-label": "Controls" } }, el("header", { class: "panel-head" }, el("h2", { text: "Controls" }), close), this.list);
    this.root.hidden = true;
  }

  show(bindings: Bindings, features: ReadonlySet<string>, touch: boolean): void {
    const rows: [string, string][] = touch
      ? [
          ["Left thumb", "walk"],
          ["Right thumb", "look around"],
          ["Tap", "select"],
          ["Buttons", "act on what is selected"],
        ]
      : [
          [`${keys(bindings, "forward", "left", "back", "right")} or arrows`, "walk"],
          [keys(bindings, "slow"), "walk slower (hold)"],
          ["Drag the mouse", `look around (${keys(bindings, "lock")} locks the pointer)`],
          ["Click", "select; double click picks up, opens, closes"],
          [keys(bindings, "pick"), "pick up"],
          [keys(bindings, "openClose"), "open or close"],
          [keys(bindings, "place"), "put down where you point"],
          [`${keys(bindings, "aim")} or right button`, "hold to aim a placement, release to put down"],
          [keys(bindings, "clean", "fill", "pour", "power"), "wash, fill, pour, switch"],
        ];
    if (features.has("chat") && !touch) rows.push([keys(bindings, "chat"), "chat with your partner (Esc leaves)"]);
    if (features.has("map") && !touch) rows.push([keys(bindings, "map"), "map"]);
    if (features.has("partner_view") && !touch) rows.push([keys(bindings, "partnerView"), "partner's view"]);
    if (!touch) rows.push([keys(bindings, "help"), "this help"]);
    this.list.replaceChildren(
      ...rows.flatMap(([key, text]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text })]),
    );
  }
}
