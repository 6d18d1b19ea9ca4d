// The controls: what keys, mouse and fingers do in the game.
import type { Point } from "../dom/pixels";
import { ACTS, verbsOf } from "../input/bindings";
import type { Command } from "../input/bindings";
import { Keyboard } from "../input/keyboard";
import { Pointer } from "../input/pointer";
import type { Game } from "./game";

const MOVES: readonly Command[] = ["forward", "back", "left", "right", "slow"];
const KEY_TURN_PX_S = 420;
/** How high over the floor one looks at a body (m). */
const CHEST_M = 1.1;
/** How large what a finger presses is at least. */
const FINGER_PX = 44;
const ONLY_TOUCH = "(hover: none) and (pointer: coarse)";

export class Controls {
  readonly keyboard: Keyboard;
  readonly pointer: Pointer;
  private stick = { x: 0, y: 0 };

  constructor(private readonly game: Game) {
    const { hud } = game;
    this.keyboard = new Keyboard(game.settings.bindings, {
      onCommand: (command, down) => this.command(command, down),
      onDigit: (digit) => {
        if (game.live) game.actions.actByNumber(digit);
      },
      onEscape: () => this.escape(),
    });
    game.onSettingsChange(({ bindings }) => this.keyboard.rebind(bindings));
    this.pointer = new Pointer(hud.canvas, {
      onLook: (dx, dy) => {
        const { sensitivity, invertY } = game.settings;
        if (!game.live) return;
        game.body.look(dx, invertY ? -dy : dy, sensitivity, game.world);
        game.actions.turnedView(Math.hypot(dx, dy));
      },
      onHover: (at) => {
        game.actions.pointAt(at, this.pointer.locked);
        hud.setCrosshair(game.actions.pointer === null);
      },
      onClick: (at, double, touch) => {
        const onPanel = !this.pointer.locked && hud.isPanelAt(at);
        // A sign may lie over a panel, where there is no room beside it.
        const isSign = game.live && !game.placement.active && !(touch && onPanel);
        if (isSign && game.tutorial?.pressed(at)) return;
        // A finger that just misses a button means the panel, and not what lies behind it.
        if (touch && onPanel) return;
        if (isSign && !this.pointer.locked && this.looksAtPartner(at)) return;
        if (game.live) game.actions.click(this.pointer.locked ? game.actions.middle() : at, double, !onPanel);
      },
      onAim: (phase) => {
        if (game.live || phase !== "start") game.actions.aim(phase);
      },
      onStick: (x, y, from) => {
        this.stick = { x, y };
        hud.showStick(from, x, y);
        this.walk();
      },
      onTouch: () => this.touched(),
    });
    hud.canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (game.placement.active) game.placement.turn(Math.sign(event.deltaY));
      },
      { passive: false },
    );
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.pointer.release();
    });
    if (window.matchMedia(ONLY_TOUCH).matches) this.touched();
  }

  /** Turn to the partner whose arrow was pressed; return whether it was one: what is selected stays so. */
  private looksAtPartner(at: Point): boolean {
    const { game } = this;
    const seat = game.hud.markers.edgeAt(at, game.touch ? FINGER_PX : 0);
    const place = seat < 0 ? null : game.partnersStatus.placeOf(seat);
    if (!place || !game.world) return false;
    const [x, y, z] = place;
    game.body.lookAt([x, y + CHEST_M, z], game.world);
    return true;
  }

  /** Turn the view by the keys that were held for this time. */
  step(dtS: number): void {
    const held = (command: Command): number => (this.keyboard.isHeld(command) ? 1 : 0);
    const x = held("turnRight") - held("turnLeft");
    const y = held("lookDown") - held("lookUp");
    if ((x !== 0 || y !== 0) && this.game.live) {
      this.game.body.look(x * KEY_TURN_PX_S * dtS, y * KEY_TURN_PX_S * 0.6 * dtS, 1, this.game.world);
    }
  }

  private command(command: Command, down: boolean): void {
    const { game } = this;
    if (MOVES.includes(command)) {
      this.walk();
      return;
    }
    if (command === "aim") {
      if (game.live || !down) game.actions.aim(down ? "start" : "end");
      return;
    }
    if (!down || !game.live) return;
    if (ACTS.includes(command)) {
      game.actions.actByKey(verbsOf(command));
      return;
    }
    switch (command) {
      case "place":
        game.actions.putHere();
        return;
      case "putInside":
        void game.actions.putInside();
        return;
      case "approach":
        void game.actions.approach();
        return;
      case "select":
        game.actions.click(game.actions.aimPoint(), false, false);
        return;
      case "chat":
        if (!game.hud.chat.root.hidden) game.hud.chat.open();
        return;
      case "map":
        game.hud.toggleMap();
        return;
      case "help":
        game.hud.toggleHelp();
        return;
      case "settings":
        game.hud.toggleSettings();
        return;
      case "partnerView":
        if (this.keyboard.isHeld("slow")) game.hud.partner.next();
        else game.hud.partner.toggleView();
        game.toggledView();
        return;
      case "lock":
        this.pointer.toggleLock();
        return;
      default:
    }
  }

  private walk(): void {
    const { keyboard, stick, game } = this;
    const held = (command: Command): number => (keyboard.isHeld(command) ? 1 : 0);
    game.body.wish = {
      x: held("right") - held("left") + stick.x,
      y: held("forward") - held("back") + stick.y,
      slow: keyboard.isHeld("slow"),
    };
  }

  private escape(): void {
    const { game } = this;
    if (game.placement.active) game.actions.aim("cancel");
    else if (!game.hud.closePanels()) game.selection.deselect();
  }

  private touched(): void {
    document.documentElement.classList.add("touch");
    this.game.useTouch();
  }
}
