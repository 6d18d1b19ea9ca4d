import { chime } from "./chime";

/** Call somebody who looks elsewhere: a mark and words in the title, and two soft notes. */
export function callFor(words: string): void {
  document.title = `● ${words} – Cohabit`;
  chime();
}
