// The house of a film at a tick: a world that frames have been applied to, and the ways of its bodies.
import { Tracks } from "../session/tracks";
import type { Frame } from "../wire/generated";
import type { Agent } from "../world/world";
import { World } from "../world/world";
import type { Changes } from "../world/world";
import type { Reel } from "./film";

/** Ticks by which bodies are drawn behind the newest frame, so that there are two poses to draw between. */
const DELAY = 2;

export class Stage {
  readonly world: World;
  private readonly tracks = new Tracks();
  private at: number;
  private next = 0;

  /** Set the house up as a reel's snapshot has it. */
  constructor(
    private reel: Reel,
    me: number,
  ) {
    this.world = new World(reel.snapshot, me);
    this.tracks.reset(this.world);
    this.at = reel.snapshot.tick;
  }

  /** The tick that was last asked for. */
  get tick(): number {
    return this.at;
  }

  get reelNumber(): number {
    return this.reel.number;
  }

  /** Go on with the next reel: its frames continue those of this one. */
  follow(reel: Reel): void {
    this.reel = reel;
    this.next = 0;
  }

  /** Apply the frames up to a tick, one that is not before the last; return what each changed. */
  advance(tick: number): { frame: Frame; changes: Changes }[] {
    const found: { frame: Frame; changes: Changes }[] = [];
    for (let frame = this.reel.frames[this.next]; frame && frame.tick <= tick; frame = this.reel.frames[++this.next]) {
      const changes = this.world.apply(frame);
      this.tracks.push(this.world, changes.agents, frame.tick);
      found.push({ frame, changes });
    }
    this.at = Math.max(this.at, tick);
    return found;
  }

  /** Return where bodies are at the tick that was last asked for, by seat. */
  poses(): (Agent | null)[] {
    return this.tracks.at(this.at - DELAY);
  }
}
