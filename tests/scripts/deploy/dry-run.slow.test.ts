import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { deploySettings } from "#tests/support/deploy-settings.ts";
import { runScript } from "#tests/support/run-script.ts";

// A dry run builds the site and starts Wrangler.
vi.setConfig({ testTimeout: 120_000 });

const clone = cleanClone();
const settingsFile = join(clone.folder, "deploy.env");

afterAll(() => clone.remove());

test("on a clean clone it lists the missing settings and how to start", async () => {
  const { code, err } = await runScript("deploy", ["--dry-run"], { folder: clone.folder, env: { CI: "" } });
  expect(code).toBe(1);
  for (const name of ["SITE_URL", "CONTACT_EMAIL", "CONTROLLER_NAME", "CONTROLLER_ADDRESS"]) {
    expect(err).toContain(`  ${name} is not set. It is `);
  }
  expect(err).toContain("cp deploy.env.example deploy.env");
  expect(existsSync(join(clone.folder, "build"))).toBe(false);
  const inCi = await runScript("deploy", ["--dry-run"], { folder: clone.folder, env: { CI: "true" } });
  expect(inCi.err).toContain("Correct them in wrangler.toml under [vars]");
});

test("it refuses a migration that breaks a trigger, before it builds", async () => {
  writeFileSync(settingsFile, deploySettings);
  const migration = join(clone.folder, "migrations", "0900_drop.sql");
  writeFileSync(migration, "DROP TABLE `webhook_deliveries`;");
  const { code, err } = await runScript("deploy", ["--dry-run"], { folder: clone.folder, env: { CI: "" } });
  rmSync(migration);
  expect(code).toBe(1);
  expect(err).toContain("every write to waitlist_emails would fail");
  expect(existsSync(join(clone.folder, "build"))).toBe(false);
});

test("a dry run builds, prints the names of the settings and the size, needs no account and changes nothing", async () => {
  writeFileSync(settingsFile, `${deploySettings}OWNER_EMAIL=ada@market.test\n`);
  const before = readFileSync(settingsFile, "utf8");
  const product = join(clone.folder, "app", "site.ts");
  writeFileSync(product, readFileSync(product, "utf8").replace(/(launchDate.*) = ".*"/, '$1 = "2020-01-31"'));
  const { code, out, err } = await runScript("deploy", ["--dry-run"], { folder: clone.folder, env: { CI: "" } });
  expect(code).toBe(0);
  expect(err).toMatch(/^Warning: OWNER_EMAIL is set, but no email can be sent without MAIL_FROM/m);
  expect(out).toMatch(/^Set: .*OWNER_EMAIL, .*SITE_URL, .*RESEND_API_KEY$/m);
  expect(out).toMatch(/^Not set: .*SURVEY_URL/m);
  expect(out).not.toMatch(/ada@|re_for_this_test/);
  expect(err).toContain("Warning: The launch date, 31 January 2020, has passed");
  expect(out).toMatch(/Size of the Worker: .*gzip: \d+\.\d+ KiB/);
  expect(out).toContain("Dry run: nothing was changed.");
  expect(readFileSync(settingsFile, "utf8")).toBe(before);
});

test("it shows the rate limits' own namespaces, and the queue of email events only where Cloudflare sends the email", async () => {
  const dryRun = async (settings: string, name: string) => {
    writeFileSync(settingsFile, settings);
    const env = { CI: "", WRANGLER_CI_OVERRIDE_NAME: name };
    const { out } = await runScript("deploy", ["--dry-run"], { folder: clone.folder, env });
    const config = JSON.parse(readFileSync(join(clone.folder, "build", "server", "wrangler.deploy.json"), "utf8"));
    const ids: string[] = config.ratelimits.map((limit: { namespace_id: string }) => limit.namespace_id);
    expect(out).toContain(`Rate limits: namespaces ${ids.join(", ")}\n`);
    return { out, ids, consumers: config.queues?.consumers ?? [] };
  };
  const sender = "MAIL_FROM=hello@market.test\n";
  const resend = await dryRun(`${deploySettings}${sender}`, "market");
  expect(resend.out).not.toMatch(/queue/i);
  expect(resend.consumers).toEqual([]);
  const cloudflare = await dryRun(`${deploySettings.replace(/^RESEND.*\n/m, "")}${sender}`, "market-two");
  expect(cloudflare.out).toContain("Email events: queue market-two-email-events, subscribed to market.test");
  expect(cloudflare.consumers).toEqual([{ queue: "market-two-email-events", max_retries: 20 }]);
  expect(new Set([...resend.ids, ...cloudflare.ids]).size).toBe(16);
});
