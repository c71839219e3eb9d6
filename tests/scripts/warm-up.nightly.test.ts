import { expect, test } from "vitest";
import { startSite } from "#scripts/lib/running-site.ts";
import { signUp } from "#tests/support/sign-up.ts";

test("the runtime refuses nothing of the warm-up, and nothing of it is stored, sent or logged", async () => {
  await using site = await startSite();
  expect((await fetch(`${site.url}/privacy`)).status).toBe(200);
  expect([...site.logged("warm-up-failed"), ...site.logged("joined")]).toEqual([]);
  for (const table of ["waitlist_emails", "page_visits"]) expect(await site.rows(table), table).toEqual([]);
  expect(await site.sentEmails()).toEqual([]);
  // With the runtime's own timers and random values in place again.
  expect(await signUp(site.url, "ada@example.com")).toBe(201);
  await site.sweep();
  expect((await site.emailTo("ada@example.com")).subject).not.toBe("");
});

test("WARM_UP=off leaves it out", async () => {
  await using site = await startSite({ vars: { WARM_UP: "off" } });
  expect(await signUp(site.url, "ada@example.com")).toBe(201);
}, 120_000);
