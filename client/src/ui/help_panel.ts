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

/** A way out of a study's session: to report a problem, or to stop. */
export interface WayOut {
  path: string;
  text: string;
  testid: string;
}

/** What a player can do with the tutorial from the help. */
export interface TutorialAnswers {
  bringBack: () => void;
  startOver: () => void;
}

/** The panel that lists the controls, as they are bound now. */
export class HelpPanel {
  readonly root: HTMLElement;
  private readonly list = el("dl", { class: "help-list" });
  private readonly ways = el("p", { class: "help-ways" });
  private readonly bringBack: HTMLElement;
  private readonly startOver: HTMLElement;
  private readonly tutorial: HTMLElement;

  constructor(onClose: () => void, tutorial: TutorialAnswers) {
    this.bringBack = button("Bring the tutorial back", tutorial.bringBack, { class: "button bar", testid: "tutorial-back" });
    this.startOver = button("Start the tutorial over", tutorial.startOver, { class: "button bar", testid: "help-restart" });
    this.tutorial = el("p", { class: "help-ways" }, this.bringBack, this.startOver);
    const close = button("", onClose, { class: "icon-button", at: { "aria-label": "Close the help" } }, "×");
    this.root = el("section", { class: "panel help", testid: "help", at: { "aria-label": "Controls" } }, el("header", { class: "panel-head" }, el("h2", { text: "Controls" }), close), this.ways, this.tutorial, this.list);
    this.root.hidden = true;
    this.ways.hidden = true;
    this.tutorial.hidden = true;
  }

  /** Offer what can be done with the tutorial: bring `back` what was put away, or begin it over. */
  offerTutorial(what: "back" | "over"): void {
    this.tutorial.hidden = false;
    this.bringBack.hidden = what !== "back";
    this.startOver.hidden = false;
  }

  /** Offer the ways out that every page of a study has, beside the session: whoever only reads them keeps their seat. */
  offer(ways: WayOut[]): void {
    this.ways.replaceChildren(
      ...ways.map(({ path, text, testid }) =>
        el("a", { class: "button bar", text, testid, at: { href: path, target: "_blank", rel: "noopener" } }),
      ),
    );
    this.ways.hidden = ways.length === 0;
  }

  show(bindings: Bindings, { features, isPair }: World, touch: boolean): void {
    const key = (...commands: Command[]): HTMLElement[] => keys(bindings, ...commands);
    const rows: [HTMLElement[], string][] = touch
      ? [
          [[gesture("Left thumb")], "walk"],
          [[gesture("Right thumb")], "look around"],
          [[gesture("Tap")], `select; a tap on the floor${features.has("map") ? " or the map" : ""} walks there`],
          [[gesture("Buttons")], "act on what is selected"],
        ]
      : [
          [key("forward", "left", "back", "right"), "walk; the arrows do the same"],
          [key("slow"), "walk slower (hold)"],
          [[gesture("Drag")], `look around (${keyWord(bindings.lock[0] ?? "–")} locks the pointer)`],
          [[gesture("Click")], `select; on the floor${features.has("map") ? " or the map" : ""}: walk there; a double click picks up, opens, closes`],
          [key("pick"), "pick up"],
          [key("openClose"), "open or close"],
          [key("place"), "put down where you point"],
          [key("putInside"), "put inside what is selected or under the pointer, opening it"],
          [key("approach"), "walk to what is selected"],
          [[...key("aim"), gesture("Right button")], "hold to aim a placement, the wheel turns it, let go to put down"],
          [key("clean", "fill", "pour", "power"), "wash, fill, pour, switch"],
        ];
    if (features.has("chat") && !touch) rows.push([key("chat"), `chat with ${isPair ? "your partner" : "the others"} (Esc leaves)`]);
    if (features.has("chat") && !isPair) rows.push([[gesture("Names")], "above your line: whom it is for; all can read it"]);
    if (features.has("map") && !touch) rows.push([key("map"), "map"]);
    if (features.has("partner_view") && !touch) {
      rows.push([key("partnerView"), isPair ? "partner's view" : "what the others see"]);
      if (!isPair) rows.push([key("slow", "partnerView"), "the next one's view"]);
    }
    if (!isPair && touch && features.has("partner_view")) rows.push([[gesture("P1, R …")], "what this one does and sees"]);
    if (!touch) rows.push([key("help"), "this help"]);
    this.list.replaceChildren(
      ...rows.map(([pressed, text]) => el("div", { class: "help-row" }, el("dt", {}, ...pressed), el("dd", { text }))),
    );
  }
}
