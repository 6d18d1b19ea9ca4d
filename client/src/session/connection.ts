// The websocket to the server: greets, pings, comes back when it is lost.
import type { ClientMessage, ServerMessage, Welcome } from "../wire/generated";
import { closeKind, comesBack } from "../net/close_kind";
import type { CloseKind } from "../net/close_kind";
import { codecOf, encodeMessage, subprotocol } from "../net/codec";
import type { CodecName } from "../net/codec";
import { Inbox } from "../net/message_queue";
import { retryDelay } from "../net/backoff";

const PING_MS = 1000;
/** Without a sign of life for so long, the connection is taken for dead. */
const SILENT_MS = 8000;
const CONNECT_MS = 10_000;
const DEFAULT_RETURN_S = 30;

export type LinkState =
  | { kind: "connecting" }
  | { kind: "open" }
  | { kind: "reconnecting"; cause: CloseKind; deadlineMs: number }
  | { kind: "closed"; cause: CloseKind; text: string };

export interface ConnectionOptions {
  url: string;
  codec: CodecName;
  token: string;
  tab: string;
  clientVersion: string;
  /** How long nobody has touched the page. */
  idleMs: () => number;
  onMessage: (message: ServerMessage) => void;
  onState: (state: LinkState) => void;
}

export class Connection {
  /** Round trip of the last ping (ms); -1 before the first. */
  rttMs = -1;
  /** The round trip without its spikes. */
  smoothRttMs = 60;

  private socket: WebSocket | null = null;
  private inbox: Inbox | null = null;
  private attempt = 0;
  private lostAtMs = 0;
  private heardAtMs = 0;
  private returnS = DEFAULT_RETURN_S;
  private takeOver = false;
  private greeted = false;
  private retryTimer = 0;
  private readonly pingTimer: number;

  constructor(private readonly options: ConnectionOptions) {
    this.pingTimer = window.setInterval(() => this.ping(), PING_MS);
    window.addEventListener("online", () => this.hurry());
  }

  open(takeOver = false): void {
    this.takeOver = takeOver;
    this.options.onState({ kind: "connecting" });
    this.attempt = 0;
    this.lostAtMs = 0;
    this.connect();
  }

  /** Whether the message went out: what a player wants while offline is not kept for later. */
  send(message: ClientMessage): boolean {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN || !this.greeted) return false;
    socket.send(encodeMessage(message, codecOf(socket.protocol)));
    return true;
  }

  /** Leave for good. */
  close(): void {
    window.clearInterval(this.pingTimer);
    window.clearTimeout(this.retryTimer);
    this.drop();
  }

  /** Do not wait for the next attempt. */
  hurry(): void {
    if (this.retryTimer === 0) return;
    window.clearTimeout(this.retryTimer);
    this.connect();
  }

  private connect(): void {
    this.retryTimer = 0;
    this.drop();
    const { options } = this;
    const socket = new WebSocket(options.url, [subprotocol(options.codec)]);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.greeted = false;
    this.heardAtMs = performance.now();
    const giveUp = window.setTimeout(() => socket.close(), CONNECT_MS);
    socket.addEventListener("open", () => {
      window.clearTimeout(giveUp);
      if (socket !== this.socket) return;
      const inbox = new Inbox(codecOf(socket.protocol), (m) => this.receive(m), damaged);
      this.inbox = inbox;
      socket.addEventListener("message", (event: MessageEvent<string | ArrayBuffer>) => {
        this.heardAtMs = performance.now();
        inbox.push(event.data);
      });
      this.greeted = true;
      this.send({
        tag: "hello",
        token: options.token,
        tab: options.tab,
        clientVersion: options.clientVersion,
        takeOver: this.takeOver,
      });
    });
    socket.addEventListener("close", (event) => {
      window.clearTimeout(giveUp);
      if (socket !== this.socket) return;
      // What arrived before the end still counts (the message that the episode is over, say).
      const ended = (): void => this.lost(event.code, event.reason);
      if (this.inbox) void this.inbox.settled().then(ended);
      else ended();
    });
  }

  private receive(message: ServerMessage): void {
    if (message.tag === "pong") {
      this.rttMs = Math.max(0, Math.round(performance.now() - message.clientMs));
      this.smoothRttMs += (this.rttMs - this.smoothRttMs) * 0.3;
    }
    if (message.tag === "welcome") this.welcomed(message);
    this.options.onMessage(message);
  }

  private welcomed(welcome: Welcome): void {
    this.attempt = 0;
    this.lostAtMs = 0;
    this.returnS = welcome.reconnectS || DEFAULT_RETURN_S;
    this.takeOver = false;
    this.options.onState({ kind: "open" });
    this.ping();
  }

  private lost(code: number, text: string): void {
    this.drop();
    const cause = closeKind(code);
    if (!comesBack(cause)) {
      this.options.onState({ kind: "closed", cause, text });
      return;
    }
    const now = performance.now();
    if (this.lostAtMs === 0) this.lostAtMs = now;
    const deadlineMs = this.lostAtMs + this.returnS * 1000;
    this.options.onState({ kind: "reconnecting", cause, deadlineMs });
    // Attempts go on after the deadline: the server decides whether it is too late.
    this.retryTimer = window.setTimeout(() => this.connect(), retryDelay(this.attempt++, Math.random));
  }

  private drop(): void {
    const { socket } = this;
    this.socket = null;
    this.inbox?.close();
    this.inbox = null;
    this.greeted = false;
    if (socket && socket.readyState <= WebSocket.OPEN) socket.close();
  }

  /** Also tells the server whether anybody is there. */
  ping(): void {
    const now = performance.now();
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (now - this.heardAtMs > SILENT_MS && !document.hidden) {
      this.lost(1006, "");
      return;
    }
    this.send({
      tag: "ping",
      clientMs: Math.floor(now),
      rttMs: this.rttMs,
      idleMs: this.options.idleMs(),
      hidden: document.hidden,
    });
  }
}

function damaged(error: unknown): void {
  console.warn("a message could not be read", error);
}
