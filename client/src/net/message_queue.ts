import type { ServerMessage } from "../wire/generated";
import { decodeMessage, inflate, isCompressed } from "./codec";
import type { CodecName } from "./codec";

/** Turns what a websocket delivers into messages, in the order of arrival: inflating takes a
    while, and what came after it waits. */
export class MessageQueue {
  private waiting: Promise<void> | null = null;
  private closed = false;

  constructor(
    private readonly codec: CodecName,
    private readonly deliver: (message: ServerMessage) => void,
    private readonly onDamage: (error: unknown) => void,
  ) {}

  /** Take in what has arrived. */
  push(data: string | ArrayBuffer): void {
    const bytes = typeof data === "string" ? data : new Uint8Array(data);
    const packed = typeof bytes !== "string" && isCompressed(bytes);
    if (!packed && !this.waiting) {
      this.read(bytes);
      return;
    }
    const before = this.waiting ?? Promise.resolve();
    const done = before.then(async () => this.read(packed ? await inflate(bytes) : bytes)).catch(this.onDamage);
    this.waiting = done;
    void done.then(() => {
      if (this.waiting === done) this.waiting = null;
    });
  }

  /** Wait until everything that has arrived is delivered. */
  async settled(): Promise<void> {
    while (this.waiting) await this.waiting;
  }

  /** Deliver nothing more. */
  close(): void {
    this.closed = true;
  }

  private read(data: string | Uint8Array): void {
    if (this.closed) return;
    let message: ServerMessage | null;
    try {
      message = decodeMessage(data, this.codec);
    } catch (error) {
      this.onDamage(error);
      return;
    }
    if (message) this.deliver(message);
  }
}
