// The page on which operators watch a session.
import "../styles/tokens.css";
import "../styles/looks.css";
import "../play/play.css";
import "./watch.css";

import { readBoot } from "../dom/boot";
import { el } from "../dom/el";
import { Watcher } from "./watcher";

const root = document.getElementById("app");
if (root) {
  try {
    new Watcher(root, readBoot()).start();
  } catch (error) {
    console.warn("the scene cannot be drawn", error);
    root.replaceChildren(el("p", { class: "watch-failed", text: "This browser cannot draw the home: it has no WebGL 2." }));
  }
}
