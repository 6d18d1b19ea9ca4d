import { expect, test } from "vitest";

import { MOST_TRIES, followPictures, waitS } from "../../src/site/report_pictures";

interface Followed {
  asked: string[];
  rested: number[];
  shown: number;
  card: HTMLElement;
}

/** Follow pictures of which the server says one status after the other, and the last for ever; 0: no answer. */
async function followed(...statuses: number[]): Promise<Followed> {
  const card = { dataset: { pictures: "/report/epi_1/pictures" }, textContent: "still being drawn" } as unknown as HTMLElement;
  const found: Followed = { asked: [], rested: [], shown: 0, card };
  await followPictures(card, {
    ask: (path) => {
      const status = statuses[Math.min(found.asked.length, statuses.length - 1)] ?? 0;
      found.asked.push(path);
      return status > 0 ? Promise.resolve(status) : Promise.reject(new Error("no connection"));
    },
    rest: (seconds) => {
      found.rested.push(seconds);
      return Promise.resolve();
    },
    show: () => {
      found.shown += 1;
    },
  });
  return found;
}

test("pictures are shown once they are drawn, and nothing is asked after that", async () => {
  const { asked, shown } = await followed(202, 0, 202, 204);
  expect(asked).toEqual(Array<string>(4).fill("/report/epi_1/pictures"));
  expect(shown).toBe(1);
});

test("what cannot be drawn is said to be so", async () => {
  const { asked, shown, card } = await followed(202, 410);
  expect(asked).toHaveLength(2);
  expect(shown).toBe(0);
  expect(card.textContent).toContain("could not be drawn");
});

test("it asks ever more seldom, and at last no more", async () => {
  const { asked, rested, shown, card } = await followed(202);
  expect(asked).toHaveLength(MOST_TRIES);
  expect(rested.every((seconds, i) => seconds >= (rested[i - 1] ?? 0))).toBe(true);
  expect(waitS(MOST_TRIES)).toBe(10);
  expect(shown).toBe(0);
  expect(card.textContent).toBe("still being drawn");
});
