import { expect, test } from "vitest";
import { startBareSignUp } from "#scripts/bench/controls.ts";
import { startSite } from "#scripts/bench/workers.ts";
import { signUp } from "#tests/support/sign-up.ts";

test("the bare sign-up Worker writes the same number of rows as the site", { timeout: 120_000 }, async () => {
  await using site = await startSite({ transport: "socket" });
  await using bare = await startBareSignUp();
  for (const { url } of [site, bare]) {
    expect([await signUp(url, "ada@example.com"), await signUp(url, "grace@example.com")]).toEqual([201, 201]);
  }
  for (const table of ["waitlist_emails", "email_outbox"]) {
    expect([table, await site.count(table)]).toEqual([table, 2]);
    expect([table, await bare.count(table)]).toEqual([table, 2]);
  }
});
