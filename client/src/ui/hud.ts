// The panels over the scene of the play page, and where each sits.
import { button, el, setText, toggle } from "../dom/el";
import { guardPresses } from "../dom/press_guard";
import type { Point } from "../dom/pixels";
import type { Settings } from "../input/settings";
import { STICK_PX } from "../input/pointer";
import type { Vec2 } from "../world/units";
import { AimBar } from "./aim_bar";
import { ChatPanel } from "./chat_panel";
import { ExampleMark } from "./example_mark";
import { FinishQuestion } from "./finish_question";
import { HelpPanel } from "./help_panel";
import { LeaveQuestion } from "./leave_question";
import { MapPanel } from "./map_panel";
import { PointedKeys } from "./pointed_keys";
import { PointerHint } from "./pointer_hint";
import { Overlay } from "./overlay";
import { PartnerPanel } from "./partner_panel";
import type { ScreenAction } from "./screens";
import { SeatMarkers } from "./seat_markers";
import { SelectionPanel } from "./selection_panel";
import { SettingsPanel } from "./settings_panel";
import { TaskPanel } from "./task_panel";
import { TutorialPanel } from "./tutorial_panel";

export interface HudHandlers {
  act(verb: string): void;
  place(): void;
  putInside(): void;
  approach(): void;
  /** Walk to a point of the floor that was pressed on the map. */
  walkTo(to: Vec2): void;
  /** Start to aim a placement, put down where it aims, or leave it. */
  aim(phase: "start" | "end" | "cancel"): void;
  /** Turn what is being aimed by a step. */
  turn(): void;
  deselect(): void;
  say(text: string): boolean;
  finish(): void;
  ready(): void;
  skipStep(): void;
  leaveTutorial(): void;
  /** The player leaves this home. */
  leave(): void;
  restartTutorial(): void;
  bringBackTutorial(): void;
  /** The partner's view was hidden or shown. */
  toggledView(): void;
  /** Another's view is looked at now. */
  lookWith(): void;
  screen(action: ScreenAction): void;
  settings(settings: Settings): void;
}

/** How far beside a panel a finger still means it. */
const FINGER_PX = 8;

export class Hud {
  readonly canvas = el("canvas", { class: "scene", testid: "scene", at: { "aria-label": "The home", tabindex: "-1" } });
  readonly task: TaskPanel;
  readonly tutorial: TutorialPanel;
  readonly chat: ChatPanel;
  readonly selection: SelectionPanel;
  readonly partner: PartnerPanel;
  readonly map: MapPanel;
  readonly help: HelpPanel;
  readonly settings: SettingsPanel;
  readonly near = new PointerHint();
  readonly pointed = new PointedKeys();
  private readonly aimBar: AimBar;
  readonly overlay: Overlay;
  readonly markers = new SeatMarkers();
  readonly example = new ExampleMark();
  private readonly crosshair = el("div", { class: "crosshair", at: { "aria-hidden": "true" } });
  private readonly stick = el("div", { class: "stick", at: { "aria-hidden": "true" } }, el("span"));
  readonly question: FinishQuestion;
  readonly leaving: LeaveQuestion;
  private readonly finishButton: HTMLButtonElement;
  private readonly latency = el("span", { class: "latency", testid: "latency", title: "Time to the server and back" }, el("i"), el("span", { text: "– ms" }));
  private readonly mapButton: HTMLButtonElement;
  private readonly bar: HTMLElement;
  private readonly banner = el("p", { class: "banner", testid: "banner", at: { role: "status" } });
  private readonly walkText = el("span");
  private readonly walkLine = el("p", { class: "walk-line", testid: "walk-line", at: { role: "status" } });
  private readonly live = el("div", { class: "hud playing" });

  constructor(root: HTMLElement, settings: Settings, handlers: HudHandlers) {
    this.task = new TaskPanel(
      () => handlers.ready(),
      (folded) => this.live.classList.toggle("folded", folded),
    );
    this.chat = new ChatPanel((text) => handlers.say(text));
    this.selection = new SelectionPanel({
      act: (verb) => handlers.act(verb),
      refuse: (reason) => this.refuse(reason),
      place: () => handlers.place(),
      putInside: () => handlers.putInside(),
      approach: () => handlers.approach(),
      startAim: () => handlers.aim("start"),
      deselect: () => handlers.deselect(),
    });
    this.aimBar = new AimBar({
      put: () => handlers.aim("end"),
      turn: () => handlers.turn(),
      keep: () => handlers.aim("cancel"),
    });
    this.partner = new PartnerPanel(
      () => {
        this.partner.toggleView();
        handlers.toggledView();
      },
      () => handlers.lookWith(),
    );
    this.map = new MapPanel(() => this.toggleMap(), (to) => handlers.walkTo(to));
    this.help = new HelpPanel(() => this.toggleHelp(), {
      bringBack: () => {
        this.closePanels();
        handlers.bringBackTutorial();
      },
      startOver: () => {
        this.closePanels();
        handlers.restartTutorial();
      },
    });
    this.settings = new SettingsPanel(settings, (changed) => handlers.settings(changed), () => this.toggleSettings());
    this.overlay = new Overlay((action) => handlers.screen(action));
    this.tutorial = new TutorialPanel(
      () => handlers.skipStep(),
      () => handlers.leaveTutorial(),
      () => handlers.restartTutorial(),
      (text) => this.chat.open(text),
    );
    this.question = new FinishQuestion(() => handlers.finish());
    this.leaving = new LeaveQuestion(() => handlers.leave());
    this.finishButton = button("Finish", () => handlers.finish(), { class: "button finish", testid: "finish" });
    this.mapButton = button("Map", () => this.toggleMap(), { class: "button bar", testid: "open-map" });
    this.stick.hidden = true;
    this.banner.hidden = true;
    this.walkLine.append(this.tutorial.walkStep, this.walkText);
    this.walkLine.hidden = true;
    this.bar = el(
      "nav",
      { class: "top-bar", at: { "aria-label": "Panels" } },
      this.mapButton,
      button("Help", () => this.toggleHelp(), { class: "button bar", testid: "open-help" }),
      button("Settings", () => this.toggleSettings(), { class: "button bar", testid: "open-settings" }),
      button("Leave", () => this.openOnly(this.leaving.root), { class: "button bar", testid: "open-leave" }),
    );
    this.live.append(
      this.markers.root,
      this.example.root,
      this.crosshair,
      this.stick,
      this.banner,
      this.task.root,
      this.bar,
      el("div", { class: "left-side" }, this.tutorial.root, this.selection.root, this.chat.root),
      this.tutorial.cue,
      this.selection.thumbs,
      this.aimBar.root,
      el("div", { class: "right-bottom" }, this.partner.root, this.question.root, el("div", { class: "finish-row" }, this.latency, this.finishButton)),
      this.help.root,
      this.settings.root,
      this.leaving.root,
      this.map.root,
      this.walkLine,
      this.pointed.root,
      this.near.root,
    );
    root.replaceChildren(this.canvas, this.live, this.overlay.root);
    guardPresses(root);
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

  /** Return where the panels are that lie over the scene while one plays; not those that make way while one aims. */
  panelPlaces(): DOMRect[] {
    return placesOf([...this.panels, this.tutorial.cue, this.walkLine, this.banner]);
  }

  /** Tell whether a point of the scene lies on a panel, in the gaps between its buttons or right beside it. What only
      tells something lets a mouse through to what it lies on. */
  isPanelAt({ x, y }: Point): boolean {
    return placesOf(this.panels).some((place) => x > place.left - FINGER_PX && x < place.right + FINGER_PX && y > place.top - FINGER_PX && y < place.bottom + FINGER_PX);
  }

  private get panels(): HTMLElement[] {
    const { task, tutorial, selection, chat, partner } = this;
    const around = [task.root, this.bar, tutorial.root, partner.root, this.finishButton, this.latency, this.question.root];
    return [...around, ...selection.pieces, ...chat.pieces, ...this.opened];
  }

  private get opened(): HTMLElement[] {
    return [this.map.root, this.help.root, this.settings.root, this.leaving.root];
  }

  /** Mark the middle of the scene where that is what one points at: a mouse has a pointer of its own. */
  setCrosshair(shown: boolean): void {
    toggle(this.crosshair, shown);
  }

  /** Leave the view free while a placement is aimed. */
  setAiming(aiming: boolean): void {
    this.live.classList.toggle("aiming", aiming);
    const bar = this.aimBar.root.querySelector("button")?.getBoundingClientRect();
    this.near.keepOff(aiming && bar && bar.height > 0 ? bar.top : null);
  }

  /** Leave more of the picture free while the player walks, where the window is small. */
  setWalking(walking: boolean): void {
    this.live.classList.toggle("walking", walking);
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
    const open = [...this.opened, this.question.root].filter((panel) => !panel.hidden);
    for (const panel of open) panel.hidden = true;
    return open.length > 0;
  }

  refuse(reason: string, at?: Point): void {
    const { x, y } = at ?? { x: window.innerWidth / 2, y: window.innerHeight / 2 };
    this.near.show(reason, x, y);
  }

  /** Say where the player is being walked, and how to stop; empty: nowhere. */
  tellWalk(text: string, touch: boolean): void {
    // What was said before of what is too far is answered by it.
    if (text) this.near.hide();
    toggle(this.walkLine, text !== "");
    setText(this.walkText, text && `${text} (${touch ? "the left thumb" : "any walking key"} stops)`);
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

  /** Say to fingers what comes next where a thing is aimed, by whether it fits there. */
  aimAt(fit: "fits" | "no" | "unknown"): void {
    this.aimBar.show(fit);
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

/** Return where panels are that are to be seen. */
function placesOf(panels: readonly HTMLElement[]): DOMRect[] {
  return panels
    .filter((panel) => getComputedStyle(panel).visibility !== "hidden")
    .map((panel) => panel.getBoundingClientRect())
    .filter(({ width }) => width > 0);
}
