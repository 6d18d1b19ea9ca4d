import { expect, test } from "vitest";

import { readLobbyMessage } from "../../src/lobby/message";

test("messages that are not ours are ignored", () => {
  expect(readLobbyMessage("{")).toBeNull();
  expect(readLobbyMessage('["other"]')).toBeNull();
  expect(readLobbyMessage('["matched","/play/ses_1"]')).toEqual({
    tag: "matched",
    playUrl: "/play/ses_1",
  });
});
