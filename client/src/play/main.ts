// The play page.
import "../styles/tokens.css";
import "../styles/looks.css";
import "./play.css";
import "./hud.css";

import { readBoot } from "../dom/boot";
import { Overlay } from "../ui/overlay";
import { screenOf } from "../ui/screens";
import { automation } from "./automation";
import type { Automation } from "./automation";
import { Controls } from "./controls";
import { Game } from "./game";
import { Loop } from "./loop";

declare global {
  interface Window {
    cohabit?: Automation;
  }
}

function start(root: HTMLElement): void {
  const boot = readBoot();
  let game: Game;
  try {
    game = new Game(root, boot);
  } catch (error) {
    console.warn("the scene cannot be drawn", error);
    showNoGraphics(root);
    return;
  }
  const loop = new Loop(game, new Controls(game));
  // It tells of rooms that nobody has seen: a server says so only when it runs for tests.
  if (boot.automation === true) window.cohabit = automation(game, loop);
  loop.start();
  game.start();
  // From now on the socket says that somebody is here.
  document.querySelector("[data-still-here]")?.removeAttribute("data-still-here");
}

function showNoGraphics(root: HTMLElement): void {
  const overlay = new Overlay((action) => {
    if (action === "home") window.location.assign("/");
    else window.location.reload();
  });
  root.replaceChildren(overlay.root);
  overlay.show(
    screenOf({
      link: { kind: "connecting", loss: null },
      loading: { world: false, loaded: 0, total: 1 },
      phase: "",
      endReason: "",
      over: false,
      practiceOver: false,
      inStudy: false,
      others: [],
      graphics: "missing",
      nowMs: 0,
    }),
  );
}

const root = document.getElementById("app");
if (root) start(root);
