import {
  appendFileSync,
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
import { parseEnv } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { inspectAccount } from "#scripts/deploy/account.ts";
import { signIn } from "#scripts/lib/cloudflare.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";
import { runScript } from "#tests/support/run-script.ts";

// Every run starts Wrangler several times.
vi.setConfig({ testTimeout: 180_000 });

const clone = cleanClone();
const settingsFile = join(clone.folder, "deploy.env");
const logs = mkdtempSync(join(tmpdir(), "stallwright-logs-"));
let cloudflare: Awaited<ReturnType<typeof startFakeCloudflare>>;

beforeAll(async () => {
  cloudflare = await startFakeCloudflare();
});
beforeEach(() => {
  cloudflare.changes.length = 0;
});
afterAll(async () => {
  await cloudflare.stop();
  clone.remove();
  rmSync(logs, { recursive: true });
});

/** The output of all runs. */
const printed: string[] = [];

async function deploy(...flags: string[]) {
  const env = { ...cloudflare.env, WRANGLER_LOG_PATH: logs };
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

test("on a clean clone it lists the missing settings and how to start", async () => {
  const { code, err } = await runScript("deploy", ["--dry-run"], { folder: clone.folder });
  expect(code).toBe(1);
  for (const name of ["SITE_URL", "CONTACT_EMAIL", "CONTROLLER_NAME", "CONTROLLER_ADDRESS"]) {
    expect(err).toContain(`  ${name} is not set. It is `);
  }
  expect(err).toContain("cp deploy.env.example deploy.env");
  expect(existsSync(join(clone.folder, "build"))).toBe(false);
});

test("a dry run builds, prints size and plan, needs no account and changes nothing", async () => {
  writeFileSync(
    settingsFile,
    `SITE_URL=https://market.test
CONTACT_EMAIL=hello@market.test
CONTROLLER_NAME="Ada Maker"
CONTROLLER_ADDRESS="1 Market Square, Town"
RESEND_API_KEY=re_for_this_test
`,
  );
  const before = readFileSync(settingsFile, "utf8");
  const { code, out } = await runScript("deploy", ["--dry-run"], { folder: clone.folder });
  expect(code).toBe(0);
  expect(out).toMatch(/1\. D1 database stallwright: .*\n.*KV namespace stallwright-cache: /);
  expect(out).toContain("0000_waitlist_and_outbox.sql");
  expect(out).toContain("Check https://market.test/healthcheck");
  expect(out).toMatch(/SURVEY_URL +the survey page says that it opens soon/);
  expect(out).toMatch(/Size of the Worker: .*gzip: \d+\.\d+ KiB/);
  expect(readFileSync(settingsFile, "utf8")).toBe(before);
});

test("an interrupted run reports the failed step; the next run completes it and repeats nothing", async () => {
  cloudflare.failOn(/^POST \/d1\/database\/[^/]+\/query/);
  const cut = await deploy("--jurisdiction", "eu");
  expect(cut.code).toBe(1);
  expect(cut.err).toContain("Applying the migrations failed.");
  expect(cut.err).toContain("internal server error");
  expect(cut.err).toContain("run the command again");
  expect(cut.err).not.toMatch(/^\s+at /m);
  expect(cut.out).toContain("D1 database stallwright: created");
  const secret = saved()["LINK_SECRET"];
  expect(secret).toMatch(/^[\w-]{43}$/);

  cloudflare.failOn(null);
  cloudflare.changes.length = 0;
  const next = await deploy();
  expect(next).toMatchObject({ code: 0, err: "" });
  expect(next.out).toContain("https://market.test is live.");
  expect(cloudflare.changes).not.toContain("POST /d1/database");
  expect(cloudflare.changes).not.toContain("POST /storage/kv/namespaces");
  expect(deployedSecret()).toBe(secret);
});

test("the deployed Worker has the owner's variables, secrets, stores, domain, cron trigger and tables", () => {
  const { bindings = [], domains, crons } = cloudflare.worker() ?? {};
  const byName = new Map(bindings.map((binding) => [binding.name, binding]));
  expect(byName.get("SITE_URL")).toMatchObject({ type: "plain_text", text: "https://market.test" });
  expect(byName.get("CONTROLLER_ADDRESS")).toMatchObject({ text: "1 Market Square, Town" });
  expect(byName.get("RESEND_API_KEY")).toMatchObject({ type: "secret_text", text: "re_for_this_test" });
  expect(byName.get("LINK_SECRET")?.type).toBe("secret_text");
  expect(byName.get("DB")?.id).toMatch(/^[\da-f-]{36}$/);
  expect(cloudflare.database("stallwright").jurisdiction).toBe("eu");
  expect(byName.get("CACHE")?.namespace_id).toMatch(/^[\da-f]{32}$/);
  expect({ domains, crons }).toEqual({ domains: ["market.test"], crons: ["*/5 * * * *"] });
  const tables = cloudflare
    .database("stallwright")
    .sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all();
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["waitlist_emails", "mail_outbox"]));
  expect(cloudflare.unknown).toEqual([]);
});

test("a run from another machine without LINK_SECRET creates nothing and leaves the secret unchanged", async () => {
  const secret = deployedSecret();
  writeFileSync(settingsFile, readFileSync(settingsFile, "utf8").replace(/^LINK_SECRET=.*$/m, ""));
  const { code, out } = await deploy();
  expect(code).toBe(0);
  expect(out).toContain("LINK_SECRET: already set");
  expect(saved()["LINK_SECRET"]).toBeUndefined();
  expect(deployedSecret()).toBe(secret);
  expect(cloudflare.changes.filter((call) => /d1|namespaces/.test(call))).toEqual([]);
  appendFileSync(settingsFile, `LINK_SECRET=${secret}\n`);
});

test("a rotation saves the previous secret, so that its links still work", async () => {
  const before = deployedSecret();
  const { code } = await deploy("--rotate-link-secret");
  expect(code).toBe(0);
  expect(deployedSecret("LINK_SECRET_PREVIOUS")).toBe(before);
  expect(deployedSecret()).not.toBe(before);
  expect(saved()).toMatchObject({ LINK_SECRET: deployedSecret(), LINK_SECRET_PREVIOUS: before });
});

test("secrets appear in no output and no log, and only the owner can read their file", () => {
  const secrets = [saved()["LINK_SECRET"] ?? "", saved()["LINK_SECRET_PREVIOUS"] ?? "", "re_for_this_test"];
  const written = readdirSync(logs).map((name) => readFileSync(join(logs, name), "utf8"));
  expect(written.length).toBeGreaterThan(0);
  for (const secret of secrets) expect([...printed, ...written].filter((text) => text.includes(secret))).toEqual([]);
  expect(statSync(settingsFile).mode & 0o777).toBe(0o600);
});

test("a rejected sign-in says what to do", async () => {
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.url);
  const client = await signIn({ ...cloudflare.env, CLOUDFLARE_API_TOKEN: "another-token" });
  const worker = { path: "", name: "stallwright", database: "stallwright", namespace: "stallwright-cache" };
  await expect(inspectAccount(client, worker)).rejects.toThrow(/Authentication error[\s\S]*npx wrangler login/);
});
