// The page on which a recorded episode is seen again.
import "../styles/tokens.css";
import "../styles/looks.css";
import "../play/play.css";
import "./replay.css";

import { bootString, readBoot } from "../dom/boot";
import { el } from "../dom/el";
import { FilmError, openFilm } from "./film";
import { Replayer } from "./replayer";

async function show(root: HTMLElement): Promise<void> {
  const boot = readBoot();
  const tell = (text: string): void => root.replaceChildren(el("p", { class: "film-message", testid: "film-message", text, at: { role: "status" } }));
  tell("Loading the recording …");
  try {
    const film = await openFilm(bootString(boot, "filmPath"), () => tell("The recording is being made ready. This takes a few seconds."));
    new Replayer(root, film, boot).start();
  } catch (error) {
    console.warn("the recording cannot be shown", error);
    tell(error instanceof FilmError ? error.message : "This browser cannot draw the home: it has no WebGL 2.");
  }
}

const root = document.getElementById("app");
if (root) void show(root);
