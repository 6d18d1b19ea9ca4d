// The selected entity, what can be done with it, and the requests to do it.
import type { ActionInfo, ClientMessage, TargetVerb } from "../wire/generated";
import type { Entity, World } from "../world/world";

export interface Selected {
  entity: number;
  part: number;
  /** What can be done; null until the server has said it. */
  actions: ActionInfo[] | null;
}

export class EntitySelection {
  selected: Selected | null = null;
  private nextIntent = 1;
  private readonly waiting = new Map<number, (refusal: string | null) => void>();

  constructor(
    private readonly send: (message: ClientMessage) => boolean,
    private readonly onChange: () => void,
  ) {}

  select(entity: number, part = -1): void {
    const { selected } = this;
    if (entity < 0) {
      this.deselect();
      return;
    }
    if (selected?.entity === entity && selected.part === part) return;
    this.selected = { entity, part, actions: null };
    this.send({ tag: "s", target: entity, part });
    this.onChange();
  }

  deselect(): void {
    if (!this.selected) return;
    this.selected = null;
    this.send({ tag: "s", target: -1, part: -1 });
    this.onChange();
  }

  /** Start anew from a snapshot, in which indices may mean other things, with this selected. */
  reset(world: World, handle: string | null, part: number): void {
    for (const done of this.waiting.values()) done("The connection was lost.");
    this.waiting.clear();
    this.selected = null;
    const entity = handle === null ? null : world.byHandle(handle);
    if (entity) this.select(entity.index, part);
    else this.onChange();
  }

  /** Take in what the server says can be done. */
  offered(target: number, part: number, actions: ActionInfo[]): void {
    const { selected } = this;
    if (selected?.entity !== target || selected.part !== part) return;
    selected.actions = actions;
    this.onChange();
  }

  /** Ask to do a verb to an entity; resolves with null when it is done, else with the reason why not. */
  act(verb: string, entity: number, part = -1): Promise<string | null> {
    return this.ask((intentId) => ({
      tag: "a",
      clientMs: Math.floor(performance.now()),
      intentId,
      verb: verb as TargetVerb,
      target: entity,
      part,
    }));
  }

  /** Ask to put down what the hand holds (mm, mrad); resolves as `act` does. */
  place(point: [number, number, number], yawMrad: number, target: number): Promise<string | null> {
    return this.ask((intentId) => ({
      tag: "p",
      clientMs: Math.floor(performance.now()),
      intentId,
      point,
      yaw: yawMrad,
      target,
    }));
  }

  /** Take in the answer to a request: null, or why not. */
  answered(intentId: number, refusal: string | null): void {
    const done = this.waiting.get(intentId);
    this.waiting.delete(intentId);
    done?.(refusal);
  }

  /** Return what the server says can be done to an entity; null while it is not selected. */
  actionsOf(entity: Entity): ActionInfo[] | null {
    return this.selected?.entity === entity.index ? this.selected.actions : null;
  }

  private ask(message: (intentId: number) => ClientMessage): Promise<string | null> {
    const intentId = this.nextIntent++;
    if (!this.send(message(intentId))) return Promise.resolve("There is no connection right now.");
    return new Promise((done) => this.waiting.set(intentId, done));
  }
}
