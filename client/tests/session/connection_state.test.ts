import { expect, test } from "vitest";

import { ConnectionMachine, lossOf, secondsLeft } from "../../src/session/connection_state";
import { CloseCode } from "../../src/wire/generated";

const dice = (): number => 1;

test("nothing but a lost connection is tried again", () => {
  const machine = new ConnectionMachine();
  machine.start(false);
  expect(machine.retry()).toBe(false);
  machine.greet();
  expect(machine.retry()).toBe(false);
  machine.welcome(20);
  expect(machine.retry()).toBe(false);
  machine.lose(CloseCode.VERSION, "", 0, dice);
  expect(machine.retry()).toBe(false);
  machine.start(false);
  machine.lose(CloseCode.GOING_AWAY, "", 0, dice);
  expect(machine.retry()).toBe(true);
  expect(machine.retry()).toBe(false);
});

test("nobody is welcomed who has not greeted", () => {
  const machine = new ConnectionMachine();
  machine.start(false);
  machine.welcome(20);
  expect(machine.state.kind).toBe("connecting");
});

test("a socket that opens after the connection was given up greets nobody", () => {
  const machine = new ConnectionMachine();
  machine.start(false);
  machine.lose(CloseCode.REFUSED, "", 0, dice);
  machine.greet();
  expect(machine.state).toMatchObject({ kind: "closed", cause: "refused" });
});

test("a place is kept for half a minute while no server has told otherwise", () => {
  const machine = new ConnectionMachine();
  machine.start(false);
  machine.lose(1006, "", 5000, dice);
  const loss = lossOf(machine.state);
  expect(loss).toEqual({ cause: "lost", deadlineMs: 35_000 });
  expect(loss && [5000, 5001, 34_999, 90_000].map((nowMs) => secondsLeft(loss, nowMs))).toEqual([30, 30, 1, 0]);
});

test("the loss is what the last close told, the deadline that of the first", () => {
  const machine = new ConnectionMachine();
  machine.start(false);
  machine.greet();
  machine.welcome(10);
  machine.lose(CloseCode.GOING_AWAY, "", 1000, dice);
  machine.retry();
  machine.lose(1006, "", 4000, dice);
  expect(lossOf(machine.state)).toEqual({ cause: "lost", deadlineMs: 11_000 });
  machine.retry();
  machine.greet();
  machine.welcome(10);
  expect(lossOf(machine.state)).toBeNull();
});
