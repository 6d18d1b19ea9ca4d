/** Part of `Storage` that this needs. */
export type Kept = Pick<Storage, "getItem" | "setItem">;

/** Seats whose lines a player does not want to read, kept in this tab for as long as the session goes on. */
export class ChatMutes {
  private readonly seats: Set<string>;

  /** `kept` is where they are remembered; null where the browser keeps nothing. */
  constructor(
    private readonly sessionId: string,
    private readonly kept: Kept | null = storage(),
  ) {
    this.seats = new Set(read(kept?.getItem(this.key) ?? null));
  }

  has(seatId: string): boolean {
    return this.seats.has(seatId);
  }

  /** Hide the lines of a seat, or show them again. */
  toggle(seatId: string): void {
    if (!this.seats.delete(seatId)) this.seats.add(seatId);
    try {
      this.kept?.setItem(this.key, JSON.stringify([...this.seats]));
    } catch {
      // Then they hold until the page is loaded again.
    }
  }

  private get key(): string {
    return `cohabit.muted.${this.sessionId}`;
  }
}

function read(text: string | null): string[] {
  try {
    const stored: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(stored) ? stored.filter((seat) => typeof seat === "string") : [];
  } catch {
    return [];
  }
}

function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
