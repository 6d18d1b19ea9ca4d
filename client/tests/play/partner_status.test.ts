import { expect, test } from "vitest";

import { PartnerStatus } from "../../src/play/partner_status";
import { teamOfFive } from "../fixtures";

const POSE = { position: [0, 0, 0] as [number, number, number], yaw: 0, pitch: 0 };

test("each of several is followed for themselves", () => {
  const five = teamOfFive();
  const [first, second] = [five.seats[0]!, five.seats[1]!];
  const statuses = [new PartnerStatus(), new PartnerStatus()] as const;
  statuses[0].did({ tag: "did", tick: 1, seat: 0, intentId: -1, verb: "open", target: 1, part: 0, where: "" } as never, five, 0);
  expect(statuses[0].doing(first, five, POSE, 100)).toBe("opened the cabinet");
  expect(statuses[1].doing(second, five, POSE, 100)).toBe("standing");
  expect(statuses[0].doing(first, five, POSE, 10_000)).toBe("standing");
});

test("walks, holds, says what it does, has finished, is gone", () => {
  const five = teamOfFive();
  const seat = five.seats[1]!;
  const status = new PartnerStatus();
  expect(status.doing(seat, five, POSE, 0)).toBe("standing");
  expect(status.doing(seat, five, { ...POSE, position: [0.1, 0, 0] }, 300)).toBe("walking");
  five.entities[2]!.holder = 1;
  seat.doing = "thinking";
  expect(status.doing(seat, five, POSE, 5000)).toBe("thinking · holding the tea cup 2");
  seat.finished = true;
  expect(status.doing(seat, five, POSE, 9000)).toBe("holding the tea cup 2 · has finished");
  seat.presence = "gone";
  expect(status.doing(seat, five, POSE, 9000)).toBe("has left");
});
