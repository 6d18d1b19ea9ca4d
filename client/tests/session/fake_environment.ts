import { readClientMessage } from "../../src/wire/generated";
import type { ClientMessage, Wire } from "../../src/wire/generated";
import type { Environment, Socket, SocketEvents } from "../../src/session/environment";

/** A socket whose server is the test. Its messages are JSON. */
export class FakeSocket implements Socket {
  readonly protocol = "cohabit.1.json";
  readonly sent: ClientMessage[] = [];
  state: "connecting" | "open" | "closed" = "connecting";

  constructor(private readonly events: SocketEvents) {}

  get isOpen(): boolean {
    return this.state === "open";
  }

  send(data: string | Uint8Array): void {
    const message = readClientMessage(JSON.parse(String(data)));
    if (message) this.sent.push(message);
  }

  /** Close from the page's side: the browser tells so a while later. */
  close(): void {
    this.state = "closed";
  }

  /** The server accepts. */
  accept(): void {
    this.state = "open";
    this.events.onOpen();
  }

  /** The server says something. */
  say(fields: Wire[]): void {
    this.events.onMessage(JSON.stringify(fields));
  }

  /** Bytes arrive. */
  deliver(data: string | ArrayBuffer): void {
    this.events.onMessage(data);
  }

  /** The connection ends, or the browser tells at last that it has. */
  end(code: number, reason = ""): void {
    this.state = "closed";
    this.events.onClose(code, reason);
  }
}

interface Timer {
  atMs: number;
  everyMs: number;
  action: () => void;
}

/** A browser whose clock stands until it is wound on, and whose dice are loaded. */
export class FakeEnvironment implements Environment {
  readonly sockets: FakeSocket[] = [];
  isHidden = false;
  /** What `random` returns. */
  dice = 1;
  private nowMs = 1000;
  private nextTimer = 1;
  private readonly timers = new Map<number, Timer>();
  private readonly returnListeners: (() => void)[] = [];

  now(): number {
    return this.nowMs;
  }

  random(): number {
    return this.dice;
  }

  after(delayMs: number, action: () => void): number {
    return this.add({ atMs: this.nowMs + delayMs, everyMs: 0, action });
  }

  every(periodMs: number, action: () => void): void {
    this.add({ atMs: this.nowMs + periodMs, everyMs: periodMs, action });
  }

  cancel(timer: number): void {
    this.timers.delete(timer);
  }

  hidden(): boolean {
    return this.isHidden;
  }

  onReturn(action: () => void): void {
    this.returnListeners.push(action);
  }

  openSocket(_url: string, _subprotocol: string, events: SocketEvents): FakeSocket {
    const socket = new FakeSocket(events);
    this.sockets.push(socket);
    return socket;
  }

  /** The network is back. */
  comeBack(): void {
    for (const listener of this.returnListeners) listener();
  }

  /** The socket that was opened last. */
  get socket(): FakeSocket {
    const last = this.sockets.at(-1);
    if (!last) throw new Error("no socket was opened");
    return last;
  }

  /** How many sockets are being opened or open. */
  get live(): number {
    return this.sockets.filter(({ state }) => state !== "closed").length;
  }

  /** Let time go by; what is due happens in order. */
  async wind(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      await settle();
      const [id, timer] = [...this.timers].sort(([, a], [, b]) => a.atMs - b.atMs)[0] ?? [];
      if (id === undefined || !timer || timer.atMs > untilMs) break;
      this.nowMs = timer.atMs;
      if (timer.everyMs > 0) timer.atMs += timer.everyMs;
      else this.timers.delete(id);
      timer.action();
    }
    this.nowMs = untilMs;
  }

  private add(timer: Timer): number {
    this.timers.set(this.nextTimer, timer);
    return this.nextTimer++;
  }
}

/** Let what waits for a promise happen. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 8; i++) await Promise.resolve();
}
