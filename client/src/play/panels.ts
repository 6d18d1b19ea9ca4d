// The texts of the panels over the scene.
import { toggle } from "../dom/el";
import { hintFor, keyWord } from "../input/bindings";
import { clockText } from "../world/duration";
import { describe, stateWords, titleOf } from "../world/words";
import type { World } from "../world/world";
import type { PlayerActions } from "./actions";
import type { PlayContext } from "./context";
import { finishNote } from "./finish_note";

const URGENT_S = 30;

export class Panels {
  constructor(
    private readonly game: PlayContext,
    private readonly actions: PlayerActions,
  ) {}

  /** Show what depends on the time: `tick` is the server's, `tickRate` how many there are in a second. */
  showTime(world: World, tick: number, tickRate: number): void {
    const { task } = this.game.hud;
    const ticks = Math.max(world.tick, tick) - world.startedTick;
    const left = (world.timeLimitTicks - ticks) / tickRate;
    this.showNote(world, left);
    if (!world.features.has("timer") || world.startedTick < 0) task.setTime("", false);
    else if (world.phase === "paused") task.setTime("paused", false);
    else if (world.timeLimitTicks <= 0) task.setTime(clockText(ticks / tickRate), false);
    else task.setTime(`${clockText(left)} left`, left < URGENT_S);
  }

  /** Say who has finished, and how long the other one still has: nobody waits for ever. */
  private showNote(world: World, leftS: number): void {
    const left = world.finishing && leftS >= 0 ? clockText(leftS) : "";
    this.game.hud.task.setNote(world.phase === "running" ? finishNote(world, left) : "");
  }

  /** Show what depends on who is there and who has finished. */
  showSeats(): void {
    const { world, hud } = this.game;
    const own = world?.mySeat;
    const others = world?.others ?? [];
    const finished = own?.finished ?? false;
    hud.setFinish(finished, others.length === 0);
    if (!world) return;
    // Alone there is nobody to talk to.
    toggle(hud.chat.root, world.features.has("chat") && others.length > 0);
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
    const actions = selected.actions?.map((action) => ({
      ...action,
      key: hintFor(this.game.settings.bindings, action.verb),
    }));
    hud.selection.showSelection(entity.label, details, actions ?? null);
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
    this.game.hud.selection.showHolding(
      held
        ? {
            label: held.label,
            key: this.game.touch ? "" : hintFor(bindings, "place"),
            aimKey: this.game.touch ? "" : keyWord(bindings.aim[0] ?? ""),
          }
        : null,
    );
    if (!held && this.game.placement.active) this.actions.aim("cancel");
  }

  showHover(): void {
    const { world } = this.game;
    const entity = world?.entities[this.actions.hovered?.entity ?? -1];
    const selected = this.game.selection.selected?.entity === entity?.index;
    this.game.hud.selection.showHover(world && entity && !selected ? describe(world, entity) : "");
  }

  /** Add a line of chat; `old`: it was said before the page was there. */
  showChat(seat: number, text: string, old: boolean): void {
    const { world } = this.game;
    const speaker = world?.seats[seat];
    if (!world || !speaker) return;
    this.game.hud.chat.add(world, speaker, text, old);
    if (old || seat === world.me) return;
    this.game.sounds.play("chat");
    if (document.hidden) this.game.status.unread += 1;
  }
}
