// The first script of a page whose session waits for it: small, so that it comes at once where the others
// take a minute. Its own tag names the path.
import { keepSession } from "./still_here";

const tag = document.querySelector<HTMLElement>("script[data-still-here]");
if (tag) keepSession(tag);
