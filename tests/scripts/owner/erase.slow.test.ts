import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { runScript } from "#tests/support/run-script.ts";
import { dumpDatabase, openWaitlistFile } from "#tests/support/waitlist-file.ts";

vi.setConfig({ testTimeout: 120_000 });

const address = "visitor.to.erase@example.com";
const folder = mkdtempSync(join(tmpdir(), "waitlist-site-erase-"));
const logs = mkdtempSync(join(tmpdir(), "waitlist-site-logs-"));
let site: RunningSite | undefined;

afterAll(async () => {
  await site?.stop();
  rmSync(folder, { recursive: true });
  rmSync(logs, { recursive: true });
});

function owner(args: string[], input = "") {
  const all = [...args, "--persist-to", join(folder, "state")];
  return runScript("owner", all, { input, env: { WRANGLER_LOG_PATH: logs } });
}

async function signUp({ url }: RunningSite, email: string): Promise<number> {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(`${url}/api/signup`, { method: "POST", headers, body: JSON.stringify({ email }) })).status;
}

test("while the site runs, erase leaves no row, key or log line with the address", async () => {
  const resend = await startFakeResend();
  onTestFinished(resend.stop);
  // Emails go to a fake Resend, because the local email binding prints recipients.
  site = await startSite({ folder, vars: { RESEND_API_KEY: "re_local", RESEND_URL: resend.url } });
  expect(await signUp(site, address)).toBe(201);
  await site.sweep();
  expect(resend.accepted()).toMatchObject([{ to: address }]);
  expect((await owner(["find", "-"], address)).out).toContain(address);

  const unconfirmed = await owner(["erase", "-"], address);
  expect(unconfirmed.code).toBe(1);
  expect(unconfirmed.err).toContain("Run it again with --yes.");
  expect(await site.rows("waitlist_emails")).toHaveLength(1);

  const erased = await owner(["erase", "-", "--yes"], address);
  expect(erased).toMatchObject({ code: 0, err: "" });
  expect(erased.out).toMatch(/^Erased entry 1\./);

  using database = await openWaitlistFile(join(folder, "state"));
  expect(dumpDatabase(database)).not.toContain(address);
  expect(await site.rows("email_outbox")).toEqual([]);
  const kv = readdirSync(join(folder, "state", "v3", "kv"), { recursive: true, encoding: "utf8" });
  const blobs = kv
    .filter((name) => name.includes("blobs/"))
    .map((name) => readFileSync(join(folder, "state", "v3", "kv", name), "utf8"));
  const logFiles = readdirSync(logs).map((name) => readFileSync(join(logs, name), "utf8"));
  const output = [site.output(), unconfirmed.out, unconfirmed.err, erased.out, ...kv, ...blobs, ...logFiles];
  expect(output.filter((text) => text.includes(address))).toEqual([]);

  // The site continues with the changed database, and ids are not reused.
  expect(await signUp(site, "another.visitor@example.com")).toBe(201);
  expect(await site.rows("waitlist_emails")).toMatchObject([{ id: 2, email: "another.visitor@example.com" }]);
});
