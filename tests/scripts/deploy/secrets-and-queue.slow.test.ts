import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Deployment, deploySettings, startDeployment } from "#tests/support/cloudflare/deployment.ts";
import { startScript } from "#tests/support/running-script.ts";

// Every run builds, and starts Wrangler several times.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let site: Deployment;
afterEach(() => {
  site.cloudflare.failOn(null);
});

/** Starts a deployment for the tests of a block. */
function deployment(settings?: string, prepare = async () => {}) {
  beforeAll(async () => {
    site = await startDeployment(settings);
    await prepare();
  });
  afterAll(() => site.stop());
}

describe("the secret of links", () => {
  deployment(deploySettings);
  const deploy = async (...flags: string[]) => expect(await site.deploy(flags)).toMatchObject({ code: 0 });
  const current = () => [site.secret("LINK_SECRET"), site.secret("LINK_SECRET_PREVIOUS")];

  test("is rotated: the previous one is kept, so that its links still work, and HASH_KEY stays as it is", async () => {
    await deploy();
    const [before, key] = [site.secret("LINK_SECRET"), site.secret("HASH_KEY")];
    await deploy("--rotate-link-secret");
    const [secret, previous] = current();
    expect(previous).toBe(before);
    expect(secret).not.toBe(before);
    expect(site.saved()).toMatchObject({ LINK_SECRET: secret, LINK_SECRET_PREVIOUS: before, HASH_KEY: key });
    expect(site.secret("HASH_KEY")).toBe(key);
    const logged = site.cloudflare.database("waitlist-site").sqlite.prepare("SELECT actor, action FROM owner_log");
    expect(logged.all()).toMatchObject([{ actor: "command line", action: "replace-link-secret" }]);
  });

  test("is revoked: no leaked one is left at Cloudflare or in deploy.env, also after the next deployment", async () => {
    const [leaked, key] = [current(), site.secret("HASH_KEY")];
    await deploy("--revoke-link-secret");
    const { LINK_SECRET: revoked = "" } = site.saved();
    expect(leaked).not.toContain(revoked);
    await deploy();
    expect(current()).toEqual([revoked, revoked]);
    const stored = JSON.stringify(site.cloudflare.worker()) + readFileSync(site.settingsFile, "utf8");
    for (const secret of leaked) expect(stored).not.toContain(secret);
    expect([site.secret("HASH_KEY"), site.saved()["HASH_KEY"]]).toEqual([key, key]);
  });

  test("is in no file after an upload that is interrupted", async () => {
    const report = join(site.folder, "build", "server", "deployed.ndjson");
    rmSync(report);
    const run = startScript("deploy", ["--check-at", site.cloudflare.url], site.folder, site.env);
    await expect.poll(() => existsSync(report), { timeout: 120_000 }).toBe(true);
    expect(await run.end("SIGKILL")).toBeNull();
    expect(existsSync(join(site.folder, "build", "server", "secrets.json"))).toBe(false);
    // Wrangler ends with the process that started it.
    const before = readFileSync(report, "utf8");
    await sleep(1_000);
    expect(readFileSync(report, "utf8")).toBe(before);
  });
});

describe("the queue of email events", () => {
  deployment(`${deploySettings.replace(/^RESEND_API_KEY=.*\n/m, "")}MAIL_FROM=hello@market.test\n`);

  test("may fail to be created: the site is deployed without it", async () => {
    site.cloudflare.failOn(/^POST \/queues$/);
    const { code, out, err } = await site.deploy();
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("https://market.test is live.") });
    expect(err).toMatch(/Warning: Bounces and complaints will not be recorded\.\nCreating the queue \S+ failed\./);
  });

  test("is consumed by the Worker after the next run, and left as it is by the one after that", async () => {
    expect((await site.deploy()).out).toContain("for email events of market.test: subscribed");
    const { queues, subscriptions } = site.cloudflare;
    expect(queues).toMatchObject([
      {
        queue_name: "waitlist-site-email-events",
        consumers: [{ type: "worker", script: "waitlist-site", settings: { max_retries: 20 } }],
      },
    ]);
    expect(subscriptions).toMatchObject([
      { source: { domain: "market.test" }, destination: { queue_id: queues[0]?.queue_id } },
    ]);
    const before = structuredClone([queues, subscriptions]);
    expect((await site.deploy()).out).toContain("for email events of market.test: already subscribed");
    expect([queues, subscriptions]).toEqual(before);
    expect(site.cloudflare.unknown).toEqual([]);
  });

  test("is not shared with another site in the account; nor are the rate limits", async () => {
    const namespaces = () => site.cloudflare.worker()?.bindings.flatMap(({ namespace_id: id = "" }) => id) ?? [];
    const first = namespaces();
    const other = { WRANGLER_CI_OVERRIDE_NAME: "market-two", RESEND_API_KEY: "re_for_this_test" };
    const { code, out } = await site.deploy([], other);
    expect(code).toBe(0);
    expect(out).not.toMatch(/queue|email events/i);
    expect(first.filter((id) => /^\d+$/.test(id))).toHaveLength(8);
    expect(first.filter((id) => id !== "" && namespaces().includes(id))).toEqual([]);
  });
});

describe("Workers Builds, after Deploy to Cloudflare has filled in wrangler.toml and created the stores", () => {
  deployment(undefined, async () => {
    const { url, env } = site.cloudflare;
    const init = {
      method: "POST",
      headers: { Authorization: "Bearer a-token" },
      body: '{ "name": "market-waitlist" }',
    };
    await fetch(`${url}/accounts/${env.CLOUDFLARE_ACCOUNT_ID}/d1/database`, init);
    const { uuid } = site.cloudflare.database("market-waitlist");
    const file = join(site.folder, "wrangler.toml");
    const filledIn = readFileSync(file, "utf8")
      .replace('SITE_URL = ""', 'SITE_URL = "https://market.test"')
      .replace('CONTACT_EMAIL = ""', 'CONTACT_EMAIL = "hello@market.test"')
      .replace('CONTROLLER_NAME = ""', 'CONTROLLER_NAME = "Ada Maker"')
      .replace('CONTROLLER_ADDRESS = ""', 'CONTROLLER_ADDRESS = "1 Market Square, Town"')
      .replace(/^database_name = .*$/m, `database_name = "market-waitlist"\ndatabase_id = "${uuid}"`)
      .replace('binding = "CACHE"', `binding = "CACHE"\nid = "0123456789abcdef0123456789abcdef"`);
    writeFileSync(file, filledIn);
  });
  const names = ["LINK_SECRET", "HASH_KEY"];

  test("puts the site online: its secrets are generated once, stored only at Cloudflare, printed nowhere", async () => {
    const env = { CI: "true", WORKERS_CI: "1", WRANGLER_CI_OVERRIDE_NAME: "market", HOME: site.home };
    const first = await site.deploy([], env);
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining("https://market.test is live.") });
    expect(site.cloudflare.changes.filter((call) => /d1\/database$|namespaces$/.test(call))).toEqual([]);
    expect(site.cloudflare.changes.filter((call) => /scripts\/(?!market\/|market$)/.test(call))).toEqual([]);
    const { sqlite } = site.cloudflare.database("market-waitlist");
    expect(sqlite.prepare("SELECT count(*) AS count FROM waitlist_emails").get()).toEqual({ count: 0 });
    const secrets = names.map(site.secret);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    const again = await site.deploy([], env);
    expect(again.code).toBe(0);
    expect(names.map(site.secret)).toEqual(secrets);
    expect(existsSync(site.settingsFile)).toBe(false);
    for (const secret of secrets) expect(first.out + again.out).not.toContain(secret);
    expect(site.cloudflare.unknown).toEqual([]);
  });
});
