import { expect, test } from "vitest";

import { socketUrl } from "../../src/dom/socket_url";

test("socket addresses", () => {
  expect(socketUrl("/ws/play", "https://a.example/play/ses_1#x")).toBe("wss://a.example/ws/play");
  expect(socketUrl("/ws/play", "http://localhost:8000/play/ses_1")).toBe("ws://localhost:8000/ws/play");
});
