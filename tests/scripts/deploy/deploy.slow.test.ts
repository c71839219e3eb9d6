import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { signIn } from "#scripts/lib/cloudflare.ts";
import { nodeFlags } from "#scripts/lib/node-flags.mjs";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";
import { deploySettings } from "#tests/support/deploy-settings.ts";
import { runScript } from "#tests/support/run-script.ts";
import { dumpDatabase } from "#tests/support/waitlist-file.ts";

// Every run starts Wrangler several times.
vi.setConfig({ testTimeout: 300_000 });

const clone = cleanClone();
const settingsFile = join(clone.folder, "deploy.env");
const migrations = join(clone.folder, "migrations");
const logs = mkdtempSync(join(tmpdir(), "waitlist-site-logs-"));
let cloudflare: Awaited<ReturnType<typeof startFakeCloudflare>>;

beforeAll(async () => {
  writeFileSync(settingsFile, deploySettings);
  cloudflare = await startFakeCloudflare();
});
beforeEach(() => {
  cloudflare.changes.length = 0;
});
afterAll(async () => {
  await cloudflare.stop();
  clone.remove();
  rmSync(logs, { recursive: true, maxRetries: 3 });
});

/** The output of all runs. */
const printed: string[] = [];

async function deploy(...flags: string[]) {
  // Not in CI, where no secret would be saved.
  const env = { ...cloudflare.env, WRANGLER_LOG_PATH: logs, CI: "" };
  const args = ["--check-at", cloudflare.url, "--patience", "0", ...flags];
  const run = await runScript("deploy", args, { folder: clone.folder, env });
  printed.push(run.out, run.err);
  return run;
}

function saved(): NodeJS.Dict<string> {
  return parseEnv(readFileSync(settingsFile, "utf8"));
}

function deployedSecret(name = "LINK_SECRET"): string | undefined {
  return cloudflare.worker()?.bindings.find((binding) => binding.name === name)?.text;
}

/** The names of the migrations whose checksums the database has. */
function recordedMigrations(): unknown[] {
  const { sqlite } = cloudflare.database("waitlist-site");
  return sqlite
    .prepare("SELECT name FROM migration_checksums ORDER BY name")
    .all()
    .map(({ name }) => name);
}

test("an interrupted run reports the failed step; the next run completes it and repeats nothing", async () => {
  cloudflare.failOn(/^POST \/d1\/database\/[^/]+\/query/);
  const cut = await deploy("--jurisdiction", "eu");
  expect(cut.code).toBe(1);
  expect(cut.err).toContain("Applying the migrations failed.");
  expect(cut.err).toContain("internal server error");
  expect(cut.err).toContain("run the command again");
  expect(cut.err).not.toMatch(/^\s+at /m);
  expect(cut.out).toContain("D1 database waitlist-site: created");
  const { LINK_SECRET: secret, HASH_KEY: key } = saved();
  for (const value of [secret, key]) expect(value).toMatch(/^[\w-]{43}$/);
  expect(secret).not.toBe(key);

  cloudflare.failOn(/^PUT \/workers\/scripts\/waitlist-site$/);
  const late = await deploy();
  expect(late).toMatchObject({ code: 1, err: expect.stringContaining("Deploying the Worker failed.") });
  expect(cloudflare.changes.filter((call) => /namespaces|d1\/database$/.test(call))).toEqual([
    "POST /d1/database",
    "POST /storage/kv/namespaces",
  ]);

  cloudflare.failOn(null);
  cloudflare.changes.length = 0;
  const next = await deploy();
  expect(next).toMatchObject({ code: 0, err: expect.stringMatching(/^(\n|Warning: .*\n)*$/) });
  expect(next.out).toContain("https://market.test is live.");
  expect(cloudflare.changes).not.toContain("POST /d1/database");
  expect(cloudflare.changes).not.toContain("POST /storage/kv/namespaces");
  for (const [name, value] of [
    ["LINK_SECRET", secret],
    ["HASH_KEY", key],
  ] as const) {
    expect(cut.out).toContain(`${name}: generated and saved in deploy.env`);
    expect(next.out).toContain(`${name}: already set`);
    expect(saved()[name]).toBe(value);
    expect(deployedSecret(name)).toBe(value);
  }
});

test("the deployed Worker has the owner's variables, secrets, stores, domain, cron trigger and tables", () => {
  const { bindings = [], domains, crons } = cloudflare.worker() ?? {};
  const byName = new Map(bindings.map((binding) => [binding.name, binding]));
  expect(byName.get("SITE_URL")).toMatchObject({ type: "plain_text", text: "https://market.test" });
  expect(byName.get("CONTROLLER_ADDRESS")).toMatchObject({ text: "1 Market Square, Town" });
  expect(byName.get("RESEND_API_KEY")).toMatchObject({ type: "secret_text", text: "re_for_this_test" });
  for (const name of ["LINK_SECRET", "HASH_KEY"]) expect(byName.get(name)?.type).toBe("secret_text");
  expect(byName.get("DB")?.id).toMatch(/^[\da-f-]{36}$/);
  expect(cloudflare.database("waitlist-site").jurisdiction).toBe("eu");
  expect(byName.get("CACHE")?.namespace_id).toMatch(/^[\da-f]{32}$/);
  expect({ domains, crons }).toEqual({ domains: ["market.test"], crons: ["* * * * *", "*/2 * * * *"] });
  expect(cloudflare.queues).toEqual([]);
  const tables = cloudflare
    .database("waitlist-site")
    .sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all();
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["waitlist_emails", "email_outbox"]));
  expect(recordedMigrations()).toEqual(readdirSync(migrations).filter((name) => name.endsWith(".sql")));
  expect(cloudflare.unknown).toEqual([]);
});

test("a run from another machine without the secrets creates nothing and leaves the secrets unchanged", async () => {
  const [secret, key] = [deployedSecret(), deployedSecret("HASH_KEY")];
  const complete = readFileSync(settingsFile, "utf8");
  writeFileSync(settingsFile, complete.replace(/^(LINK_SECRET|HASH_KEY)=.*$/gm, ""));
  const { code, out } = await deploy();
  expect(code).toBe(0);
  for (const name of ["LINK_SECRET", "HASH_KEY"]) {
    expect(out).toContain(`${name}: already set`);
    expect(saved()[name]).toBeUndefined();
  }
  expect([deployedSecret(), deployedSecret("HASH_KEY")]).toEqual([secret, key]);
  expect(cloudflare.changes.filter((call) => /d1|namespaces/.test(call))).toEqual([]);
  writeFileSync(settingsFile, complete);
});

test("a rotation saves the previous secret, so that its links still work, and leaves HASH_KEY unchanged", async () => {
  const [before, key] = [deployedSecret(), deployedSecret("HASH_KEY")];
  const { code } = await deploy("--rotate-link-secret");
  expect(code).toBe(0);
  expect([deployedSecret("HASH_KEY"), saved()["HASH_KEY"]]).toEqual([key, key]);
  expect(deployedSecret("LINK_SECRET_PREVIOUS")).toBe(before);
  expect(deployedSecret()).not.toBe(before);
  expect(saved()).toMatchObject({ LINK_SECRET: deployedSecret(), LINK_SECRET_PREVIOUS: before });
  const logged = cloudflare.database("waitlist-site").sqlite.prepare("SELECT actor, action FROM owner_log").all();
  expect(logged.map((row) => ({ ...row }))).toEqual([{ actor: "command line", action: "replace-link-secret" }]);
});

test("a revocation leaves no leaked secret at Cloudflare or in deploy.env, also after the next deployment", async () => {
  const leaked = [deployedSecret(), deployedSecret("LINK_SECRET_PREVIOUS")];
  const key = deployedSecret("HASH_KEY");
  const { code, out } = await deploy("--revoke-link-secret");
  expect(code).toBe(0);
  expect(out).toContain("LINK_SECRET: revoked");
  const revoked = saved()["LINK_SECRET"];
  expect(revoked).toMatch(/^[\w-]{43}$/);
  expect(leaked).not.toContain(revoked);
  expect((await deploy()).code).toBe(0);
  expect([deployedSecret(), deployedSecret("LINK_SECRET_PREVIOUS")]).toEqual([revoked, revoked]);
  const stored = JSON.stringify(cloudflare.worker()) + readFileSync(settingsFile, "utf8");
  for (const secret of leaked) expect(stored).not.toContain(secret);
  expect([deployedSecret("HASH_KEY"), saved()["HASH_KEY"]]).toEqual([key, key]);
  const logged = cloudflare.database("waitlist-site").sqlite.prepare("SELECT action FROM owner_log").all();
  expect(logged.map(({ action }) => action)).toEqual(["replace-link-secret", "replace-link-secret"]);
});

test("a revocation works where deploy.env has no secrets, which stay at Cloudflare", async () => {
  const complete = readFileSync(settingsFile, "utf8");
  const [leaked, key] = [deployedSecret(), deployedSecret("HASH_KEY")];
  writeFileSync(settingsFile, complete.replace(/^(LINK_SECRET|LINK_SECRET_PREVIOUS|HASH_KEY)=.*\n/gm, ""));
  expect((await deploy("--revoke-link-secret")).code).toBe(0);
  expect(JSON.stringify(cloudflare.worker())).not.toContain(leaked);
  expect(deployedSecret("HASH_KEY")).toBe(key);
  writeFileSync(settingsFile, `${readFileSync(settingsFile, "utf8")}HASH_KEY=${key}\n`);
});

test("a deployment and the owner's commands make deploy.env private", async () => {
  const mode = () => statSync(settingsFile).mode & 0o777;
  const made = "Other users of this machine had access to deploy.env. Now only you have.";
  chmodSync(settingsFile, 0o644);
  const { code, err } = await deploy();
  expect([code, mode()]).toEqual([0, 0o600]);
  expect(err).toContain(made);
  chmodSync(settingsFile, 0o644);
  const owner = await runScript("owner", ["sign-in", "--remote"], { folder: clone.folder, env: cloudflare.env });
  expect(mode()).toBe(0o600);
  expect(owner.err).toContain(made);
});

test("an upload that is interrupted leaves no secrets behind", async () => {
  const folder = join(clone.folder, "build", "server");
  const secrets = join(folder, "secrets.json");
  const report = join(folder, "deployed.ndjson");
  rmSync(report);
  const child = spawn(process.execPath, [...nodeFlags, "scripts/deploy.ts", "--check-at", cloudflare.url], {
    cwd: clone.folder,
    env: { ...process.env, ...cloudflare.env, WRANGLER_LOG_PATH: logs, CI: "" },
    stdio: "ignore",
  });
  const closed = once(child, "close");
  await expect.poll(() => existsSync(report), { timeout: 120_000 }).toBe(true);
  child.kill("SIGKILL");
  expect(await closed).toEqual([null, "SIGKILL"]);
  expect(existsSync(secrets)).toBe(false);
  // Wrangler ends with the process that started it.
  const before = readFileSync(report, "utf8");
  await sleep(1_000);
  expect(readFileSync(report, "utf8")).toBe(before);
});

test("an edited migration that was applied is refused before anything changes", async () => {
  const edited = join(migrations, "0000_schema.sql");
  const original = readFileSync(edited, "utf8");
  const { sqlite } = cloudflare.database("waitlist-site");
  const before = [dumpDatabase(sqlite), readFileSync(settingsFile, "utf8"), cloudflare.worker()?.version];
  appendFileSync(edited, "CREATE TABLE forgotten (id INTEGER);\n");
  const { code, err } = await deploy("--rotate-link-secret");
  writeFileSync(edited, original);
  expect(code).toBe(1);
  expect(err).toContain("  0000_schema.sql");
  expect(err).toContain("Nothing was changed.");
  expect(err).not.toMatch(/^\s+at /m);
  expect(cloudflare.changes).toEqual([]);
  expect([dumpDatabase(sqlite), readFileSync(settingsFile, "utf8"), cloudflare.worker()?.version]).toEqual(before);
});

test("a new migration is applied and recorded", async () => {
  const added = join(migrations, "0999_more.sql");
  writeFileSync(added, "CREATE TABLE more (id INTEGER);\n");
  const { code } = await deploy();
  rmSync(added);
  expect(code).toBe(0);
  expect(recordedMigrations().at(-1)).toBe("0999_more.sql");
  expect(cloudflare.database("waitlist-site").sqlite.prepare("SELECT * FROM more").all()).toEqual([]);
});

test("secrets appear in no output and no log, and only the owner can read their file", () => {
  const { LINK_SECRET = "", LINK_SECRET_PREVIOUS = "", HASH_KEY = "" } = saved();
  const secrets = [LINK_SECRET, LINK_SECRET_PREVIOUS, HASH_KEY, "re_for_this_test"];
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(10);
  const written = readdirSync(logs).map((name) => readFileSync(join(logs, name), "utf8"));
  expect(written.length).toBeGreaterThan(0);
  for (const secret of secrets) expect([...printed, ...written].filter((text) => text.includes(secret))).toEqual([]);
  expect(statSync(settingsFile).mode & 0o777).toBe(0o600);
});

test("a rejected sign-in says what to do", async () => {
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.url);
  const client = await signIn({ ...cloudflare.env, CLOUDFLARE_API_TOKEN: "another-token" });
  const looking = client.get("Looking for the D1 database", "/d1/database/waitlist-site");
  await expect(looking).rejects.toThrow(/Authentication error[\s\S]*npx wrangler login/);
});
