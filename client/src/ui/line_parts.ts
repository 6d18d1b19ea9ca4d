// What is to be seen of a line of chat that is too long for its place, and the part of it that comes after.
import { el } from "../dom/el";

/** As many words from the end of what is to be seen (the browser puts dots in their place) are shown once more. */
const OVERLAP_WORDS = 2;

/** The words of a line, of which those that were to be seen before can be put away. */
export class LineParts {
  private readonly read = el("span", { class: "chat-read" });
  private readonly rest: HTMLElement;

  /** `words` is the last part of a line's element. */
  constructor(private readonly words: HTMLElement) {
    this.rest = el("span", { text: words.textContent });
    words.replaceChildren(this.read, this.rest);
  }

  /** Put away what was to be seen of it until now in a `box` that cuts off the rest; return the words that are to be
      seen now, and whether these are all that are left. */
  next(box: HTMLElement): { words: string; isAll: boolean } {
    const text = this.rest.textContent;
    const end = this.begun ? this.seenTo(box, text) : 0;
    this.begun = true;
    this.read.textContent += text.slice(0, end);
    this.rest.textContent = text.slice(end);
    this.words.classList.toggle("continued", this.read.textContent !== "");
    const left = this.rest.textContent;
    const seen = this.seenTo(box, left);
    return { words: left.slice(0, seen), isAll: seen >= left.length };
  }

  private begun = false;

  /** Return how much of a text is to be seen in its box: up to the beginning of a word. */
  private seenTo(box: HTMLElement, text: string): number {
    const node = this.rest.firstChild;
    const { bottom, height } = box.getBoundingClientRect();
    if (!node || height === 0) return text.length;
    const starts = [...text.matchAll(/\S+/g)].map(({ index }) => index);
    const range = document.createRange();
    const hidden = starts.findIndex((start) => {
      range.setStart(node, start);
      range.setEnd(node, start + 1);
      const place = range.getBoundingClientRect();
      return place.height > 0 && place.bottom > bottom + 1;
    });
    if (hidden < 0) return text.length;
    // Whatever the place is like, something of it has been seen.
    return starts[Math.max(1, hidden - OVERLAP_WORDS)] ?? text.length;
  }
}
