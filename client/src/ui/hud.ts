// The panels over the scene of the play page, and where each sits.
import { button, el, setText, toggle } from "../dom/el";
import type { Point } from "../dom/pixels";
import type { Settings } from "../input/settings";
import { STICK_PX } from "../input/pointer";
import { ChatPanel } from "./chat_panel";
import { HelpPanel } from "./help_panel";
import { MapPanel } from "./map_panel";
import { PointerHint } from "./pointer_hint";
import { Overlay } from "./overlay";
import { PartnerPanel } from "./partner_panel";
import type { ScreenAction } from "./screens";
import { SeatMarkers } from "./seat_markers";
import { SelectionPanel } from "./selection_panel";
import { SettingsPanel } from "./settings_panel";
import { TaskPanel } from "./task_panel";

export interface HudHandlers {
  act(verb: string): void;
  place(): void;
  deselect(): void;
  say(text: string): boolean;
  finish(): void;
  /** Another's view is looked at now. */
  lookWith(): void;
  screen(action: ScreenAction): void;
  settings(settings: Settings): void;
}

export class Hud {
  readonly canvas = el("canvas", { class: "scene", testid: "scene", at: { "aria-label": "The home", tabindex: "-1" } });
  readonly task = new TaskPanel();
  readonly chat: ChatPanel;
  readonly selection: SelectionPanel;
  readonly partner: PartnerPanel;
  readonly map: MapPanel;
  readonly help: HelpPanel;
  readonly settings: SettingsPanel;
  readonly near = new PointerHint();
  readonly overlay: Overlay;
  readonly markers = new SeatMarkers();
  private readonly crosshair = el("div", { class: "crosshair", at: { "aria-hidden": "true" } });
  private readonly stick = el("div", { class: "stick", at: { "aria-hidden": "true" } }, el("span"));
  private readonly finishButton: HTMLButtonElement;
  private readonly latency = el("span", { class: "latency", testid: "latency", title: "Time to the server and back" }, el("i"), el("span", { text: "– ms" }));
  private readonly mapButton: HTMLButtonElement;
  private readonly banner = el("p", { class: "banner", testid: "banner", at: { role: "status" } });
  private readonly live = el("div", { class: "hud" });

  constructor(root: HTMLElement, settings: Settings, handlers: HudHandlers) {
    this.chat = new ChatPanel((text) => handlers.say(text));
    this.selection = new SelectionPanel(
      (verb) => handlers.act(verb),
      (reason) => this.refuse(reason),
      () => handlers.place(),
      () => handlers.deselect(),
    );
    this.partner = new PartnerPanel(
      () => this.partner.toggleView(),
      () => handlers.lookWith(),
    );
    this.map = new MapPanel(() => this.toggleMap());
    this.help = new HelpPanel(() => this.toggleHelp());
    this.settings = new SettingsPanel(settings, (changed) => handlers.settings(changed), () => this.toggleSettings());
    this.overlay = new Overlay((action) => handlers.screen(action));
    this.finishButton = button("Finish", () => handlers.finish(), { class: "button finish", testid: "finish" });
    this.mapButton = button("Map", () => this.toggleMap(), { class: "button bar", testid: "open-map" });
    this.stick.hidden = true;
    this.banner.hidden = true;
    const bar = el(
      "nav",
      { class: "top-bar", at: { "aria-label": "Panels" } },
      this.mapButton,
      button("Help", () => this.toggleHelp(), { class: "button bar", testid: "open-help" }),
      button("Settings", () => this.toggleSettings(), { class: "button bar", testid: "open-settings" }),
    );
    this.live.append(
      this.markers.root,
      this.crosshair,
      this.stick,
      this.task.root,
      el("div", { class: "right-top" }, bar, this.help.root, this.settings.root),
      this.map.root,
      this.chat.root,
      this.selection.root,
      el("div", { class: "right-bottom" }, this.partner.root, el("div", { class: "finish-row" }, this.latency, this.finishButton)),
      this.banner,
      this.near.root,
    );
    root.replaceChildren(this.canvas, this.live, this.overlay.root);
  }

  setFeatures(features: ReadonlySet<string>): void {
    toggle(this.mapButton, features.has("map"));
    if (!features.has("map")) this.map.root.hidden = true;
  }

  /** Set whether the panels over the scene can be used, and whether there is anything in them. */
  setLive(live: boolean, known: boolean): void {
    this.live.inert = !live;
    this.live.classList.toggle("asleep", !live);
    this.live.classList.toggle("blank", !known);
  }

  setCrosshair(strong: boolean): void {
    this.crosshair.classList.toggle("strong", strong);
  }

  toggleMap(): void {
    if (!this.mapButton.hidden) this.openOnly(this.map.root);
  }

  toggleHelp(): void {
    this.openOnly(this.help.root);
  }

  toggleSettings(): void {
    this.openOnly(this.settings.root);
  }

  /** Open a panel, or close it, and close those that lie in the same place. */
  private openOnly(panel: HTMLElement): void {
    const open = panel.hidden;
    this.closePanels();
    panel.hidden = !open;
  }

  /** Close whatever lies open; return whether something did. */
  closePanels(): boolean {
    const open = [this.map.root, this.help.root, this.settings.root].filter((panel) => !panel.hidden);
    for (const panel of open) panel.hidden = true;
    return open.length > 0;
  }

  refuse(reason: string, at?: Point): void {
    const { x, y } = at ?? { x: window.innerWidth / 2, y: window.innerHeight / 2 };
    this.near.show(reason, x, y);
  }

  setLatency(rttMs: number): void {
    setText(this.latency.lastElementChild as HTMLElement, rttMs < 0 ? "– ms" : `${rttMs} ms`);
    this.latency.dataset.level = rttMs < 0 ? "" : rttMs < 90 ? "good" : rttMs < 220 ? "fair" : "poor";
  }

  setFinish(finished: boolean, alone: boolean): void {
    setText(this.finishButton, finished && !alone ? "Not done yet" : "Finish");
    this.finishButton.classList.toggle("finished", finished);
    this.finishButton.setAttribute("aria-pressed", String(finished));
  }

  /** Show a line across the top for what concerns everybody now; empty for none. */
  setBanner(text: string): void {
    toggle(this.banner, text !== "");
    setText(this.banner, text);
  }

  showStick(from: Point | null, x = 0, y = 0): void {
    this.stick.hidden = from === null;
    if (!from) return;
    this.stick.style.left = `${from.x}px`;
    this.stick.style.top = `${from.y}px`;
    (this.stick.firstElementChild as HTMLElement).style.transform =
      `translate(${x * STICK_PX}px, ${-y * STICK_PX}px)`;
  }
}
