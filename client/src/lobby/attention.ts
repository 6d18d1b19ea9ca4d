import { chime } from "./chime";

const FLASH_MS = 1000;

/** Call somebody who looks elsewhere: two soft notes, and words in the title, which flashes for as long as the tab is
    hidden. Return what ends it and puts the title back. */
export function callFor(words: string): () => void {
  const before = document.title;
  const called = `● ${words} – Cohabit`;
  document.title = called;
  chime();
  const flash = window.setInterval(() => {
    document.title = document.hidden && document.title === called ? before : called;
  }, FLASH_MS);
  return () => {
    window.clearInterval(flash);
    document.title = before;
  };
}
