// The game of one player in a session: messages in, what follows from them on the page, and what
// the player does.
import { bootNumber, bootString } from "../dom/boot";
import { socketUrl } from "../dom/socket_url";
import { tabId } from "../dom/tab";
import { loadSettings, saveSettings } from "../input/settings";
import type { Settings } from "../input/settings";
import type { CodecName } from "../net/codec";
import { Scenery } from "../scene/scenery";
import { Viewport } from "../scene/viewport";
import { TickClock } from "../session/clock";
import { Connection } from "../session/connection";
import { SceneLoading } from "../session/loading";
import { Tracks } from "../session/tracks";
import { ChatMutes } from "../ui/chat_mutes";
import { Hud } from "../ui/hud";
import { screenOf } from "../ui/screens";
import type { PlaySituation, ScreenAction } from "../ui/screens";
import type { ClientMessage, ServerMessage, Snapshot, WireEvent } from "../wire/generated";
import type { SessionTerms } from "../world/terms";
import type { Vec2 } from "../world/units";
import { called } from "../world/words";
import { World } from "../world/world";
import type { Agent } from "../world/world";
import { PlayerActions } from "./actions";
import { Activity } from "./activity";
import { BEGINNINGS } from "./clock_note";
import type { PlayContext } from "./context";
import { PageMeter } from "./page_meter";
import { PageStatus } from "./page_status";
import { Panels } from "./panels";
import { PartnersStatus } from "./partners_status";
import { Placement } from "./placement";
import { PlayerBody } from "./player_body";
import { EntitySelection } from "./selection";
import { Sounds } from "./sounds";
import { Tutorial } from "./tutorial";

/** How long the end is read before the report opens. */
const REPORT_AFTER_MS = 500;
/** How long it is told that nobody reads a line (ms). */
const UNREAD_MS = 6000;
/** How long notices are shown that people need time to read (ms), by code; others for 5 s. */
const NOTICE_MS: Readonly<Record<string, number>> = { lost: 15_000, operator: 30_000 };

export class Game implements PlayContext {
  world: World | null = null;
  settings: Settings;
  readonly hud: Hud;
  readonly scenery: Scenery;
  readonly connection: Connection;
  readonly body: PlayerBody;
  readonly selection: EntitySelection;
  readonly placement: Placement;
  readonly partnersStatus: PartnersStatus;
  readonly sounds = new Sounds();
  readonly actions = new PlayerActions(this);
  readonly panels = new Panels(this, this.actions);
  readonly status = new PageStatus();
  readonly meter = new PageMeter((stats) => this.send(stats));
  /** The tutorial, where the session is one. */
  readonly tutorial: Tutorial | null;
  readonly activity: Activity;
  touch = false;
  private me = -1;
  private readonly terms: SessionTerms;
  private readonly clock = new TickClock();
  private readonly tracks = new Tracks();
  private readonly loading: SceneLoading;
  private readonly settingsListeners: ((settings: Settings) => void)[] = [];
  private over: { episodeId: string } | null = null;
  private endReason = "";
  private graphics: PlaySituation["graphics"] = "ok";

  constructor(
    root: HTMLElement,
    private readonly boot: Record<string, unknown>,
  ) {
    this.settings = loadSettings();
    this.terms = { named: boot.named === true, finishWaitS: bootNumber(boot, "finishWaitS"), clockWaitS: bootNumber(boot, "clockWaitS") };
    this.tutorial = boot.purpose === "tutorial" ? new Tutorial(this, this.actions, bootString(boot, "sessionId"), this.isStudy) : null;
    this.sounds.on = this.settings.sound;
    this.hud = new Hud(root, this.settings, {
      act: (verb) => this.actions.act(verb),
      place: () => this.actions.putHere(),
      putInside: () => void this.actions.putInside(),
      approach: () => void this.actions.approach(),
      walkTo: (to) => this.walkOnMap(to),
      aim: (phase) => this.actions.aim(phase),
      turn: () => this.placement.turn(1),
      deselect: () => this.selection.deselect(),
      say: (text) => this.say(text),
      finish: () => this.actions.finish(),
      ready: () => this.panels.ready(),
      skipStep: () => this.tutorial?.skip(),
      leaveTutorial: () => this.tutorial?.leave(),
      leave: () => this.leave(),
      restartTutorial: () => this.tutorial?.restart(),
      bringBackTutorial: () => this.tutorial?.bringBack(),
      toggledView: () => this.toggledView(),
      lookWith: () => this.scenery.redraw(),
      screen: (action) => this.onScreenAction(action),
      settings: (settings) => this.applySettings(settings),
    });
    if (this.isStudy) this.hud.tutorial.require();
    if (typeof boot.practiceLeftS === "number") {
      this.panels.limitPractice(boot.practiceLeftS, performance.now(), () => this.onScreenAction("home"));
    }
    this.hud.help.offer(
      [
        { path: "helpPath", text: "helpText", testid: "visit-help" },
        { path: "stopPath", text: "stopText", testid: "visit-stop" },
      ]
        .map((way) => ({ ...way, path: bootString(this.boot, way.path), text: bootString(this.boot, way.text) }))
        .filter((way) => way.path),
    );
    const help = bootString(this.boot, "helpPath");
    this.hud.chat.protect(new ChatMutes(bootString(boot, "sessionId")), help && `${help}?about=chat`, bootString(boot, "chatNote"));
    this.scenery = new Scenery(new Viewport(this.hud.canvas));
    this.loading = new SceneLoading(this.scenery, bootString(boot, "assetRoot"));
    this.hud.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.graphics = "lost";
    });
    const codec: CodecName = new URLSearchParams(window.location.search).get("codec") === "json" ? "json" : "msgpack";
    this.connection = new Connection({
      url: socketUrl(bootString(boot, "wsPath", "/ws/play")),
      codec,
      token: bootString(boot, "token"),
      tab: tabId(),
      clientVersion: bootString(boot, "clientVersion"),
      idleMs: () => this.activity.idleMs,
      onMessage: (message) => this.receive(message),
    });
    this.activity = new Activity(() => this.connection.ping());
    const send = (message: ClientMessage): boolean => this.send(message);
    this.body = new PlayerBody(send, () => this.connection.smoothRttMs);
    this.selection = new EntitySelection(send, () => {
      this.panels.showSelection();
      this.panels.showHolding();
      this.panels.followWalk();
    });
    this.placement = new Placement(send);
    this.partnersStatus = new PartnersStatus(this.hud, this.scenery);
    this.applySettings(this.settings);
  }

  start(): void {
    this.connection.open();
  }

  send(message: ClientMessage): boolean {
    if (message.tag === "a" || message.tag === "p") this.meter.ask(message.intentId, performance.now());
    if (BEGINNINGS.has(message.tag)) this.panels.begun();
    return this.connection.send(message);
  }

  /** Whether the scene can be played in now. */
  get live(): boolean {
    return this.loading.isShown(this.world) && this.screen() === null;
  }

  get phase(): string {
    return this.over ? "ended" : (this.world?.phase ?? "");
  }

  // What the server says

  private receive(message: ServerMessage): void {
    const now = performance.now();
    switch (message.tag) {
      case "welcome":
        this.me = message.me;
        this.clock.setRate(message.tickRate);
        this.hud.chat.setLimit(message.chatLimit);
        return;
      case "snapshot":
        this.begin(message, now);
        return;
      case "f": {
        const { world } = this;
        if (!world) return;
        this.clock.heard(message.tick, now);
        const changes = world.apply(message);
        this.tracks.push(world, changes.agents, message.tick);
        if (changes.agents.includes(world.me)) this.body.heard();
        if (this.loading.isShown(world)) this.scenery.apply(changes);
        for (const event of changes.events) this.happened(event, world, now);
        if (changes.held.length > 0) this.panels.showHolding();
        if (this.panels.concernsSelection([...changes.states, ...changes.held, ...changes.parts.map((p) => p.furniture)])) {
          this.panels.showSelection();
        }
        if (changes.vanished.includes(this.selection.selected?.entity ?? -1)) this.selection.deselect();
        if (changes.seats.length > 0) this.showSeats(world, changes.seats, now);
        return;
      }
      case "preview":
        this.placement.answered(message);
        return;
      case "pong":
        this.clock.heard(message.tick, now);
        this.hud.setLatency(this.connection.rttMs);
        if (this.phase === "running") this.meter.roundTrip(this.connection.rttMs);
        return;
      case "over":
        this.over = { episodeId: message.episodeId };
        this.endReason ||= message.reason;
        if (this.endReason === "finished" || this.endReason === "success") this.tutorial?.end();
        window.setTimeout(() => this.toReport(), REPORT_AFTER_MS);
        return;
      case "notice":
        this.noticed(message.code, message.text);
    }
  }

  /** Say a line, and tell the player where nobody is left to read it. */
  private say(text: string): boolean {
    const others = this.world?.others ?? [];
    if (others.length > 0 && others.every(({ presence }) => presence === "gone")) {
      this.status.tell(others.length > 1 ? "The others have left: nobody reads what you write." : "Your partner has left: nobody reads what you write.", UNREAD_MS);
    }
    return this.send({ tag: "say", text });
  }

  private noticed(code: string, text: string): void {
    if (code === "reconnected") this.status.goesOn();
    else if (code === "reconnecting") this.status.tell(text, Infinity);
    else this.status.tell(text, NOTICE_MS[code] ?? 5000);
  }

  private begin(snapshot: Snapshot, now: number): void {
    this.status.goesOn();
    const before = this.world;
    const selected = this.selection.selected;
    const handle = (selected && before?.entities[selected.entity]?.handle) ?? null;
    const world = (this.world = new World(snapshot, this.me, this.terms));
    const same = before?.episodeId === world.episodeId;
    this.clock.heard(world.tick, now);
    this.tracks.reset(world);
    if (!same) {
      this.endReason = "";
      this.panels.begin(world);
      this.partnersStatus.reset();
      this.meter.begin();
      this.body.stop();
    }
    this.body.reset(world, now);
    this.placement.stop();
    this.hud.setFeatures(world.features);
    this.hud.task.setTask(world.taskText);
    this.hud.question.hide();
    this.hud.map.setHouse(world.rooms, world.walkable);
    this.tutorial?.begin(world);
    this.hud.help.show(this.settings.bindings, world, this.touch);
    this.hud.chat.begin(world);
    for (const line of snapshot.chat) this.panels.showChat(line.seat, line.text, true);
    this.showSeats(world, world.seats.map(({ index }) => index), now);
    this.panels.showHolding();
    this.selection.reset(world, same ? handle : null, selected?.part ?? -1);
    void this.load(world);
  }

  private async load(world: World): Promise<void> {
    if (!(await this.loading.show(world)) || world.phase !== "gathering") return;
    await this.scenery.viewport.prepare();
    if (this.world === world) this.send({ tag: "ready" });
  }

  private happened(event: WireEvent, world: World, now: number): void {
    switch (event.tag) {
      case "did":
        if (event.seat === world.me) {
          this.meter.answer(event.intentId, true);
          this.selection.answered(event.intentId, null);
        } else {
          this.partnersStatus.did(event, world, now);
          this.panels.heard(event.seat);
        }
        this.sounds.verb(event.verb);
        this.tutorial?.did(event, world);
        return;
      case "no":
        this.meter.answer(event.intentId, false);
        this.selection.answered(event.intentId, event.reason);
        this.actions.refuse(event.reason);
        return;
      case "said":
        this.panels.showChat(event.seat, event.text, false);
        if (event.seat === world.me) this.tutorial?.said();
        else this.panels.heard(event.seat);
        return;
      case "phase":
        if (event.phase !== "ended") return;
        this.endReason = event.reason;
        this.meter.end();
        return;
      case "sel":
        this.selection.offered(event.target, event.part, event.actions);
        return;
      case "aim":
        this.scenery.redraw();
        return;
      case "limit":
      case "clock":
      case "block":
    }
  }

  // Time

  /** Move the player's body on by a little while. */
  step(dtS: number, nowMs: number): void {
    if (!this.world || !this.loading.isShown(this.world)) return;
    this.body.step(this.world, dtS, nowMs);
    if (this.body.moving) this.activity.touch();
  }

  /** Return the poses to draw now, by seat. */
  poses(nowMs: number): (Agent | null)[] {
    const { world } = this;
    if (!world) return [];
    const own = { position: this.body.drawn, yaw: this.body.yaw, pitch: this.body.pitch };
    return this.tracks.at(this.clock.drawnTick(nowMs)).map((pose, seat) => (seat === world.me ? own : pose));
  }

  /** Show what depends on the time; a few times a second is enough. */
  refresh(nowMs: number): void {
    const { world, hud } = this;
    const screen = this.screen(nowMs);
    hud.overlay.show(screen);
    hud.setLive(screen === null, world !== null);
    if (!world) return;
    this.panels.showTime(world, this.clock.serverTick(nowMs), this.clock.tickRate, nowMs);
    this.panels.followWalk();
    this.tutorial?.update(world);
    hud.setBanner(this.status.banner(world, nowMs));
    this.status.showTitle(world.phase);
  }

  private showSeats(world: World, told: readonly number[], nowMs: number): void {
    this.status.noteSeats(world, told, nowMs);
    this.panels.showSeats();
  }

  /** Whether the player takes part in a study. */
  private get isStudy(): boolean {
    return bootString(this.boot, "stopPath") !== "";
  }

  private screen(nowMs = performance.now()): ReturnType<typeof screenOf> {
    const { world } = this;
    return screenOf({
      link: this.connection.state,
      loading: this.loading.progress,
      phase: world?.phase ?? "",
      endReason: this.endReason,
      over: this.over !== null,
      others: world?.others.map((seat) => ({ name: called(world, seat), presence: seat.presence })) ?? [],
      inStudy: this.isStudy,
      practiceOver: this.panels.isPracticeOver(nowMs),
      graphics: this.graphics,
      nowMs,
    });
  }

  /** Tell a listener whenever settings change: keys may be bound otherwise. */
  onSettingsChange(listener: (settings: Settings) => void): void {
    this.settingsListeners.push(listener);
  }

  /** Show the page for fingers from now on, because the player has nothing else or has touched the scene. */
  useTouch(): void {
    if (this.touch) return;
    this.touch = true;
    this.actions.pointer = null;
    this.hud.setCrosshair(true);
    this.hud.selection.useThumbs();
    this.applySettings(this.settings);
  }

  /** Walk to a point of the map, which closes then: who goes there wants to see the way. */
  private walkOnMap(to: Vec2): void {
    const before = this.actions.walk.goal;
    void this.actions.walkOnMap(to);
    if (this.actions.walk.goal && this.actions.walk.goal !== before) this.hud.closePanels();
  }

  /** Note that the partner's view was hidden or shown. */
  toggledView(): void {
    this.tutorial?.toggledView();
    this.scenery.redraw();
  }

  private applySettings(settings: Settings): void {
    this.settings = settings;
    this.sounds.on = settings.sound;
    saveSettings(settings);
    this.scenery.viewport.setLevel(settings.quality >= 0 ? settings.quality : null);
    this.scenery.redraw();
    for (const listener of this.settingsListeners) listener(settings);
    if (this.world) this.hud.help.show(settings.bindings, this.world, this.touch);
    this.panels.showSelection();
    this.panels.showHolding();
  }

  private onScreenAction(action: ScreenAction): void {
    switch (action) {
      case "reload":
        window.location.reload();
        return;
      case "home":
        window.location.assign(bootString(this.boot, "homePath", "/"));
        return;
      case "report":
        this.toReport();
        return;
      case "take_over":
        this.connection.open(true);
        return;
      case "retry":
        this.connection.hurry();
    }
  }

  /** Leave this home: in a study that is to stop taking part, which its own page asks about. Others are told
      at once, so there is no way back; who is alone in it may come back for a while. */
  private leave(): void {
    const form = document.querySelector<HTMLFormElement>("form.leave-form");
    if (form && this.world?.others.some(({ presence }) => presence !== "gone")) {
      form.submit();
      return;
    }
    window.location.assign(bootString(this.boot, "stopPath") || bootString(this.boot, "homePath", "/"));
  }

  private toReport(): void {
    if (!this.over) return;
    // The study has ended this home, and knows where to go on.
    if (this.panels.isPracticeOver(performance.now())) this.onScreenAction("home");
    else window.location.assign(`${bootString(this.boot, "reportPath", "/report/")}${this.over.episodeId}`);
  }
}

