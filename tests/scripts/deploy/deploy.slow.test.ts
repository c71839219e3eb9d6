import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Deployment, deploySettings, startDeployment } from "#tests/support/cloudflare/deployment.ts";
import { edit } from "#tests/support/fork/edit.ts";
import { dumpDatabase } from "#tests/support/waitlist-file.ts";

// Every run builds, and starts Wrangler several times.
vi.setConfig({ testTimeout: 300_000 });

let site: Deployment;
/** The output of all runs. */
const printed: string[] = [];

beforeAll(async () => {
  site = await startDeployment();
});
afterAll(() => site.stop());

async function deploy(...flags: string[]) {
  const run = await site.deploy(flags);
  printed.push(run.out, run.err);
  return run;
}

test("a dry run of a clean clone lists the missing settings and how to start", async () => {
  const { code, err } = await deploy("--dry-run");
  expect(code).toBe(1);
  for (const name of ["SITE_URL", "CONTACT_EMAIL", "CONTROLLER_NAME", "CONTROLLER_ADDRESS"]) {
    expect(err).toContain(`  ${name} is not set. It is `);
  }
  expect(err).toContain("cp deploy.env.example deploy.env");
  const inBuild = await site.deploy(["--dry-run"], { CI: "true" });
  expect(inBuild.err).toContain("Correct them in wrangler.toml under [vars]");
});

test("a migration that breaks a trigger is refused before anything is built", async () => {
  writeFileSync(site.settingsFile, deploySettings);
  const migration = join(site.folder, "migrations", "0900_drop.sql");
  writeFileSync(migration, "DROP TABLE `webhook_endpoints`;");
  const { code, err } = await deploy();
  rmSync(migration);
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("waitlist_emails would fail") });
  expect(existsSync(join(site.folder, "build"))).toBe(false);
});

test("a dry run builds, prints names of settings, the size, rate limits and queue, and changes nothing", async () => {
  const settings = `${deploySettings.replace(/^RESEND.*\n/m, "")}MAIL_FROM=hello@market.test\nOWNER_EMAIL=ada@market.test\n`;
  writeFileSync(site.settingsFile, settings);
  edit(join(site.folder, "app", "site.ts"), (text) => text.replace(/(launchDate.*) = ".*"/, '$1 = "2020-01-31"'));
  const { code, out, err } = await site.deploy(["--dry-run"], { CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_ACCOUNT_ID: "" });
  expect(code).toBe(0);
  expect(out).toMatch(/^Set: .*MAIL_FROM, .*SITE_URL.*\nNot set: .*SURVEY_URL/m);
  expect(out).not.toContain("ada@");
  expect(err).toMatch(/Warning: The launch date, 31 January 2020, has passed.*LAUNCH_URL.*Settings/);
  expect(out).toMatch(/Size of the Worker: .*gzip: \d+\.\d+ KiB/);
  expect(out).toMatch(/Rate limits: namespaces (\d+(, |\n)){8}/);
  expect(out).toContain("Email events: queue waitlist-site-email-events, subscribed to market.test");
  expect(out).toContain("Dry run: nothing was changed.");
  expect(readFileSync(site.settingsFile, "utf8")).toBe(settings);
  expect([site.cloudflare.changes, site.cloudflare.unknown]).toEqual([[], []]);
});

test("an interrupted run reports the failed step; the next run completes it and repeats nothing", async () => {
  writeFileSync(site.settingsFile, deploySettings);
  chmodSync(site.settingsFile, 0o644);
  site.cloudflare.failOn(/^PUT \/workers\/scripts\/waitlist-site$/);
  const cut = await deploy("--jurisdiction", "eu");
  expect(cut).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Deploying the Worker failed\.[\s\S]*server error/),
  });
  expect(cut.err).toContain("run the command again");
  expect(cut.err).not.toMatch(/^\s+at /m);
  expect(cut.err).toContain("Other users of this machine had access to deploy.env.");
  expect(cut.out).toContain("D1 database waitlist-site: created");
  const { LINK_SECRET, HASH_KEY } = site.saved();
  expect([LINK_SECRET, HASH_KEY].join(" ")).toMatch(/^[\w-]{43} [\w-]{43}$/);
  expect(LINK_SECRET).not.toBe(HASH_KEY);

  site.cloudflare.failOn(null);
  const next = await deploy();
  expect(next).toMatchObject({ code: 0, err: expect.stringMatching(/^(\n|Warning: .*\n)*$/) });
  expect(next.out).toContain("https://market.test is live.");
  expect(site.cloudflare.changes.filter((call) => /d1\/database$|namespaces/.test(call))).toEqual([]);
  for (const [name, value] of Object.entries({ LINK_SECRET, HASH_KEY })) {
    expect(cut.out).toContain(`${name}: generated and saved in deploy.env`);
    expect(next.out).toContain(`${name}: already set`);
    expect([site.saved()[name], site.secret(name)]).toEqual([value, value]);
  }
});

test("the deployed Worker has the owner's variables, secrets, stores, domain, cron triggers and tables", () => {
  const { bindings = [], domains, crons } = site.cloudflare.worker() ?? {};
  const byName = Object.fromEntries(bindings.map((binding) => [binding.name, binding]));
  expect(byName).toMatchObject({
    SITE_URL: { type: "plain_text", text: "https://market.test" },
    CONTROLLER_ADDRESS: { type: "plain_text", text: "1 Market Square, Town" },
    RESEND_API_KEY: { type: "secret_text", text: "re_for_this_test" },
    LINK_SECRET: { type: "secret_text" },
    HASH_KEY: { type: "secret_text" },
    CACHE: { namespace_id: expect.stringMatching(/^[\da-f]{32}$/) },
  });
  const { uuid, sqlite, jurisdiction } = site.cloudflare.database("waitlist-site");
  expect([byName["DB"]?.id, jurisdiction]).toEqual([uuid, "eu"]);
  expect({ domains, crons }).toEqual({ domains: ["market.test"], crons: ["* * * * *", "*/2 * * * *"] });
  expect(sqlite.prepare("SELECT count(*) AS people FROM waitlist_emails").get()).toEqual({ people: 0 });
  const recorded = sqlite.prepare("SELECT name FROM migration_checksums ORDER BY name").all();
  const files = readdirSync(join(site.folder, "migrations")).filter((name) => name.endsWith(".sql"));
  expect(recorded.map(({ name }) => name)).toEqual(files);
  expect([site.cloudflare.queues, site.cloudflare.unknown]).toEqual([[], []]);
});

test("another run from a machine without the secrets creates nothing and leaves the secrets unchanged", async () => {
  const complete = readFileSync(site.settingsFile, "utf8");
  const before = [site.secret("LINK_SECRET"), site.secret("HASH_KEY")];
  writeFileSync(site.settingsFile, complete.replace(/^(LINK_SECRET|HASH_KEY)=.*$/gm, ""));
  const { code, out } = await deploy();
  expect(code).toBe(0);
  for (const name of ["LINK_SECRET", "HASH_KEY"]) {
    expect(out).toContain(`${name}: already set`);
    expect(site.saved()[name]).toBeUndefined();
  }
  expect([site.secret("LINK_SECRET"), site.secret("HASH_KEY")]).toEqual(before);
  expect(site.cloudflare.changes.filter((call) => /d1|namespaces/.test(call))).toEqual([]);
  writeFileSync(site.settingsFile, complete);
});

test("an edited migration that was applied is refused before anything changes", async () => {
  const { sqlite } = site.cloudflare.database("waitlist-site");
  const state = () => [dumpDatabase(sqlite), site.saved(), site.cloudflare.worker()?.version];
  const before = state();
  appendFileSync(join(site.folder, "migrations", "0000_schema.sql"), "CREATE TABLE forgotten (id INTEGER);\n");
  const { code, err } = await deploy("--rotate-link-secret");
  expect(code).toBe(1);
  expect(err).toContain("  0000_schema.sql");
  expect(err).toContain("Nothing was changed.");
  expect(site.cloudflare.changes).toEqual([]);
  expect(state()).toEqual(before);
});

test("secrets appear in no output and no log, and only the owner can read their file", () => {
  const { LINK_SECRET = "", HASH_KEY = "" } = site.saved();
  const logs = readdirSync(site.home).map((name) => readFileSync(join(site.home, name), "utf8"));
  expect(logs.length).toBeGreaterThan(0);
  const written = [...printed, ...logs].join("\n");
  for (const secret of [LINK_SECRET, HASH_KEY, "re_for_this_test"]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(written).not.toContain(secret);
  }
  expect(statSync(site.settingsFile).mode & 0o777).toBe(0o600);
});
