import { describe, expect, test } from "vitest";

import { mainVerb } from "../../src/play/main_action";
import { EntitySelection } from "../../src/play/selection";
import type { ClientMessage } from "../../src/wire/generated";
import { world } from "../fixtures";

describe("selecting", () => {
  function made(): { sent: ClientMessage[]; selection: EntitySelection } {
    const sent: ClientMessage[] = [];
    const send = (message: ClientMessage): boolean => sent.push(message) > 0;
    return { sent, selection: new EntitySelection(send, () => undefined) };
  }

  test("tells the server once, and believes only answers to it", () => {
    const { sent, selection } = made();
    selection.select(2);
    selection.select(2);
    expect(sent).toEqual([{ tag: "s", target: 2, part: -1 }]);
    selection.offered(1, -1, []);
    expect(selection.selected?.actions).toBeNull();
    selection.offered(2, -1, [{ verb: "pick", possible: true, reason: "" }]);
    expect(selection.selected?.actions).toHaveLength(1);
  });

  test("an act is answered", async () => {
    const { sent, selection } = made();
    const done = selection.act("pick", 2);
    const again = selection.act("open", 1, 0);
    selection.answered(2, "Too far away: walk closer");
    selection.answered(1, null);
    expect(await done).toBeNull();
    expect(await again).toBe("Too far away: walk closer");
    expect(sent[1]).toMatchObject({ tag: "a", verb: "open", target: 1, part: 0, intentId: 2 });
  });

  test("a double click means what can be done", () => {
    const { selection } = made();
    const seen = world();
    const [table, cabinet, cup] = seen.entities;
    if (!table || !cabinet || !cup) throw new Error("missing");
    expect(mainVerb(cup, -1, selection.actionsOf(cup))).toBe("pick");
    expect(mainVerb(cabinet, 0, selection.actionsOf(cabinet))).toBe("close");
    expect(mainVerb(cabinet, 1, selection.actionsOf(cabinet))).toBe("open");
    expect(mainVerb(table, -1, selection.actionsOf(table))).toBeNull();
    selection.select(cabinet.index, 1);
    selection.offered(cabinet.index, 1, [{ verb: "close", possible: true, reason: "" }]);
    expect(mainVerb(cabinet, 1, selection.actionsOf(cabinet))).toBe("close");
  });

  test("the same thing is selected again after a reconnection", () => {
    const { sent, selection } = made();
    selection.reset(world(), "cup_1_:0003", -1);
    expect(sent).toEqual([{ tag: "s", target: 2, part: -1 }]);
    selection.reset(world(), "gone_:0000", -1);
    expect(selection.selected).toBeNull();
  });
});
