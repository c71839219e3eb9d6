import { expect, test } from "@playwright/test";
import { soak } from "#scripts/soak/soak.ts";
import { slow } from "#tests/support/browser/slow.ts";

test("a short soak with a failing email provider and one kill loses and duplicates nothing", slow, async () => {
  test.setTimeout(240_000);
  const { stats, losses } = await soak({ signUps: 400, connections: 16, kills: 1 });
  expect(Object.entries(losses).filter(([, cases]) => cases.length > 0)).toEqual([]);
  expect(stats["entries"]).toBe(stats["emails accepted"]);
  expect(stats["entries"]).toBe(340);
});
