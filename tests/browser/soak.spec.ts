import { expect, test } from "@playwright/test";
import { letters } from "#app/switches.ts";
import { soak } from "#scripts/soak/soak.ts";
import { nightly } from "#tests/support/browser/slow.ts";

test(
  "a short soak with a failing provider, a flood, bounces, complaints, departures and one kill loses and duplicates nothing",
  nightly,
  async () => {
    test.setTimeout(480_000);
    const { stats, losses } = await soak({ signUps: 400, connections: 16, kills: 1 });
    expect(Object.entries(losses).filter(([, cases]) => cases.length > 0)).toEqual([]);
    // Twelve people leave during the letter, in four ways.
    const more = letters ? 3 : 0;
    // 360 people and 100 of a flood joined.
    expect(stats).toMatchObject({
      entries: 460 - more,
      "flood: 201": 100,
      "left: 200": 40 + more,
      "erased: 303": 30 + more,
      "email.complained: 200": 80 + 2 * more,
      // Four of every 40 visitors, and half of the flood; each twice.
      "email.bounced: 200": 180,
      "email.delivered: 200": 40,
      // So many bounces hold emails to unverified sign-ups; once they are released, all are sent.
      "emails waiting": 0,
    });
    // The last of the limits that concern all email.
    expect(stats["requests to the provider"]).toBeGreaterThan(401);
    expect((stats["return: 201"] ?? 0) + (stats["return: 409"] ?? 0)).toBe(220);
  },
);
