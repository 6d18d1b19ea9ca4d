// The film of a recorded episode: its index, and reels of messages that are fetched when they are wanted.
import { decode } from "@msgpack/msgpack";

import { readFilmIndex, readServerMessage } from "../wire/generated";
import type { FilmIndex, Frame, Snapshot } from "../wire/generated";
import { inflate } from "../net/codec";

/** A stretch of a film: the house as it was at the first tick, and what changed from then on. */
export interface Reel {
  number: number;
  snapshot: Snapshot;
  frames: Frame[];
}

/** Reels that are kept: the one that is shown, its neighbours, and where one comes from. */
const KEPT = 6;
const ASK_AGAIN_MS = 1000;

/** Why a film cannot be shown, in words for the reader. */
export class FilmError extends Error {}

export class Film {
  private readonly reels = new Map<number, Promise<Reel>>();

  constructor(
    readonly index: FilmIndex,
    private readonly path: string,
  ) {}

  /** Return the number of the reel that a tick is in. */
  reelAt(tick: number): number {
    const { reels } = this.index;
    let found = 0;
    while (found + 1 < reels.length && (reels[found + 1]?.first ?? Infinity) <= tick) found++;
    return found;
  }

  /** Fetch a reel, or return the kept one. */
  reel(number: number): Promise<Reel> {
    const kept = this.reels.get(number);
    this.reels.delete(number);
    const reel = kept ?? this.fetchReel(number);
    this.reels.set(number, reel);
    reel.catch(() => this.reels.delete(number));
    for (const old of this.reels.keys()) {
      if (this.reels.size <= KEPT) break;
      this.reels.delete(old);
    }
    return reel;
  }

  private async fetchReel(number: number): Promise<Reel> {
    const answer = await fetch(`${this.path}/${number}`);
    if (!answer.ok) throw new FilmError("A part of the recording could not be loaded. Reload the page to try again.");
    const data = await inflate(new Uint8Array(await answer.arrayBuffer()));
    return readReel(number, data);
  }
}

/** Read the messages of a reel. Throws FilmError for what is none. */
export function readReel(number: number, data: Uint8Array): Reel {
  const fields: unknown = decode(data);
  const messages = (Array.isArray(fields) ? fields : []).map(readServerMessage);
  const [snapshot] = messages;
  if (snapshot?.tag !== "snapshot") throw new FilmError("This recording was made by a version that this page does not know.");
  return { number, snapshot, frames: messages.filter((message): message is Frame => message?.tag === "f") };
}

/** Fetch the index of a film, however long the server needs to make it; `onWait` hears that it does. */
export async function openFilm(path: string, onWait: () => void): Promise<Film> {
  for (;;) {
    const answer = await fetch(path);
    if (answer.status === 202) {
      onWait();
      await new Promise((done) => window.setTimeout(done, ASK_AGAIN_MS));
      continue;
    }
    if (answer.status === 404) throw new FilmError("There is no recording of this task any more, or it cannot be read.");
    if (answer.status === 403) throw new FilmError("You are not signed in any more. Reload the page.");
    if (!answer.ok) throw new FilmError(`The server did not send the recording (${answer.status}). Reload the page to try again.`);
    return new Film(readFilmIndex(await answer.json()), path);
  }
}
