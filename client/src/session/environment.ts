// What a connection needs of the browser: sockets, timers, a clock. Tests give it others.

export interface Socket {
  /** The subprotocol that the server has chosen; empty before the socket is open. */
  readonly protocol: string;
  readonly isOpen: boolean;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** Whom a socket tells what happens to it. */
export interface SocketEvents {
  onOpen(): void;
  onMessage(data: string | ArrayBuffer): void;
  onClose(code: number, reason: string): void;
}

export interface Environment {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** A random number from 0 up to 1. */
  random(): number;
  /** Do something once, in so many milliseconds; returns a number for `cancel`. */
  after(delayMs: number, action: () => void): number;
  cancel(timer: number): void;
  /** Do something again and again, every so many milliseconds. */
  every(periodMs: number, action: () => void): void;
  /** Whether the page is in a hidden tab. */
  hidden(): boolean;
  /** Tell when the network is back, or somebody looks at the page again. */
  onReturn(action: () => void): void;
  openSocket(url: string, subprotocol: string, events: SocketEvents): Socket;
}

/** The browser itself. */
export const BROWSER: Environment = {
  now: () => performance.now(),
  random: () => Math.random(),
  after: (delayMs, action) => window.setTimeout(action, delayMs),
  cancel: (timer) => window.clearTimeout(timer),
  every: (periodMs, action) => void window.setInterval(action, periodMs),
  hidden: () => document.hidden,
  onReturn: (action) => {
    window.addEventListener("online", action);
    document.addEventListener("visibilitychange", () => void (document.hidden || action()));
  },
  openSocket: (url, subprotocol, events) => {
    const socket = new WebSocket(url, [subprotocol]);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => events.onOpen());
    socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => events.onMessage(data));
    socket.addEventListener("close", ({ code, reason }) => events.onClose(code, reason));
    return {
      get protocol() {
        return socket.protocol;
      },
      get isOpen() {
        return socket.readyState === WebSocket.OPEN;
      },
      send: (data) => socket.send(data),
      close: () => socket.close(),
    };
  },
};
