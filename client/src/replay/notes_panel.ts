// The notes of a coder: codes to put on the moment that is shown, and what was noted so far.
import { button, el, setText, toggle } from "../dom/el";
import type { CodingSheet, FilmIndex, SheetBook, SheetCode, SheetNote } from "../wire/generated";
import { clockAt } from "./film_clock";
import { newKey } from "./coding_store";
import type { CodingStore } from "./coding_store";

export interface NotesHandlers {
  /** The tick that is shown. */
  now(): number;
  seek(tick: number): void;
  /** The notes that are shown are others now. */
  noted(notes: readonly SheetNote[]): void;
}

export class NotesPanel {
  readonly root: HTMLElement;
  private readonly problem = el("p", { class: "film-words refused", testid: "coding-problem", at: { role: "status" } });
  private readonly books: HTMLSelectElement;
  private readonly codes = el("div", { class: "film-codes", at: { role: "group", "aria-label": "Codes" } });
  private readonly list = el("ol", { class: "film-moments film-notes", testid: "film-notes" });
  private readonly finish = el("div", { class: "film-finish" });
  private readonly none: HTMLElement;
  private sheet: CodingSheet | null = null;
  /** Whether fields are being made anew: what loses the focus then was not left by the coder. */
  private drawing = false;
  private book = "";
  /** Stretches that are begun, by code, with the tick at which. */
  private readonly begun = new Map<string, number>();
  /** Words that are being written, by note: a sheet that comes meanwhile takes none away. */
  private readonly writing = new Map<string, string>();

  constructor(
    private readonly index: FilmIndex,
    private readonly store: CodingStore,
    private readonly handlers: NotesHandlers,
  ) {
    this.books = el("select", { class: "film-speed", testid: "coding-book", at: { "aria-label": "Codebook" }, on: { change: () => this.choose(this.books.value) } });
    this.none = el("p", { class: "hint", text: "There is no codebook. On the server's machine, cohabit codebook add FILE adds one." });
    this.problem.hidden = true;
    const head = el("header", { class: "film-filters" }, el("h2", { text: "Notes" }), this.books);
    this.root = el("section", { class: "panel film-side film-coding", testid: "film-coding", at: { "aria-label": "Notes" } }, head, this.problem, this.none, this.codes, this.list, this.finish);
  }

  tell(text: string): void {
    setText(this.problem, text);
    toggle(this.problem, text !== "");
  }

  show(sheet: CodingSheet): void {
    const first = this.sheet === null;
    this.sheet = sheet;
    const names = sheet.books.map((book) => book.name);
    if (!names.includes(this.book)) this.book = names[0] ?? "";
    if (first || this.books.options.length !== names.length) {
      this.books.replaceChildren(...sheet.books.map((book) => el("option", { text: book.title, at: { value: book.name } })));
      this.books.value = this.book;
    }
    toggle(this.books, names.length > 1);
    toggle(this.none, names.length === 0);
    this.draw();
  }

  /** Put the code with a number, from 0, on the moment that is shown. */
  press(number: number): void {
    const code = this.chosen?.codes[number];
    if (this.root.hidden) return;
    if (code && this.chosen?.isFinished === false) this.put(code);
  }

  private get chosen(): SheetBook | undefined {
    return this.sheet?.books.find((book) => book.name === this.book);
  }

  private choose(book: string): void {
    this.book = book;
    this.begun.clear();
    this.draw();
  }

  private put(code: SheetCode): void {
    const now = Math.round(this.handlers.now());
    const { first: start, last: end } = this.index;
    const at = Math.min(end, Math.max(start, now));
    if (!code.isStretch) return this.note(code.code, at, at);
    const begun = this.begun.get(code.code);
    if (begun === undefined) {
      this.begun.set(code.code, at);
      return this.draw();
    }
    this.begun.delete(code.code);
    // What is marked backwards is a stretch too; a single moment is none.
    if (begun === at) return this.draw();
    this.note(code.code, Math.min(begun, at), Math.max(begun, at));
  }

  private note(code: string, first: number, last: number): void {
    this.store.keep({ key: newKey(), book: this.book, code, first, last, text: "" });
    this.draw();
  }

  private draw(): void {
    const { sheet, chosen: book } = this;
    const notes = sheet?.notes.filter((note) => note.book === this.book) ?? [];
    const open = book !== undefined && !book.isFinished;
    this.codes.replaceChildren(...(open ? book.codes.map((code, number) => this.codeButton(code, number)) : []));
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.testid : undefined;
    for (const note of notes) if (this.writing.get(note.noteId)?.trim() === note.text) this.writing.delete(note.noteId);
    this.drawing = true;
    this.list.replaceChildren(...notes.map((note) => this.item(note, open && note.coder === sheet?.coder)));
    this.drawing = false;
    if (focused?.startsWith("note-words-")) this.list.querySelector<HTMLElement>(`[data-testid="${CSS.escape(focused)}"]`)?.focus();
    this.finish.replaceChildren(
      ...(book
        ? [
            button(book.isFinished ? "Go on coding" : "This episode is finished", () => this.end(book), { class: "button bar", testid: "coding-finish" }),
            el("p", { class: "hint", text: book.isFinished ? "Finished: it counts for agreement and exports. Notes of others who have finished it are shown, too." : "Others do not see your notes until you both have finished." }),
          ]
        : []),
    );
    this.handlers.noted(notes);
  }

  private end(book: SheetBook): void {
    const [begun] = this.begun.keys();
    if (begun === undefined) return this.store.finish(book.name, !book.isFinished);
    this.tell(`${book.codes.find(({ code }) => code === begun)?.name ?? begun} has begun and not ended: press it where it ends.`);
  }

  private codeButton(code: SheetCode, number: number): HTMLElement {
    const begun = this.begun.get(code.code);
    const words = begun === undefined ? code.name : `${code.name}: ${this.clock(begun)} to here`;
    const key = number < 9 && el("kbd", { text: `⇧${number + 1}` });
    const made = button(words, () => this.put(code), { class: "button bar film-code", testid: `code-${code.code}`, title: code.definition, at: { "aria-pressed": String(begun !== undefined) } });
    if (key) made.append(" ", key);
    return made;
  }

  private item(note: SheetNote, mine: boolean): HTMLElement {
    const code = this.chosen?.codes.find((known) => known.code === note.code);
    const time = button(note.first === note.last ? this.clock(note.first) : `${this.clock(note.first)}–${this.clock(note.last)}`, () => this.handlers.seek(note.first), { class: "film-time" });
    const who = note.coder === this.sheet?.coder ? null : el("b", { text: `${note.coder}: ` });
    const name = el("span", { class: "film-words" }, who, code?.name ?? note.code);
    if (!mine) return el("li", {}, time, name, note.text ? el("span", { class: "film-detail", text: note.text }) : null);
    const words = el("input", {
      class: "film-note-words",
      testid: `note-words-${note.noteId}`,
      at: { type: "text", "aria-label": "Words", placeholder: "Words", maxlength: String(this.sheet?.longestText ?? 0), value: note.text },
      on: {
        input: () => this.writing.set(note.noteId, words.value),
        // A sheet that comes meanwhile makes the field anew, and a field that is made so tells of no change.
        blur: () => this.write(note, words.value),
        keydown: (event) => {
          if ((event as KeyboardEvent).key === "Enter") words.blur();
        },
      },
    });
    words.value = this.writing.get(note.noteId) ?? note.text;
    const remove = button("Remove", () => this.store.remove(note.noteId), { class: "film-time", testid: `note-remove-${note.noteId}` });
    return el("li", { testid: `note-${note.noteId}` }, time, name, words, remove);
  }

  /** Send what was written, unless it is there already or the field is only made anew. */
  private write(note: SheetNote, text: string): void {
    if (this.drawing || text.trim() === note.text) return;
    this.store.keep({ ...note, text });
  }

  private clock(tick: number): string {
    return clockAt(this.index, tick);
  }
}
