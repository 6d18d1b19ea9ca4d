import { describe, expect, it } from "vitest";

import { PageMeter } from "../../src/play/page_meter";
import type { Shown } from "../../src/play/page_meter";
import type { PageStats } from "../../src/wire/generated";

const SHOWN: Shown = { quality: 3, width: 1280, height: 720, touch: false, partner: false, map: false, help: false, hovered: -1 };

function meter(): { meter: PageMeter; sent: PageStats[]; link: { up: boolean } } {
  const sent: PageStats[] = [];
  const link = { up: true };
  return { meter: new PageMeter((stats) => link.up && sent.push(stats) > 0), sent, link };
}

describe("the meter of the page", () => {
  it("tells pictures a second of each second, and how long something was shown", () => {
    const { meter: of, sent } = meter();
    // Twenty pictures a second; for the first half of the time a partner is to be seen.
    for (let ms = 0; ms <= 10_000; ms += 50) of.picture({ ...SHOWN, partner: ms <= 5000, help: ms <= 1000 }, 50, ms);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ spanMs: 10_000, partnerMs: 5000, helpMs: 1000, mapMs: 0, width: 1280, height: 720, quality: 3 });
    expect(new Set(sent[0]?.fps)).toEqual(new Set([20]));
    expect(sent[0]?.fps.length).toBeGreaterThanOrEqual(9);
  });

  it("leaves out seconds in which nothing changed, and a page that was hidden", () => {
    const { meter: of, sent } = meter();
    for (let ms = 0; ms <= 4000; ms += 100) of.picture(SHOWN, null, ms);
    of.picture({ ...SHOWN, map: true }, 60_000, 64_000);
    of.end();
    expect(sent).toMatchObject([{ spanMs: 4000, fps: [], mapMs: 0 }]);
  });

  it("takes the time to the picture that shows what was asked for, not of what was refused", () => {
    const { meter: of, sent } = meter();
    of.picture(SHOWN, null, 0);
    of.ask(1, 100);
    of.ask(2, 120);
    of.answer(1, true);
    of.answer(2, false);
    of.picture(SHOWN, null, 190);
    of.picture(SHOWN, null, 240);
    of.end();
    expect(sent[0]?.shownMs).toEqual([90]);
  });

  it("counts each coming to a thing", () => {
    const { meter: of, sent } = meter();
    [-1, 4, 4, 7, -1, 4].forEach((hovered, n) => of.picture({ ...SHOWN, hovered }, null, 100 * n));
    of.end();
    expect(sent[0]?.hovers).toBe(3);
  });

  it("keeps what could not be sent, and begins anew with another episode", () => {
    const { meter: of, sent, link } = meter();
    link.up = false;
    of.roundTrip(24);
    for (let ms = 0; ms <= 10_500; ms += 500) of.picture(SHOWN, null, ms);
    link.up = true;
    of.picture(SHOWN, null, 11_000);
    expect(sent).toMatchObject([{ spanMs: 11_000, rttsMs: [24] }]);
    of.roundTrip(30);
    of.begin();
    of.end();
    expect(sent).toHaveLength(1);
  });
});
