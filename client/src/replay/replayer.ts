// The showing of a film: where one is in it, the house at that moment, and from where it is seen.
import { bootString } from "../dom/boot";
import { eachFrame } from "../dom/frames";
import { Scenery } from "../scene/scenery";
import { Viewport } from "../scene/viewport";
import { SceneLoading } from "../session/loading";
import { destination } from "../world/destinations";
import type { Agent, World } from "../world/world";
import { FlyingCamera, behind, eyesOf } from "./camera";
import type { Eye, View } from "./camera";
import { FilmError } from "./film";
import type { Film, Reel } from "./film";
import { ClipRecorder, recordedKind, saveFile } from "./clip_recorder";
import { clockAt } from "./film_clock";
import { readMoment, writeMoment } from "./moment_link";
import { Playback } from "./playback";
import { ReplayHud } from "./replay_hud";
import { ReplayKeys, viewAfter } from "./replay_keys";
import { Stage } from "./stage";
import { buttonWords, pressed } from "./stretch";
import type { Stretch } from "./stretch";

const NOTICE_MS = 4000;
const TURN_RAD_PER_PX = 0.004;
const NOWHERE: Agent = { position: [0, 0, 0], yaw: 0, pitch: 0 };

export class Replayer {
  private readonly hud: ReplayHud;
  private readonly scenery: Scenery;
  private readonly loading: SceneLoading;
  private readonly playback: Playback;
  private readonly keys: ReplayKeys;
  private readonly flying = new FlyingCamera();
  private stage: Stage | null = null;
  /** The reel that is to follow the one that is shown, once it is here. */
  private following: Reel | null = null;
  private fetching = -1;
  private seeks = 0;
  private view: View;
  /** The seat that is followed at first, as far as the house has it. */
  private readonly wantedSeat: string;
  private followed = 0;
  private notice = { text: "", untilMs: 0 };
  private wantsPicture = false;
  private stretch: Stretch = { kind: "none" };
  private recorder: ClipRecorder | null = null;
  private framedMs = performance.now();

  /** Throws when the browser has no WebGL 2. */
  constructor(
    root: HTMLElement,
    private readonly film: Film,
    boot: Record<string, unknown>,
  ) {
    const { index } = film;
    this.playback = new Playback(index.first, index.ended, index.last, index.tickRate);
    const wanted = readMoment(window.location.hash);
    this.view = wanted.view;
    this.wantedSeat = wanted.seat || bootString(boot, "seat");
    const controls = {
      play: () => this.playback.toggle(),
      seekBy: (seconds: number) => {
        this.playback.seekBy(seconds);
        this.seek(this.playback.tick);
      },
      beside: (after: boolean) => this.seekBeside(after),
      follow: (number: number) => this.follow(number),
      link: () => void this.copyLink(),
    };
    this.hud = new ReplayHud(root, index, { path: bootString(boot, "homePath", "/"), label: bootString(boot, "homeLabel", "Back") }, bootString(boot, "codingPath"), {
      ...controls,
      seek: (tick) => this.seek(tick),
      speed: (speed) => this.playback.setSpeed(speed),
      view: (view) => this.look(view),
      picture: () => (this.wantsPicture = true),
      clip: () => this.clip(),
      now: () => this.playback.tick,
    });
    this.scenery = new Scenery(new Viewport(this.hud.canvas));
    this.loading = new SceneLoading(this.scenery, bootString(boot, "assetRoot"));
    this.keys = new ReplayKeys({
      ...controls,
      step: (ticks) => {
        this.playback.playing = false;
        this.seek(Math.round(this.playback.tick) + ticks);
      },
      toEnd: (last) => this.seek(last ? index.ended : index.first),
      faster: (steps) => this.playback.faster(steps),
      nextView: () => this.look(viewAfter(this.view)),
      toggleMap: () => this.hud.toggleMap(),
      toggleMoments: () => this.hud.toggleMoments(),
      code: (number) => this.hud.notes?.press(number),
    });
    this.playback.seek(wanted.seconds === null ? index.start : index.start + wanted.seconds * index.tickRate);
  }

  start(): void {
    this.scenery.followCanvas();
    this.lookRound(this.hud.canvas);
    this.seek(this.playback.tick);
    window.addEventListener("hashchange", () => {
      const { seconds } = readMoment(window.location.hash);
      if (seconds !== null) this.seek(this.film.index.start + seconds * this.film.index.tickRate);
    });
    eachFrame(() => this.frame());
  }

  // Where one is

  private seek(tick: number): void {
    this.playback.seek(tick);
    const to = this.playback.tick;
    const number = this.film.reelAt(to);
    const { stage } = this;
    if (this.film.index.reels.length === 0) return;
    if (stage?.reelNumber === number && stage.tick <= to && this.seeks === 0) return;
    this.seeks++;
    this.film.reel(number).then(
      (reel) => {
        this.seeks--;
        // The last of several that were asked for while a reel was on its way is what is wanted.
        if (this.seeks === 0) this.setUp(reel);
      },
      (error: unknown) => {
        this.seeks--;
        this.tell(error instanceof FilmError ? error.message : "A part of the recording could not be loaded.");
      },
    );
  }

  private setUp(reel: Reel): void {
    if (this.film.reelAt(this.playback.tick) !== reel.number) return this.seek(this.playback.tick);
    const first = this.stage === null;
    const stage = (this.stage = new Stage(reel, -1));
    const { world } = stage;
    this.following = null;
    stage.advance(this.playback.tick);
    if (first) this.begin(world);
    world.me = this.view === "eyes" ? this.followed : -1;
    void this.loading.show(world);
  }

  private begin(world: World): void {
    const wanted = world.seats.findIndex((seat) => seat.seatId === this.wantedSeat);
    this.followed = Math.max(0, wanted >= 0 ? wanted : world.seats.findIndex((seat) => seat.occupied));
    this.hud.map.setHouse(world.rooms, world.walkable);
    this.hud.setSeats(world.seats);
    this.hud.showView(this.view, this.followed);
    if (this.view === "fly") this.flying.start(eyesOf(world.agents[this.followed] ?? NOWHERE, world.seats[this.followed] ?? null));
  }

  /** Bring the house to the tick that is shown, over as many reels as lie between. */
  private advance(): void {
    const { stage, film } = this;
    if (!stage || this.seeks > 0) return;
    for (;;) {
      const shown = this.loading.isShown(stage.world);
      for (const { changes } of stage.advance(this.playback.tick)) if (shown) this.scenery.apply(changes);
      const next = film.index.reels[stage.reelNumber + 1];
      if (!next) return;
      this.fetchNext(stage.reelNumber + 1);
      if (this.playback.tick < next.first) return;
      if (this.following?.number !== stage.reelNumber + 1) {
        // It waits for what is on its way.
        this.playback.seek(next.first);
        return;
      }
      stage.follow(this.following);
    }
  }

  private fetchNext(number: number): void {
    if (this.following?.number === number || this.fetching === number) return;
    this.fetching = number;
    this.film.reel(number).then(
      (reel) => {
        this.following = reel;
        this.fetching = -1;
      },
      () => {
        this.fetching = -1;
        this.playback.playing = false;
        this.tell("A part of the recording could not be loaded. Press Play to try again.");
      },
    );
  }

  private seekBeside(after: boolean): void {
    const tick = this.hud.moments.beside(this.playback.tick, after);
    if (tick !== null) this.seek(tick);
  }

  // From where it is seen

  private look(view: View): void {
    if (view === "fly" && this.view !== "fly") this.flying.start(this.eye());
    this.view = view;
    this.showFollowed();
  }

  private follow(seat: number): void {
    if (!this.stage?.world.seats[seat]?.occupied) return;
    this.followed = seat;
    if (this.view === "fly") this.view = "eyes";
    this.showFollowed();
  }

  private showFollowed(): void {
    this.hud.showView(this.view, this.followed);
    const world = this.stage?.world;
    if (!world) return;
    world.me = this.view === "eyes" ? this.followed : -1;
    // Whose eyes are looked through is not drawn, but for what the hand holds.
    if (this.loading.isShown(world)) this.scenery.show(world);
  }

  private eye(): Eye {
    const { stage } = this;
    if (!stage || this.view === "fly") return this.flying.now;
    const pose = stage.poses()[this.followed] ?? NOWHERE;
    const seat = stage.world.seats[this.followed] ?? null;
    return this.view === "eyes" ? eyesOf(pose, seat) : behind(pose, seat, (from, to) => this.scenery.isClear(from, to));
  }

  private lookRound(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      if (this.view !== "fly") this.look("fly");
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      this.flying.turn(-event.movementX * TURN_RAD_PER_PX, -event.movementY * TURN_RAD_PER_PX);
    });
  }

  // Pictures

  private frame(): void {
    const now = performance.now();
    const since = now - this.framedMs;
    if (since < 1000 / this.scenery.viewport.quality.mostFps - 8) return;
    this.framedMs = now;
    const seconds = Math.min(0.1, since / 1000);
    const { forward, right, up, hurry } = this.keys.flight;
    if (forward || right || up) {
      if (this.view !== "fly") this.look("fly");
      this.flying.move(forward, right, up, hurry, seconds);
    }
    if (this.seeks === 0) this.playback.advance(Math.min(500, since));
    this.advance();
    this.hud.showTime(this.playback.tick, this.playback.playing, this.playback.speed);
    this.hud.setNote(this.noteAt(now));
    const { stage } = this;
    if (!stage || !this.scenery.house) return;
    const { world } = stage;
    const poses = stage.poses();
    if (this.wantsPicture) this.scenery.redraw();
    const drawn = this.scenery.draw({ poses, ...this.eye(), hovered: null, selected: null, ghost: null, inset: null }, seconds, now);
    if (drawn) this.scenery.viewport.drew(since / 1000);
    if (this.wantsPicture) this.savePicture();
    this.followClip();
    this.hud.map.draw(
      world.seats.flatMap((seat) => {
        const at = poses[seat.index];
        return seat.occupied && at ? [{ ...at, look: seat.look, me: seat.index === world.me, faded: false, goal: destination(world, seat.index)?.position ?? null }] : [];
      }),
    );
  }

  private noteAt(now: number): string {
    if (now < this.notice.untilMs) return this.notice.text;
    const { loaded, total, world } = this.loading.progress;
    if (this.film.index.reels.length > 0 && (!world || loaded < total)) return "Getting the home ready …";
    return this.film.index.missing.join(" ");
  }

  private tell(text: string): void {
    this.notice = { text, untilMs: performance.now() + NOTICE_MS };
  }

  private async copyLink(): Promise<void> {
    const { start, tickRate } = this.film.index;
    const seat = this.stage?.world.seats[this.followed]?.seatId ?? "";
    const hash = writeMoment({ seconds: (this.playback.tick - start) / tickRate, seat, view: this.view });
    window.history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(window.location.href);
      this.tell("The link to this moment is copied.");
    } catch {
      this.tell("The link to this moment is in the address line.");
    }
  }

  /** Offer what is drawn now as a file: the buffer of the canvas lasts to the end of this task. */
  private savePicture(): void {
    this.wantsPicture = false;
    const name = `${this.film.index.episodeId}-${Math.round(this.playback.tick)}.png`;
    this.hud.canvas.toBlob((blob) => {
      if (blob) saveFile(blob, name);
      else this.tell("This browser made no picture.");
    });
  }

  // Clips

  /** Mark where a clip begins, then where it ends, which records it; while it is recorded, stop. */
  private clip(): void {
    if (recordedKind() === null) return this.tell("This browser records no video.");
    const was = this.stretch;
    this.stretch = pressed(was, this.playback.tick);
    this.showClip();
    if (was.kind === "recording") return void this.endClip(was.first, this.playback.tick);
    if (this.stretch.kind !== "recording") return;
    this.playback.playing = false;
    this.seek(this.stretch.first);
  }

  /** Begin to record once the house is where the clip begins, and stop where it ends. */
  private followClip(): void {
    const { stretch, stage } = this;
    if (stretch.kind !== "recording" || !stage) return;
    if (!this.recorder) {
      if (this.seeks > 0 || !this.loading.isShown(stage.world)) return;
      this.recorder = new ClipRecorder(this.hud.canvas);
      this.playback.playing = true;
    } else if (this.playback.tick >= stretch.last || !this.playback.playing) {
      void this.endClip(stretch.first, this.playback.tick);
    }
  }

  private async endClip(first: number, last: number): Promise<void> {
    const { recorder } = this;
    this.recorder = null;
    this.stretch = { kind: "none" };
    this.playback.playing = false;
    this.showClip();
    if (!recorder) return;
    const blob = await recorder.stop();
    saveFile(blob, `${this.film.index.episodeId}-${Math.round(first)}-${Math.round(last)}.webm`);
    this.tell("The clip is saved.");
  }

  private showClip(): void {
    this.hud.setClip(buttonWords(this.stretch, (tick) => clockAt(this.film.index, tick)), this.stretch.kind === "recording");
  }
}
