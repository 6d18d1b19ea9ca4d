// The watching of a session by somebody who is not in it: messages in, pictures out, nothing else.
import { bootString } from "../dom/boot";
import { eachFrame } from "../dom/frames";
import { socketUrl } from "../dom/socket_url";
import { tabId } from "../dom/tab";
import { Scenery } from "../scene/scenery";
import { Viewport } from "../scene/viewport";
import { TickClock } from "../session/clock";
import { Connection } from "../session/connection";
import { SceneLoading } from "../session/loading";
import { Tracks } from "../session/tracks";
import type { ScreenAction } from "../ui/screens";
import type { ServerMessage, Snapshot, WireEvent } from "../wire/generated";
import { clockText } from "../world/duration";
import { fromBody } from "../world/units";
import { destination } from "../world/destinations";
import { didText } from "../world/words";
import { World } from "../world/world";
import { watchScreenOf } from "./screens";
import { phaseWords, seatWords } from "./seat_words";
import { WatchHud } from "./watch_hud";

const REFRESH_MS = 250;
const NOTICE_MS = 5000;
const USUAL_EYE: [number, number, number] = [0, 1.6, 0];

export class Watcher {
  private readonly hud: WatchHud;
  private readonly scenery: Scenery;
  private readonly connection: Connection;
  private world: World | null = null;
  private readonly clock = new TickClock();
  private readonly tracks = new Tracks();
  private readonly loading: SceneLoading;
  private endReason = "";
  private notice = { text: "", untilMs: 0 };
  /** The seat whose eyes are looked through; -1 until one is chosen. */
  private followed = -1;
  private framedMs = performance.now();
  private refreshedMs = -Infinity;

  /** Throws when the browser has no WebGL 2. */
  constructor(
    root: HTMLElement,
    private readonly boot: Record<string, unknown>,
  ) {
    const list = bootString(boot, "homePath", "/operator");
    this.hud = new WatchHud(root, bootString(boot, "sessionId"), list, {
      screen: (action) => this.onScreenAction(action),
      follow: (seat) => this.follow(seat),
    });
    this.scenery = new Scenery(new Viewport(this.hud.canvas));
    this.loading = new SceneLoading(this.scenery, bootString(boot, "assetRoot"));
    this.connection = new Connection({
      url: socketUrl(bootString(boot, "wsPath", "/ws/watch")),
      codec: "msgpack",
      token: bootString(boot, "token"),
      tab: tabId(),
      clientVersion: bootString(boot, "clientVersion"),
      idleMs: () => -1,
      onMessage: (message) => this.receive(message),
    });
  }

  start(): void {
    this.scenery.followCanvas();
    this.connection.open();
    eachFrame(() => this.frame());
  }

  private receive(message: ServerMessage): void {
    const now = performance.now();
    switch (message.tag) {
      case "welcome":
        this.clock.setRate(message.tickRate);
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
        if (this.loading.isShown(world)) this.scenery.apply(changes);
        for (const event of changes.events) this.happened(event, world);
        if (changes.seats.length > 0) this.hud.setSeats(world.seats);
        return;
      }
      case "pong":
        this.clock.heard(message.tick, now);
        return;
      case "over":
        this.endReason ||= message.reason;
        return;
      case "notice":
        this.notice = { text: message.text, untilMs: now + NOTICE_MS };
        return;
      case "preview":
    }
  }

  private begin(snapshot: Snapshot, now: number): void {
    const world = (this.world = new World(snapshot, -1));
    if (!world.seats[this.followed]?.occupied) this.followed = world.seats.findIndex((seat) => seat.occupied);
    world.me = this.followed;
    this.endReason = "";
    this.clock.heard(world.tick, now);
    this.tracks.reset(world);
    this.hud.task.setTask(world.taskText);
    this.hud.map.setHouse(world.rooms, world.walkable);
    this.hud.setSeats(world.seats);
    this.hud.clearLog();
    for (const line of snapshot.chat) this.tell(world, line.seat, line.text, true);
    void this.loading.show(world);
  }

  private happened(event: WireEvent, world: World): void {
    switch (event.tag) {
      case "did":
        this.tell(world, event.seat, didText(world, event.verb, event.target, event.where), false);
        return;
      case "said":
        this.tell(world, event.seat, event.text, true);
        return;
      case "phase":
        if (event.phase === "ended") this.endReason = event.reason;
        return;
      case "limit":
      case "clock":
      case "clock":
      case "block":
      case "aim":
      case "no":
      case "sel":
    }
  }

  private tell(world: World, index: number, text: string, said: boolean): void {
    const seat = world.seats[index];
    if (seat) this.hud.tell(world, seat, text, said);
  }

  private follow(seat: number): void {
    this.followed = seat;
    if (!this.world) return;
    this.world.me = seat;
    // The followed body is not drawn, its hand is.
    if (this.loading.isShown(this.world)) this.scenery.show(this.world);
    this.refresh(performance.now());
  }

  private frame(): void {
    const now = performance.now();
    const since = now - this.framedMs;
    if (since < 1000 / this.scenery.viewport.quality.mostFps - 8) return;
    this.framedMs = now;
    if (now - this.refreshedMs > REFRESH_MS) this.refresh(now);
    const { world } = this;
    if (!world || !this.scenery.house) return;
    const poses = this.tracks.at(this.clock.drawnTick(now));
    const pose = poses[world.me] ?? { position: [0, 0, 0], yaw: 0, pitch: 0 };
    const follows = this.scenery.draw(
      {
        poses,
        eye: fromBody(pose.position, pose.yaw, world.mySeat?.eye ?? USUAL_EYE),
        yaw: pose.yaw,
        pitch: pose.pitch,
        hovered: null,
        selected: null,
        ghost: null,
        inset: null,
      },
      Math.min(0.1, since / 1000),
      now,
    );
    if (follows) this.scenery.viewport.drew(since / 1000);
    this.hud.map.draw(
      world.seats.flatMap((seat) => {
        const at = poses[seat.index];
        return seat.occupied && at ? [{ ...at, look: seat.look, me: seat.index === world.me, faded: false, goal: destination(world, seat.index)?.position ?? null }] : [];
      }),
    );
  }

  /** Show what is read; a few times a second is enough. */
  private refresh(now: number): void {
    this.refreshedMs = now;
    const { world, hud } = this;
    hud.overlay.show(watchScreenOf(this.connection.state, this.loading.progress));
    if (!world) return;
    const notice = now < this.notice.untilMs ? this.notice.text : "";
    hud.setBanner(notice || phaseWords(world.phase, this.endReason));
    for (const seat of world.seats) hud.showSeat(seat.index, seatWords(world, seat), seat.index === world.me);
    const ticks = Math.max(world.tick, this.clock.serverTick(now)) - world.startedTick;
    const running = world.startedTick >= 0 && world.phase === "running";
    hud.task.setTime(running ? clockText(ticks / this.clock.tickRate) : "", false);
  }

  private onScreenAction(action: ScreenAction): void {
    if (action === "home") window.location.assign(bootString(this.boot, "homePath", "/operator"));
    else window.location.reload();
  }
}
