// A player in a session: messages in, what follows from them on the page, and what the player does.
import { toggle } from "../dom/el";
import { bootString } from "../dom/boot";
import { socketUrl } from "../dom/socket_url";
import { tabId } from "../dom/tab";
import type { Point } from "../input/pointer";
import { loadSettings, saveSettings } from "../input/settings";
import type { Settings } from "../input/settings";
import { hintFor, keyWord } from "../input/bindings";
import { Connection } from "../net/connection";
import type { LinkState } from "../net/connection";
import type { CodecName } from "../net/codec";
import type { Pick } from "../scene/picking";
import { Viewport } from "../scene/viewport";
import { Hud } from "../ui/hud";
import { screenOf } from "../ui/screens";
import type { ScreenAction, Situation } from "../ui/screens";
import type { ServerMessage, Snapshot, WireEvent } from "../wire/generated";
import { TickClock, Track } from "../world/interpolation";
import { millimetres3 } from "../world/units";
import { World } from "../world/world";
import type { Agent, Entity } from "../world/world";
import { clock, describe, stateWords } from "../world/words";
import { OwnBody } from "./own_body";
import { PartnerWatch } from "./partner_watch";
import { Placing } from "./placing";
import { Scenery } from "./scenery";
import { Selecting } from "./selecting";
import { Sounds } from "./sounds";

const REPORT_AFTER_MS = 500;
const URGENT_S = 30;
const HIDDEN_TITLE = "Your home is waiting – Cohabit";
const IDLE_WARNING_MS = 4 * 60 * 1000;

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
  /** What is under the pointer. */
  hovered: Pick | null = null;
  /** Where the pointer is; null: not over the scene, the middle counts. */
  pointer: Point | null = null;
  touch = false;
  activeMs = performance.now();
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
  private notice: { text: string; untilMs: number } | null = null;
  private unread = 0;
  /** When the partner has to be back (of performance.now); 0: no one is waited for. */
  private returnByMs = 0;
  private readonly title = document.title;

  constructor(
    root: HTMLElement,
    private readonly boot: Record<string, unknown>,
  ) {
    this.settings = loadSettings();
    this.sounds.on = this.settings.sound;
    this.hud = new Hud(root, this.settings, {
      act: (verb) => this.act(verb),
      place: () => this.placeAt(this.middle()),
      deselect: () => this.selecting.deselect(),
      say: (text) => this.connection.send({ tag: "say", text }),
      finish: () => this.finish(),
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
      onMessage: (message) => this.receive(message),
      onState: (state) => (this.link = state),
    });
    this.body = new OwnBody((message) => this.connection.send(message), () => this.connection.smoothRttMs);
    this.selecting = new Selecting((message) => this.connection.send(message), () => this.showSelection());
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
        if (changes.held.length > 0) this.showHolding();
        if (this.concernsSelection([...changes.states, ...changes.held, ...changes.parts.map((p) => p.furniture)])) {
          this.showSelection();
        }
        if (changes.vanished.includes(this.selecting.selected?.entity ?? -1)) this.selecting.deselect();
        if (changes.seats.length > 0) this.showSeats();
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
        if (message.code !== "reconnected") this.tell(message.text, 5000);
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
    for (const line of snapshot.chat) this.showChat(line.seat, line.text, true);
    this.showSeats();
    this.showHolding();
    this.selecting.reset(world, same ? handle : null, selected?.part ?? -1);
    void this.load(world);
  }

  private async load(world: World): Promise<void> {
    const root = world.assetRoot || bootString(this.boot, "assetRoot", "/assets");
    await this.scenery.build(world, root, (loaded, total) => {
      if (this.world !== world) return;
      this.loading.loaded = loaded;
      this.loading.total = total;
    });
    if (this.world !== world) return;
    this.scenery.show(world);
    this.built = world;
    this.loading.loaded = this.loading.total;
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
        this.refuse(event.reason);
        return;
      case "said":
        this.showChat(event.seat, event.text, false);
        return;
      case "phase":
        if (event.phase === "ended") this.endReason = event.reason;
        return;
      case "sel":
        this.selecting.offered(event.target, event.part, event.actions);
    }
  }

  // What the player does

  /** Do a verb to the selection. */
  act(verb: string): void {
    const { selected } = this.selecting;
    if (selected) void this.selecting.act(verb, selected.entity, selected.part);
  }

  /** A key for one of these verbs: on the selection if it offers one, else on what is under the pointer. */
  actByKey(verbs: readonly string[]): void {
    const offered = this.selecting.selected && this.hud.selection.find(verbs);
    if (offered) {
      if (offered.possible) this.act(offered.verb);
      else this.refuse(offered.reason);
      return;
    }
    const { world, hovered } = this;
    const entity = world?.entities[hovered?.entity ?? -1];
    const verb = entity && hovered ? verbs.find((v) => applies(v, entity, hovered.part)) : undefined;
    if (!entity || !hovered || verb === undefined) return;
    this.selecting.select(entity.index, hovered.part);
    void this.selecting.act(verb, entity.index, hovered.part);
  }

  click(at: Point, double: boolean): void {
    const pick = this.scenery.pick(at);
    const entity = this.world?.entities[pick?.entity ?? -1];
    if (!pick || !entity) {
      if (!double) this.selecting.deselect();
      return;
    }
    this.selecting.select(entity.index, pick.part);
    const verb = double ? this.selecting.mainVerb(entity, pick.part) : null;
    if (verb) void this.selecting.act(verb, entity.index, pick.part);
  }

  /** Put down what the hand holds where a point of the canvas shows it. */
  placeAt(at: Point): void {
    const { world } = this;
    if (!world?.heldBy(world.me)) return;
    const pick = this.scenery.pickSurface(at);
    if (!pick) {
      this.refuse("Point at a surface to put it on");
      return;
    }
    const { x, y, z } = pick.point;
    void this.putDown([x, y, z], this.placing.yawFor(this.body.yaw), pick.entity);
  }

  putDown(point: [number, number, number], yaw: number, target: number): Promise<string | null> {
    return this.selecting.place(millimetres3(point), Math.round(yaw * 1000), target);
  }

  aim(phase: "start" | "end" | "cancel"): void {
    const { world, placing } = this;
    if (phase === "start") {
      if (world?.heldBy(world.me)) placing.start();
      else if (world) this.refuse("Your hand is empty: pick something up first");
      return;
    }
    if (!placing.active) return;
    const { goal } = placing;
    placing.stop();
    this.hud.near.hide();
    if (phase === "end" && goal) void this.putDown(goal.point, goal.yaw, goal.target);
  }

  finish(): void {
    const seat = this.world?.mySeat;
    if (seat) this.connection.send({ tag: "finish", finished: !seat.finished });
  }

  refuse(reason: string): void {
    const at = this.pointer ?? this.middle();
    this.hud.refuse(reason, at);
    this.sounds.play("no");
  }

  /** The point that counts for aiming. */
  aimPoint(): Point {
    return this.pointer ?? this.middle();
  }

  middle(): Point {
    const { clientWidth, clientHeight } = this.hud.canvas;
    return { x: clientWidth / 2, y: clientHeight / 2 };
  }

  // Time

  /** Move on by a little while: the own body. */
  step(dtS: number, nowMs: number): void {
    if (this.world && this.built === this.world) this.body.step(this.world, dtS, nowMs);
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
    this.showTime(world, nowMs);
    if (this.notice && this.notice.untilMs < nowMs) this.notice = null;
    hud.setBanner(this.notice?.text ?? this.standingBanner(world, nowMs));
    if (!document.hidden && this.unread > 0) this.unread = 0;
    let title = document.hidden && world.phase === "running" ? HIDDEN_TITLE : this.title;
    if (this.unread > 0) title = `(${this.unread}) ${title}`;
    if (document.title !== title) document.title = title;
  }

  /** Show a line across the top for a while. */
  tell(text: string, forMs: number): void {
    this.notice = { text, untilMs: performance.now() + forMs };
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

  private standingBanner(world: World, nowMs: number): string {
    const { partner } = world;
    if (partner?.presence === "reconnecting") {
      const seconds = Math.ceil((this.returnByMs - nowMs) / 1000);
      const left = seconds > 0 ? ` (${seconds} s left)` : "";
      return `Your partner lost the connection and is coming back${left}. You can go on.`;
    }
    if (partner?.presence === "gone") {
      return "Your partner has left. You can go on alone, or press Finish.";
    }
    if (nowMs - this.activeMs > IDLE_WARNING_MS) {
      return "Are you still there? Press a key or move the mouse to go on.";
    }
    return "";
  }

  private showTime(world: World, nowMs: number): void {
    if (!world.features.has("timer") || world.startedTick < 0) {
      this.hud.task.setTime("", false);
      return;
    }
    const ticks = Math.max(world.tick, this.tickClock.serverTick(nowMs)) - world.startedTick;
    if (world.timeLimitTicks <= 0) {
      this.hud.task.setTime(clock(ticks / this.tickRate), false);
      return;
    }
    const left = (world.timeLimitTicks - ticks) / this.tickRate;
    this.hud.task.setTime(`${clock(left)} left`, left < URGENT_S);
  }

  // What is shown

  private showSeats(): void {
    const { world, hud } = this;
    const own = world?.mySeat;
    const partner = world?.partner ?? null;
    const finished = own?.finished ?? false;
    const seconds = partner?.secondsLeft ?? -1;
    this.returnByMs = seconds >= 0 ? performance.now() + seconds * 1000 : 0;
    hud.setFinish(finished, partner === null);
    if (!world) return;
    // Alone there is nobody to talk to.
    toggle(hud.chat.root, world.features.has("chat") && partner !== null);
    hud.partner.setPartner(
      "Partner",
      partner?.kind ?? null,
      world.features.has("partner_status"),
      world.features.has("partner_view"),
    );
    let note = "";
    if (finished && partner && partner.presence !== "gone") note = "Waiting for your partner to finish too.";
    else if (partner?.finished && partner.presence !== "gone") note = "Your partner thinks that it is done.";
    hud.task.setNote(note);
  }

  private showSelection(): void {
    const { world, hud } = this;
    const { selected } = this.selecting;
    const entity = world?.entities[selected?.entity ?? -1];
    // What the hand holds has a panel of its own.
    const idle = entity?.holder === world?.me && selected?.actions?.length === 0;
    if (!world || !selected || !entity || idle) {
      hud.selection.hideSelection();
      return;
    }
    const { position } = world.pose(entity);
    const room = world.rooms[entity.room] ?? world.roomAt(position[0], position[2]);
    const details = [room?.label, ...stateWords(entity, world.me)].filter(Boolean).join(" — ");
    const actions = selected.actions?.map((action) => ({
      ...action,
      key: hintFor(this.settings.bindings, action.verb),
    }));
    hud.selection.showSelection(entity.label, details, actions ?? null);
  }

  private concernsSelection(indices: readonly number[]): boolean {
    const { selected } = this.selecting;
    return selected !== null && indices.includes(selected.entity);
  }

  private showHolding(): void {
    const { world } = this;
    const held = world?.heldBy(world.me);
    const { bindings } = this.settings;
    this.hud.selection.showHolding(
      held
        ? {
            label: held.label,
            key: this.touch ? "" : hintFor(bindings, "place"),
            aimKey: this.touch ? "" : keyWord(bindings.aim[0] ?? ""),
          }
        : null,
    );
    if (!held && this.placing.active) this.aim("cancel");
  }

  showHover(): void {
    const { world, hovered } = this;
    const entity = world?.entities[hovered?.entity ?? -1];
    const selected = this.selecting.selected?.entity === entity?.index;
    this.hud.selection.showHover(world && entity && !selected ? describe(world, entity) : "");
  }

  private showChat(seat: number, text: string, old: boolean): void {
    const { world } = this;
    const kind = world?.seats[seat]?.kind ?? "human";
    this.hud.chat.add(seat === world?.me ? "You" : "Partner", kind, text, old);
    if (old || seat === world?.me) return;
    this.sounds.play("chat");
    if (document.hidden) this.unread += 1;
  }

  applySettings(settings: Settings): void {
    this.settings = settings;
    this.sounds.on = settings.sound;
    saveSettings(settings);
    this.scenery.viewport.setLevel(settings.quality >= 0 ? settings.quality : null);
    this.scenery.redraw();
    this.onSettings?.(settings);
    if (this.world) this.hud.help.show(settings.bindings, this.world.features, this.touch);
    this.showSelection();
    this.showHolding();
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

/** Whether a verb makes sense for a thing, as far as the page can know. */
function applies(verb: string, entity: Entity, part: number): boolean {
  const open = part >= 0 ? entity.parts[part] !== 0 : entity.parts.some((value) => value !== 0);
  switch (verb) {
    case "pick":
      return entity.template.kind === "object";
    case "open":
      return entity.parts.length > 0 && !open;
    case "close":
      return entity.parts.length > 0 && open;
    case "clean":
      return "is_clean" in entity.states;
    case "fill":
    case "pour":
      return "is_filled" in entity.states;
    case "power_on":
      return entity.states.is_powered_on === false;
    case "power_off":
      return entity.states.is_powered_on === true;
    default:
      return false;
  }
}
