// A player in a session: messages in, what follows from them on the page, and what the player does.
import { bootString } from "../dom/boot";
import { socketUrl } from "../dom/socket_url";
import { tabId } from "../dom/tab";
import { loadSettings, saveSettings } from "../input/settings";
import type { Settings } from "../input/settings";
import { Connection } from "../session/connection";
import type { LinkState } from "../session/connection";
import type { CodecName } from "../net/codec";
import { Viewport } from "../scene/viewport";
import { Hud } from "../ui/hud";
import { screenOf } from "../ui/screens";
import type { ScreenAction, Situation } from "../ui/screens";
import type { ServerMessage, Snapshot, WireEvent } from "../wire/generated";
import { TickClock, Track } from "../session/tracks";
import { World } from "../world/world";
import type { Agent } from "../world/world";
import { Activity } from "./activity";
import { Doing } from "./actions";
import { loadHome } from "../session/loading";
import { OwnBody } from "./player_body";
import { Panels } from "./panels";
import { PartnerWatch } from "./partner_watch";
import { Placing } from "./placement";
import { Scenery } from "../scene/scenery";
import { Selecting } from "./selection";
import { Sounds } from "./sounds";
import { Standing } from "./page_status";

const REPORT_AFTER_MS = 500;

export class Game {
  world: World | null = null;
  settings: Settings;
  readonly hud: Hud;
  readonly scenery: Scenery;
  readonly connection: Connection;
  readonly body: OwnBody;
  readonly selecting: Selecting;
  readonly placing: Placing;
  readonly watch: PartnerWatch;
  readonly sounds = new Sounds();
  readonly doing = new Doing(this);
  readonly panels = new Panels(this);
  readonly standing = new Standing();
  readonly activity: Activity;
  touch = false;
  private me = -1;
  private tickClock = new TickClock(30);
  private tickRate = 30;
  private tracks: Track[] = [];
  private link: LinkState = { kind: "connecting" };
  private loading = { world: false, loaded: 0, total: 1 };
  private built: World | null = null;
  private over: { episodeId: string } | null = null;
  private endReason = "";
  private graphics: Situation["graphics"] = "ok";

  constructor(
    root: HTMLElement,
    private readonly boot: Record<string, unknown>,
  ) {
    this.settings = loadSettings();
    this.sounds.on = this.settings.sound;
    this.hud = new Hud(root, this.settings, {
      act: (verb) => this.doing.act(verb),
      place: () => this.doing.placeAt(this.doing.middle()),
      deselect: () => this.selecting.deselect(),
      say: (text) => this.connection.send({ tag: "say", text }),
      finish: () => this.doing.finish(),
      screen: (action) => this.onScreenAction(action),
      settings: (settings) => this.applySettings(settings),
    });
    this.scenery = new Scenery(new Viewport(this.hud.canvas));
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
      onState: (state) => (this.link = state),
    });
    this.activity = new Activity(() => this.connection.ping());
    this.body = new OwnBody((message) => this.connection.send(message), () => this.connection.smoothRttMs);
    this.selecting = new Selecting((message) => this.connection.send(message), () => this.panels.showSelection());
    this.placing = new Placing((message) => this.connection.send(message));
    this.watch = new PartnerWatch(this.hud, this.scenery);
    this.applySettings(this.settings);
  }

  start(): void {
    this.connection.open();
  }

  /** Whether the scene can be played in now. */
  get live(): boolean {
    return this.built !== null && this.built === this.world && this.screen() === null;
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
        if (message.tickRate !== this.tickRate) this.tickClock = new TickClock(message.tickRate);
        this.tickRate = message.tickRate;
        this.hud.chat.setLimit(message.chatLimit);
        return;
      case "snapshot":
        this.begin(message, now);
        return;
      case "f": {
        const { world } = this;
        if (!world) return;
        this.tickClock.heard(message.tick, now);
        const changes = world.apply(message);
        for (const seat of changes.agents) {
          this.tracks[seat]?.push(message.tick, world.agents[seat] as Agent);
          if (seat === world.me) this.body.fresh = true;
        }
        if (this.built === world) this.scenery.apply(changes);
        for (const event of changes.events) this.happened(event, world, now);
        if (changes.held.length > 0) this.panels.showHolding();
        if (this.panels.concernsSelection([...changes.states, ...changes.held, ...changes.parts.map((p) => p.furniture)])) {
          this.panels.showSelection();
        }
        if (changes.vanished.includes(this.selecting.selected?.entity ?? -1)) this.selecting.deselect();
        if (changes.seats.length > 0) this.showSeats(world, now);
        return;
      }
      case "preview":
        this.placing.answered(message);
        return;
      case "pong":
        this.tickClock.heard(message.tick, now);
        this.hud.setLatency(this.connection.rttMs);
        return;
      case "over":
        this.over = { episodeId: message.episodeId };
        this.endReason ||= message.reason;
        window.setTimeout(() => this.toReport(), REPORT_AFTER_MS);
        return;
      case "notice":
        if (message.code !== "reconnected") this.standing.tell(message.text, 5000);
    }
  }

  private begin(snapshot: Snapshot, now: number): void {
    const before = this.world;
    const selected = this.selecting.selected;
    const handle = (selected && before?.entities[selected.entity]?.handle) ?? null;
    const world = (this.world = new World(snapshot, this.me));
    const same = before?.episodeId === world.episodeId;
    this.loading.world = true;
    this.tickClock.heard(world.tick, now);
    this.tracks = world.agents.map((agent) => {
      const track = new Track();
      track.reset(world.tick, agent);
      return track;
    });
    if (!same) {
      this.endReason = "";
      this.watch.reset();
      this.body.stop();
    }
    this.body.reset(world, now);
    this.placing.stop();
    this.hud.setFeatures(world.features);
    this.hud.task.setTask(world.taskText);
    this.hud.map.setRooms(world.rooms);
    this.hud.help.show(this.settings.bindings, world.features, this.touch);
    this.hud.chat.clear();
    for (const line of snapshot.chat) this.panels.showChat(line.seat, line.text, true);
    this.showSeats(world, now);
    this.panels.showHolding();
    this.selecting.reset(world, same ? handle : null, selected?.part ?? -1);
    void this.load(world);
  }

  private async load(world: World): Promise<void> {
    if (!(await loadHome(this.scenery, world, this.boot, this.loading, () => this.world === world))) return;
    this.built = world;
    if (world.phase === "gathering") {
      await this.scenery.viewport.prepare();
      if (this.world === world) this.connection.send({ tag: "ready" });
    }
  }

  private happened(event: WireEvent, world: World, now: number): void {
    switch (event.tag) {
      case "did":
        if (event.seat === world.me) this.selecting.answered(event.intentId, null);
        else this.watch.did(event, world, now);
        this.sounds.verb(event.verb);
        return;
      case "no":
        this.selecting.answered(event.intentId, event.reason);
        this.doing.refuse(event.reason);
        return;
      case "said":
        this.panels.showChat(event.seat, event.text, false);
        return;
      case "phase":
        if (event.phase === "ended") this.endReason = event.reason;
        return;
      case "sel":
        this.selecting.offered(event.target, event.part, event.actions);
    }
  }

  // Time

  /** Move on by a little while: the own body. */
  step(dtS: number, nowMs: number): void {
    if (!this.world || this.built !== this.world) return;
    this.body.step(this.world, dtS, nowMs);
    if (this.body.moving) this.activity.touch();
  }

  /** Poses to draw now, by seat. */
  poses(nowMs: number): (Agent | null)[] {
    const { world } = this;
    if (!world) return [];
    const tick = this.tickClock.drawnTick(nowMs);
    return this.tracks.map((track, seat) =>
      seat === world.me
        ? { position: this.body.drawn, yaw: this.body.yaw, pitch: this.body.pitch }
        : track.at(tick),
    );
  }

  /** Texts that depend on the time: a few times a second is enough. */
  refresh(nowMs: number): void {
    const { world, hud } = this;
    const screen = this.screen(nowMs);
    hud.overlay.show(screen);
    hud.setLive(screen === null, world !== null);
    if (!world) return;
    this.panels.showTime(world, this.tickClock.serverTick(nowMs), this.tickRate);
    hud.setBanner(this.standing.banner(world, nowMs));
    this.standing.showTitle(world.phase);
  }

  private showSeats(world: World, nowMs: number): void {
    this.standing.seats(world.seats, nowMs);
    this.panels.showSeats();
  }

  private screen(nowMs = performance.now()): ReturnType<typeof screenOf> {
    const partner = this.world?.partner;
    return screenOf({
      link: this.link,
      loading: this.loading,
      phase: this.world?.phase ?? "",
      endReason: this.endReason,
      over: this.over !== null,
      partner: partner ? { presence: partner.presence, kind: partner.kind } : null,
      graphics: this.graphics,
      nowMs,
    });
  }

  applySettings(settings: Settings): void {
    this.settings = settings;
    this.sounds.on = settings.sound;
    saveSettings(settings);
    this.scenery.viewport.setLevel(settings.quality >= 0 ? settings.quality : null);
    this.scenery.redraw();
    this.onSettings?.(settings);
    if (this.world) this.hud.help.show(settings.bindings, this.world.features, this.touch);
    this.panels.showSelection();
    this.panels.showHolding();
  }

  /** Told when keys may be bound otherwise. */
  onSettings: ((settings: Settings) => void) | null = null;

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

  private toReport(): void {
    if (!this.over) return;
    window.location.assign(`${bootString(this.boot, "reportPath", "/report/")}${this.over.episodeId}`);
  }
}

