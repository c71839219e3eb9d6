import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { OWNER } from "#scripts/lib/owner-site.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { postImport, signInCookie } from "#tests/support/owner-import.ts";

vi.setConfig({ testTimeout: 240_000 });

test("an import that is killed in the middle continues, and adds each person once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-import-kill-"));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 3 }));
  const options = { folder, vars: { OWNER_EMAIL: OWNER, WORKERS_PLAN: "paid" } };
  const site = await startSite(options);
  const people = 12_000;
  await postImport(site, await signInCookie(site), peopleCsv(people));
  const imported = async () => (await site.rows("imports"))[0] ?? {};
  await vi.waitFor(async () => expect((await imported())["position"]).toBeGreaterThan(2), { timeout: 60_000 });
  await site.kill();
  const { state, added } = await imported();
  expect(state).toBe("running");
  expect(await site.rows("waitlist_emails")).toHaveLength(Number(added));

  const again = await startSite({ ...options, migrated: false });
  onTestFinished(again.stop);
  await vi.waitFor(
    async () => {
      await again.sweep();
      expect((await imported())["state"]).toBe("done");
    },
    { timeout: 120_000, interval: 500 },
  );
  expect(await imported()).toMatchObject({ added: people, suppressed: 0 });
  const emails = (await again.rows("waitlist_emails")).map(({ email }) => email);
  expect(new Set(emails).size).toBe(people);
  expect(emails).toHaveLength(people);
  const queued = (await again.rows("email_outbox")).filter(({ kind }) => kind === "welcome");
  expect(new Set(queued.map(({ entry_id }) => entry_id)).size).toBe(people);
  expect(queued).toHaveLength(people);
});
