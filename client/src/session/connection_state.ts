// The states of the connection to the server, and what leads from one to the next. No sockets, no
// timers: `connection.ts` has those, and tells the machine what happens to them.
import { retryDelay } from "../net/backoff";
import { closeKind, comesBack } from "../net/close_kind";
import type { CloseKind } from "../net/close_kind";

/** Seconds for which a place is kept, while no server has told otherwise. */
const DEFAULT_RETURN_S = 30;

/** A connection that was lost: why, and until when the place in the session is kept. */
export interface Loss {
  cause: CloseKind;
  deadlineMs: number;
}

/** The state of the connection; `loss` is null as long as it was never lost since it was asked for. */
export type ConnectionState =
  /** A socket is being opened. */
  | { kind: "connecting"; loss: Loss | null }
  /** The socket is open and `hello` was sent; the server's `welcome` is awaited. */
  | { kind: "greeting"; loss: Loss | null }
  | { kind: "open" }
  /** The next attempt is waited for. */
  | { kind: "waiting"; loss: Loss }
  /** It does not come back by itself. `text` is the server's reason, for programmers. */
  | { kind: "closed"; cause: CloseKind; text: string };

/** Return the loss that a connection has not recovered from yet; null when there is none. */
export function lossOf(state: ConnectionState): Loss | null {
  return state.kind === "open" || state.kind === "closed" ? null : state.loss;
}

/** Return the seconds for which the place is still kept, rounded up; 0 when that time is over. */
export function secondsLeft({ deadlineMs }: Loss, nowMs: number): number {
  return Math.max(0, Math.ceil((deadlineMs - nowMs) / 1000));
}

/** The state of one connection over all its attempts. */
export class ConnectionMachine {
  private current: ConnectionState = { kind: "connecting", loss: null };
  private attempt = 0;
  private lostAtMs: number | null = null;
  private returnS = DEFAULT_RETURN_S;
  private takesOver = false;

  get state(): ConnectionState {
    return this.current;
  }

  /** Whether `hello` asks to play here although another tab plays; asked until it is granted. */
  get takeOver(): boolean {
    return this.takesOver;
  }

  /** Whether the server has heard `hello`, so that messages may follow it. */
  get isGreeted(): boolean {
    return this.current.kind === "greeting" || this.current.kind === "open";
  }

  /** Begin anew, because somebody asked for it: from now on a socket is being opened. */
  start(takeOver: boolean): void {
    this.takesOver = takeOver;
    this.attempt = 0;
    this.lostAtMs = null;
    this.current = { kind: "connecting", loss: null };
  }

  /** Note that the socket is open and `hello` is sent. */
  greet(): void {
    if (this.current.kind === "connecting") this.current = { kind: "greeting", loss: this.current.loss };
  }

  /** Note the server's `welcome`, which tells for how many seconds a place is kept (0: as usual). */
  welcome(reconnectS: number): void {
    if (!this.isGreeted) return;
    this.attempt = 0;
    this.lostAtMs = null;
    this.returnS = reconnectS || DEFAULT_RETURN_S;
    this.takesOver = false;
    this.current = { kind: "open" };
  }

  /** Note that the socket closed; return the milliseconds until the next attempt, null for none.

      Attempts go on after the deadline: the server decides whether it is too late. */
  lose(code: number, text: string, nowMs: number, random: () => number): number | null {
    const cause = closeKind(code);
    if (!comesBack(cause)) {
      this.current = { kind: "closed", cause, text };
      return null;
    }
    this.lostAtMs ??= nowMs;
    this.current = { kind: "waiting", loss: { cause, deadlineMs: this.lostAtMs + this.returnS * 1000 } };
    return retryDelay(this.attempt++, random);
  }

  /** Go from waiting to connecting; return false when no attempt is waited for. */
  retry(): boolean {
    if (this.current.kind !== "waiting") return false;
    this.current = { kind: "connecting", loss: this.current.loss };
    return true;
  }
}
