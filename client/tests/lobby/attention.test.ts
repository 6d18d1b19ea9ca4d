import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { callFor } from "../../src/lobby/attention";

const notes: number[] = [];

class Sound {
  currentTime = 3;
  destination = {};
  createOscillator(): object {
    const frequency = { value: 0 };
    return {
      frequency,
      type: "",
      connect: (next: object) => next,
      start: (at: number) => notes.push(at),
      stop: () => undefined,
    };
  }
  createGain(): object {
    const gain = {
      setValueAtTime: () => undefined,
      linearRampToValueAtTime: () => undefined,
      exponentialRampToValueAtTime: () => undefined,
    };
    return { gain, connect: (next: object) => next };
  }
}

beforeEach(() => {
  notes.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal("document", { title: "Lobby – Cohabit", hidden: true });
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("AudioContext", Sound);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("L13 whoever is matched hears two notes, and reads it in the title of the tab", () => {
  callFor("Your home is ready");
  expect(document.title).toBe("● Your home is ready – Cohabit");
  expect(notes).toHaveLength(2);
  expect(Math.min(...notes)).toBeGreaterThan(3);
});

test("L13 a browser that allows no sound shows the title all the same", () => {
  vi.stubGlobal("AudioContext", undefined);
  callFor("Are you ready?");
  expect(document.title).toBe("● Are you ready? – Cohabit");
  expect(notes).toHaveLength(0);
});

test("L13 the title flashes while the tab is hidden, and stays once somebody looks", () => {
  const stop = callFor("Are you ready?");
  const seen = [1, 2, 3].map(() => {
    vi.advanceTimersByTime(1000);
    return document.title;
  });
  expect(seen).toEqual(["Lobby – Cohabit", "● Are you ready? – Cohabit", "Lobby – Cohabit"]);
  vi.stubGlobal("document", { title: document.title, hidden: false });
  vi.advanceTimersByTime(5000);
  expect(document.title).toBe("● Are you ready? – Cohabit");
  stop();
  vi.advanceTimersByTime(5000);
  expect(document.title).toBe("Lobby – Cohabit");
});
