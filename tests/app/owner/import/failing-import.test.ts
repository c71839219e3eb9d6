import { expect, test } from "vitest";
import { freshStorageForEachTest } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { importHarness } from "#tests/support/pool/imports.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { scheduledApp } from "#tests/support/pool/scheduled-app.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();
captureLog();

test("sends emails on the free plan while an import fails", async () => {
  const { binding, accepted } = emailBinding();
  const now = Date.now();
  await join("ada@example.com", { now });
  const imports = importHarness();
  const { id } = await imports.check("email\nbob@example.com\n");
  await imports.confirm(id);
  const { d1 } = meteredD1((sql) => {
    if (/^insert into "waitlist_emails"/.test(sql)) throw new Error("D1_ERROR: string or blob too big");
  });
  const run = runScheduled(scheduledApp(now, { binding, d1, vars: { WORKERS_PLAN: "free" } }));
  await expect(run).rejects.toThrow("too big");
  expect(accepted).toEqual(["ada@example.com"]);
});
