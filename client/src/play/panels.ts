// The texts of the panels over the scene.
import { toggle } from "../dom/el";
import { ACTS, hintFor, keyWord, verbsOf } from "../input/bindings";
import type { Bindings } from "../input/bindings";
import type { KeyHint } from "../ui/key_hints";
import { clockText } from "../world/duration";
import { whyNotInside } from "../world/fits";
import { Departure, flatDistance, isInRoomOf } from "../world/nearness";
import { partWords } from "../world/part_words";
import { describe, stateWords, titleOf, verbWords } from "../world/words";
import type { Entity, World } from "../world/world";
import type { PlayerActions } from "./actions";
import type { PlayContext } from "./context";
import { Beginners, clockNote } from "./clock_note";
import { finishNote, othersWait } from "./finish_note";
import { hintsFor, roleText } from "./guidance";
import { NOWHERE, TOO_FAR } from "./put_place";

const URGENT_S = 30;
/** Seconds after the end of a study's practice at which its page is left: by then the server's clock says so, too. */
const PRACTICE_LAG_S = 1;
/** As near as this to what nothing can be done with (m), walking there does not help. */
const BESIDE_M = 1;

/** So long the others have nothing to do before it is said what the end of the task takes. */
const WAITS_MS = 5000;
/** Who has stood for so long has stopped to look at something, or to read. */
const STANDS_MS = 1200;

export class Panels {
  private readonly departure = new Departure();
  private departing = -1;
  private hasMoved = false;
  private walkedMs = -Infinity;
  /** Whether the player has walked or pressed *ready* in this episode. */
  private hasBegun = false;
  private readonly beginners = new Beginners();
  /** Time at which a study's practice has to be done; no study sets one to most. */
  private practiceEndsMs = Infinity;
  /** When the others last had something to do. */
  private busyMs = -Infinity;
  private onPracticeOver: () => void = () => undefined;
  /** What keys do to what is pointed at, and the verbs of those that the selection would have otherwise. */
  private keyed: KeyHint[] = [];
  private readonly taken = new Set<string>();

  constructor(
    private readonly game: PlayContext,
    private readonly actions: PlayerActions,
  ) {}

  /** Show that a study's practice has to be done within `leftS` seconds from now; `onOver` is called once it is over. */
  limitPractice(leftS: number, nowMs: number, onOver: () => void): void {
    this.practiceEndsMs = nowMs + leftS * 1000;
    this.onPracticeOver = onOver;
  }

  /** Whether a study's practice is over by now: what comes next is its page, and no report. */
  isPracticeOver(nowMs: number): boolean {
    return nowMs >= this.practiceEndsMs;
  }

  /** Show what depends on the time: `tick` is the server's, `tickRate` how many there are in a second. */
  showTime(world: World, tick: number, tickRate: number, nowMs: number): void {
    const { task } = this.game.hud;
    const waits = world.phase === "running" && world.clockTick < 0;
    const now = Math.max(world.tick, tick);
    const ticks = waits ? 0 : now - world.startedTick;
    // An episode whose start is only just known has run for no less than nothing.
    const left = (world.timeLimitTicks - Math.max(0, ticks)) / tickRate;
    this.showNote(world, left, nowMs);
    const practiceLeft = (this.practiceEndsMs - nowMs) / 1000;
    const isLimited = Number.isFinite(practiceLeft);
    task.setReady(waits && !isLimited ? clockNote(world, this.hasBegun, this.beginners.look(world)) : "", !this.hasBegun);
    if (practiceLeft <= -PRACTICE_LAG_S) {
      // Once: the page is on its way to another one.
      this.onPracticeOver();
      this.onPracticeOver = () => undefined;
    }
    // Whatever stands still in the house, the study's clock goes on.
    if (isLimited) task.setTime(`${clockText(practiceLeft)} left`, practiceLeft < URGENT_S);
    else if (!world.features.has("timer") || world.startedTick < 0) task.setTime("", false);
    else if (world.phase === "paused") task.setTime("paused", false);
    else if (world.timeLimitTicks <= 0) task.setTime(clockText(waits ? 0 : (now - world.clockTick) / tickRate), false);
    else task.setTime(`${clockText(left)} left`, left < URGENT_S);
  }

  /** Say who has finished, and how long the other one still has: nobody waits for ever. */
  private showNote(world: World, leftS: number, nowMs: number): void {
    const { task } = this.game.hud;
    if (world.phase !== "running") return task.setNote("");
    const left = world.finishing && leftS >= 0 ? clockText(leftS) : "";
    // A moment between two acts is no waiting.
    if (!othersWait(world)) this.busyMs = nowMs;
    task.setNote(finishNote(world, left, nowMs - this.busyMs >= WAITS_MS));
  }

  /** Begin another episode. */
  begin(world: World): void {
    this.hasBegun = false;
    this.busyMs = performance.now();
    this.beginners.reset();
    // Before anything is drawn: others may move while this page still makes its first picture.
    this.beginners.look(world);
  }

  /** Note that the player has begun: the clock waits for them no more. */
  begun(): void {
    this.hasBegun = true;
  }

  /** Note that somebody else has done or written something: the clock waits for them no more. */
  heard(seat: number): void {
    this.beginners.heard(seat);
  }

  /** Tell that the player is ready, so that the clock need not wait for them. */
  ready(): void {
    this.begun();
    this.game.send({ tag: "ready" });
  }

  /** Show what depends on who is there and who has finished. */
  showSeats(): void {
    const { world, hud } = this.game;
    const own = world?.mySeat;
    const others = world?.others ?? [];
    const finished = own?.finished ?? false;
    hud.setFinish(finished, others.length === 0);
    if (!world) return;
    hud.task.setRole(roleText(world), own?.look.marked ? own.look : null);
    // Alone there is nobody to talk to.
    toggle(hud.chat.root, world.features.has("chat") && others.length > 0);
    hud.chat.showSeats(world);
    const there = others.filter(({ presence }) => presence !== "gone").length;
    hud.leaving.setOthers(there === 0 ? "none" : there === 1 && world.isPair ? "one" : "more");
    hud.partner.setPartners(
      others.map((seat) => ({ ...seat, title: titleOf(world, seat) })),
      world.features.has("partner_status"),
      world.features.has("partner_view"),
      !world.isPair,
    );
  }

  showSelection(): void {
    const { world, hud } = this.game;
    const { selected } = this.game.selection;
    const entity = world?.entities[selected?.entity ?? -1];
    // What the hand holds has a panel of its own.
    const idle = entity?.holder === world?.me && selected?.actions?.length === 0;
    if (!world || !selected || !entity || idle) {
      hud.selection.hideSelection();
      return;
    }
    const { position } = world.pose(entity);
    const room = world.rooms[entity.room] ?? world.roomAt(position[0], position[2]);
    const details = [room?.label, ...stateWords(world, entity)].filter(Boolean).join(" — ");
    const keyed = withKeys(selected.actions ?? [], this.game.settings.bindings, (verb) => this.taken.has(verb));
    const isFull = world.heldBy(world.me) !== null && entity.holder < 0;
    const actions = selected.actions && keyed.map((action) => ({
      ...action,
      part: action.verb === "open" || action.verb === "close" ? this.partOf(entity, selected.part, action.verb) : "",
    }));
    hud.selection.showSelection(entity.label, details, actions ?? null, !onlyTakes(isFull, actions ?? []));
  }

  /** Tell whether one of these entities is selected. */
  concernsSelection(indices: readonly number[]): boolean {
    const { selected } = this.game.selection;
    return selected !== null && indices.includes(selected.entity);
  }

  showHolding(): void {
    const { world } = this.game;
    const held = world?.heldBy(world.me);
    const { bindings } = this.game.settings;
    const place = held ? this.actions.putPlace() : null;
    const selected = world?.entities[this.game.selection.selected?.entity ?? -1];
    const opens = held && selected && selected.parts.length > 0;
    const [x, , z] = this.game.body.position;
    const isFar = Boolean(opens && flatDistance(world, selected, [x, z]) > world.reach);
    this.game.hud.selection.showHolding(
      held
        ? {
            label: held.label,
            key: this.game.touch ? "" : hintFor(bindings, "place"),
            where: place?.where ?? "",
            whyNot: place ? place.why : NOWHERE,
            // The lesson is to put it next to something: on that, or anywhere else, is no way on.
            isAside: this.game.hud.tutorial.step === "place" && !place?.where.startsWith("beside "),
            insideKey: this.game.touch ? "" : keyWord(bindings.putInside[0] ?? ""),
            hasAimButton: this.game.touch,
            canPutInside: Boolean(opens),
            whyNotInside: isFar ? TOO_FAR : opens ? whyNotInside(held, selected, this.game.selection.selected?.part ?? -1) : "",
          }
        : null,
    );
    if (!held && this.game.placement.active) this.actions.aim("cancel");
  }

  /** Follow the player's walk: what they have walked away from is selected no more, and other keys matter. */
  followWalk(): void {
    const { world, body, selection, hud } = this.game;
    if (!world) return;
    const [x, , z] = body.position;
    if (body.moving) {
      if (!this.hasMoved) hud.task.fold(true);
      this.hasMoved = this.hasBegun = true;
      this.walkedMs = performance.now();
    }
    hud.setWalking(performance.now() - this.walkedMs < STANDS_MS);
    const { selected } = selection;
    const entity = world.entities[selected?.entity ?? -1] ?? null;
    const away = entity ? flatDistance(world, entity, [x, z]) : 0;
    if (entity?.index !== this.departing) this.departure.begin();
    this.departing = entity?.index ?? -1;
    const { walk } = this.actions;
    // The way to a thing may lead away from it at first.
    if (entity?.index === walk.toward) this.departure.begin();
    else if (entity && this.departure.hasLeft(away, world.reach, isInRoomOf(world, entity, [x, z]))) selection.deselect();
    const stuck = selection.selected?.actions?.every(({ possible }) => !possible) ?? false;
    const helps = entity !== null && (away > world.reach || (stuck && (away > BESIDE_M || !walk.sees(world, entity))));
    const walkable = helps && entity.holder < 0;
    hud.selection.offerWalk(walkable, this.game.touch ? "" : keyWord(this.game.settings.bindings.approach[0] ?? ""));
    const hovered = world.entities[this.actions.hovered?.entity ?? -1] ?? null;
    hud.selection.hints.show(
      hintsFor({
        bindings: this.game.settings.bindings,
        touch: this.game.touch,
        hasMoved: this.hasMoved,
        aiming: this.game.placement.active,
        holding: world.heldBy(world.me) !== null,
        hovered: hovered && kindOf(hovered),
        isSelected: selection.selected !== null,
        selectionOpens: (entity?.parts.length ?? 0) > 0,
        keyed: this.keyed,
        canWalkThere: walkable,
      }),
    );
  }

  /** Return which door or drawer is meant: of the whole, the first that would move. */
  private partOf(entity: Entity, part: number, verb: string): string {
    const first = entity.parts.findIndex((value) => (verb === "open" ? value === 0 : value !== 0));
    return partWords(this.game.scenery.placedParts(entity), part >= 0 ? part : first);
  }

  /** Note what keys do to what is pointed at, in words, and which keys it takes from the selection. */
  private noteKeys(world: World): void {
    const { selection, settings, scenery, body, touch, placement } = this.game;
    const before = [...this.taken].join();
    this.keyed = [];
    this.taken.clear();
    const entity = world.entities[this.actions.hovered?.entity ?? -1];
    const [x, , z] = body.position;
    if (entity && !touch && !placement.active && flatDistance(world, entity, [x, z]) <= world.reach) {
      for (const command of ACTS) {
        const verbs = verbsOf(command);
        const act = this.actions.keyAct(verbs);
        if (act?.by !== "pointer") continue;
        const isOffered = this.game.hud.selection.find(verbs) !== null;
        if (isOffered) for (const verb of verbs) this.taken.add(verb);
        // What bodies can do differs; that they pick up and open does not, with a free hand.
        const isUsual = (command === "pick" || command === "openClose") && world.heldBy(world.me) === null;
        if (!isUsual && !isOffered) continue;
        const what = act.part >= 0 ? partWords(scenery.placedParts(entity), act.part) : "";
        this.keyed.push({ keys: [keyWord(settings.bindings[command][0] ?? "–")], text: `${verbWords(act.verb)} the ${what || entity.label}` });
      }
    }
    this.game.hud.pointed.show(selection.selected ? this.keyed : [], this.actions.aimPoint());
    if (before !== [...this.taken].join()) this.showSelection();
  }

  showHover(): void {
    const { world } = this.game;
    const entity = world?.entities[this.actions.hovered?.entity ?? -1];
    if (world) this.noteKeys(world);
    const selected = this.game.selection.selected?.entity === entity?.index;
    this.game.hud.selection.showHover(world && entity && !selected ? describe(world, entity) : "");
    // Where the hand puts down what it holds follows the pointer.
    if (world?.heldBy(world.me)) this.showHolding();
  }

  /** Add a line of chat; `old`: it was said before the page was there. */
  showChat(seat: number, text: string, old: boolean): void {
    const { world } = this.game;
    const speaker = world?.seats[seat];
    if (!world || !speaker) return;
    this.game.hud.chat.add(world, speaker, text, old);
    if (old || seat === world.me || this.game.hud.chat.isMuted(speaker)) return;
    this.game.sounds.play("chat");
    if (document.hidden) this.game.status.unread += 1;
  }
}

/** Return actions with the key of each; of two that share a key, it is named at the one that it does, and at none where
    what is pointed at has `taken` it. */
export function withKeys<Action extends { verb: string; possible: boolean }>(actions: readonly Action[], bindings: Bindings, taken: (verb: string) => boolean = () => false): (Action & { key: string })[] {
  const keys = actions.map(({ verb }) => (taken(verb) ? "" : hintFor(bindings, verb)));
  return actions.map((action, i) => {
    const sharing = actions.filter((_, j) => keys[j] === keys[i]);
    const meant = sharing.find(({ possible }) => possible) ?? sharing[0];
    return { ...action, key: meant === action ? (keys[i] ?? "") : "" };
  });
}

/** Tell whether a thing that nobody holds is nothing but another to pick up for a hand that is full (`isFull`): it is to be
    put beside that, and no fault. Whoever presses the button is told. */
export function onlyTakes(isFull: boolean, actions: readonly { verb: string }[]): boolean {
  return isFull && actions.length > 0 && actions.every(({ verb }) => verb === "pick");
}

function kindOf(entity: Entity): "object" | "openable" | "furniture" {
  if (entity.template.kind === "object") return "object";
  return entity.parts.length > 0 ? "openable" : "furniture";
}
