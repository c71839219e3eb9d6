import { expect, test } from "@playwright/test";
import { soak } from "#scripts/soak/soak.ts";
import { slow } from "#tests/support/browser/slow.ts";

test(
  "a short soak with a failing provider, bounces, complaints, departures and one kill loses and duplicates nothing",
  slow,
  async () => {
    test.setTimeout(480_000);
    const { stats, losses } = await soak({ signUps: 400, connections: 16, kills: 1 });
    expect(Object.entries(losses).filter(([, cases]) => cases.length > 0)).toEqual([]);
    // 340 people joined. Of every 40 visitors, two erased themselves in the end.
    expect(stats).toMatchObject({ entries: 320, returns: 110, complaints: 50, bounces: 40, left: 50, erased: 40 });
    expect(stats).toMatchObject({
      "webhooks, valid": 360,
      "webhooks, forged": 60,
      "rate limits": 10,
      "daily quotas": 2,
    });
  },
);
