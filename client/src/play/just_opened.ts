// What a finger has just opened: a press that follows at once does not shut it again.

/** A press so soon after one that opened a front (ms) was meant to open it, too. */
const SOON_MS = 600;

export class JustOpened {
  private last = { entity: -1, part: -1, ms: -Infinity };

  /** Note that a verb is to be done to a part of a thing (-1: the whole) now; return whether to do it: shutting at once
      what has just been opened was not meant. */
  allows(verb: string, entity: number, part: number, nowMs: number): boolean {
    const { last } = this;
    const isSame = entity === last.entity && (part === last.part || part < 0 || last.part < 0);
    if (verb === "close" && isSame && nowMs - last.ms < SOON_MS) return false;
    if (verb === "open") this.last = { entity, part, ms: nowMs };
    return true;
  }
}
