// The coding of an episode: the sheet as the server has it, and what is on its way there.
import { randomHex } from "../dom/random_hex";
import { readCodingProblem, readCodingSheet } from "../wire/generated";
import type { CodingSheet } from "../wire/generated";

const TRY_AGAIN_MS = 3000;
const KEY_BYTES = 12;

/** A note as it is sent; one with the key of a note that was sent changes it. */
export interface Draft {
  key: string;
  book: string;
  code: string;
  first: number;
  last: number;
  text: string;
}

interface Change { path: string; fields: Record<string, string> }

export interface CodingHandlers {
  /** The sheet is another now. */
  shown(sheet: CodingSheet): void;
  /** What the coder should know: a refusal, or that something is not kept yet. Empty: nothing. */
  tell(text: string): void;
}

/** A random word by which the server knows what is sent twice. */
export function newKey(): string {
  return randomHex(KEY_BYTES);
}

export class CodingStore {
  /** Changes in the order in which they were made; the first is on its way. */
  private readonly waiting: Change[] = [];
  private sending = false;
  /** Whether the coder was told that something is not kept yet. */
  private late = false;

  constructor(
    private readonly path: string,
    private readonly token: { name: string; value: string },
    private readonly handlers: CodingHandlers,
  ) {
    window.addEventListener("beforeunload", (event) => {
      if (this.waiting.length > 0) event.preventDefault();
    });
  }

  /** Fetch the sheet. */
  async open(): Promise<void> {
    try {
      const answer = await fetch(this.path, { cache: "no-store" });
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      this.handlers.shown(readCodingSheet(await answer.json()));
    } catch (error) {
      console.warn("the notes cannot be loaded", error);
      this.handlers.tell("The notes could not be loaded. Reload the page.");
    }
  }

  keep(draft: Draft): void {
    const { key, book, code, first, last, text } = draft;
    this.change("notes", { key, book, code, first: String(first), last: String(last), text });
  }

  remove(note: string): void {
    this.change("removed", { note });
  }

  finish(book: string, finished: boolean): void {
    this.change("finished", { book, finished: finished ? "yes" : "no" });
  }

  private change(path: string, fields: Record<string, string>): void {
    this.waiting.push({ path, fields });
    if (this.sending) return;
    this.handlers.tell("");
    void this.send();
  }

  private async send(): Promise<void> {
    this.sending = true;
    for (let change = this.waiting[0]; change; change = this.waiting[0]) {
      const sheet = await this.post(change);
      if (sheet === null) {
        // Sent twice it is one note, so that nothing is lost and nothing doubled.
        await new Promise((done) => window.setTimeout(done, TRY_AGAIN_MS));
        continue;
      }
      this.waiting.shift();
      if (sheet) this.handlers.shown(sheet);
    }
    this.sending = false;
  }

  /** Send a change; null: it is not there yet; undefined: it was refused, and the coder was told. */
  private async post({ path, fields }: Change): Promise<CodingSheet | null | undefined> {
    let why = "the server does not answer. It is tried again";
    const body = new URLSearchParams({ ...fields, [this.token.name]: this.token.value });
    try {
      const answer = await fetch(`${this.path}/${path}`, { method: "POST", body });
      if (answer.ok) {
        if (this.late) this.handlers.tell("");
        this.late = false;
        return readCodingSheet(await answer.json());
      }
      if (answer.status === 409) {
        this.handlers.tell(readCodingProblem(await answer.json()).text);
        await this.open();
        return undefined;
      }
      if (answer.status === 404) {
        this.handlers.tell("This was not kept: the episode is gone.");
        return undefined;
      }
      if (answer.status === 403) why = "you are not signed in any more. Sign in, in another tab; it is tried again";
    } catch {
      // The server cannot be reached now.
    }
    this.late = true;
    this.handlers.tell(`Not kept yet (${this.waiting.length}): ${why}.`);
    return null;
  }
}
