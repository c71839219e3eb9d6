import { expect, test } from "@playwright/test";
import { soak } from "#scripts/soak/soak.ts";

test("a short soak: load, a mail provider that fails one time in three, one kill; nothing lost, nothing doubled", async () => {
  test.setTimeout(240_000);
  const { figures, losses } = await soak({ signUps: 400, connections: 16, kills: 1 });
  expect(Object.entries(losses).filter(([, cases]) => cases.length > 0)).toEqual([]);
  expect(figures["entries"]).toBe(figures["mails accepted"]);
  expect(figures["entries"]).toBe(340);
});
