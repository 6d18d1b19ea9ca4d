// The websocket to the server: greets, pings, comes back when it is lost.
import { codecOf, encodeMessage, subprotocol } from "../net/codec";
import type { CodecName } from "../net/codec";
import { MessageQueue } from "../net/message_queue";
import type { ClientMessage, ServerMessage } from "../wire/generated";
import { ConnectionMachine } from "./connection_state";
import type { ConnectionState } from "./connection_state";
import { BROWSER } from "./environment";
import type { Environment, Socket } from "./environment";

const PING_MS = 1000;
/** After so long without a sign of life, the connection is taken for dead. */
const SILENT_MS = 8000;
const CONNECT_MS = 10_000;
/** The close code of a connection that broke without a word. */
const ABNORMAL = 1006;

export interface ConnectionOptions {
  url: string;
  codec: CodecName;
  token: string;
  tab: string;
  clientVersion: string;
  /** Return the milliseconds for which nobody has touched the page; -1 where that does not count. */
  idleMs: () => number;
  onMessage: (message: ServerMessage) => void;
}

export class Connection {
  /** Round trip of the last ping (ms); -1 before the first. */
  rttMs = -1;
  /** The round trip without its spikes (ms). */
  smoothRttMs = 60;

  private readonly machine = new ConnectionMachine();
  private socket: Socket | null = null;
  private queue: MessageQueue | null = null;
  private heardAtMs = 0;
  private retryTimer = 0;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly environment: Environment = BROWSER,
  ) {
    environment.every(PING_MS, () => this.ping());
    environment.onReturn(() => this.hurry());
  }

  get state(): ConnectionState {
    return this.machine.state;
  }

  /** Connect; with `takeOver` also when another tab plays in the same seat. */
  open(takeOver = false): void {
    this.machine.start(takeOver);
    this.connect();
  }

  /** Send a message; return whether it went out. What a player wants while offline is not kept. */
  send(message: ClientMessage): boolean {
    const { socket } = this;
    if (!socket?.isOpen || !this.machine.isGreeted) return false;
    socket.send(encodeMessage(message, codecOf(socket.protocol)));
    return true;
  }

  /** Make the next attempt now, if one is waited for. */
  hurry(): void {
    if (this.machine.retry()) this.connect();
  }

  /** Measure the round trip, and tell the server whether anybody is there. */
  ping(): void {
    const { environment } = this;
    if (!this.socket?.isOpen) return;
    const now = environment.now();
    // A hidden page hears late, because the browser slows it down.
    if (now - this.heardAtMs > SILENT_MS && !environment.hidden()) {
      this.lose(ABNORMAL, "");
      return;
    }
    this.send({
      tag: "ping",
      clientMs: Math.floor(now),
      rttMs: this.rttMs,
      idleMs: this.options.idleMs(),
      hidden: environment.hidden(),
    });
  }

  private connect(): void {
    const { environment, options } = this;
    environment.cancel(this.retryTimer);
    this.drop();
    this.heardAtMs = environment.now();
    const socket = environment.openSocket(options.url, subprotocol(options.codec), {
      onOpen: () => {
        environment.cancel(giveUp);
        if (socket === this.socket) this.greet(socket);
      },
      onMessage: (data) => {
        if (socket !== this.socket) return;
        this.heardAtMs = environment.now();
        this.queue?.push(data);
      },
      onClose: (code, reason) => {
        environment.cancel(giveUp);
        if (socket !== this.socket) return;
        // What arrived before the end still counts (the message that the episode is over, say).
        const end = (): void => {
          if (socket === this.socket) this.lose(code, reason);
        };
        if (this.queue) void this.queue.settled().then(end);
        else end();
      },
    });
    this.socket = socket;
    const giveUp = environment.after(CONNECT_MS, () => socket.close());
  }

  private greet(socket: Socket): void {
    const { token, tab, clientVersion } = this.options;
    this.queue = new MessageQueue(codecOf(socket.protocol), (message) => this.receive(message), damaged);
    this.machine.greet();
    this.send({ tag: "hello", token, tab, clientVersion, takeOver: this.machine.takeOver });
  }

  private receive(message: ServerMessage): void {
    if (message.tag === "pong") {
      this.rttMs = Math.max(0, Math.round(this.environment.now() - message.clientMs));
      this.smoothRttMs += (this.rttMs - this.smoothRttMs) * 0.3;
    }
    if (message.tag === "welcome") {
      this.machine.welcome(message.reconnectS);
      this.ping();
    }
    this.options.onMessage(message);
  }

  private lose(code: number, reason: string): void {
    const { environment } = this;
    this.drop();
    const delayMs = this.machine.lose(code, reason, environment.now(), () => environment.random());
    if (delayMs !== null) this.retryTimer = environment.after(delayMs, () => this.hurry());
  }

  private drop(): void {
    const { socket } = this;
    this.socket = null;
    this.queue?.close();
    this.queue = null;
    socket?.close();
  }
}

function damaged(error: unknown): void {
  console.warn("a message could not be read", error);
}
