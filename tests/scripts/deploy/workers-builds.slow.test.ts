import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";
import { runScript } from "#tests/support/run-script.ts";

// Every run builds, and starts Wrangler several times.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const clone = cleanClone();
const home = mkdtempSync(join(tmpdir(), "builds-home-"));
let cloudflare: Awaited<ReturnType<typeof startFakeCloudflare>>;

/** The repository and the account after Deploy to Cloudflare has asked for the settings and created the resources. */
beforeAll(async () => {
  cloudflare = await startFakeCloudflare();
  const database = (await create("/d1/database", { name: "market-waitlist" })) as { uuid: string };
  const namespace = (await create("/storage/kv/namespaces", { title: "market-kv" })) as { id: string };
  const file = join(clone.folder, "wrangler.toml");
  const filledIn = readFileSync(file, "utf8")
    .replace('SITE_URL = ""', 'SITE_URL = "https://market.test"')
    .replace('CONTACT_EMAIL = ""', 'CONTACT_EMAIL = "hello@market.test"')
    .replace('CONTROLLER_NAME = ""', 'CONTROLLER_NAME = "Ada Maker"')
    .replace('CONTROLLER_ADDRESS = ""', 'CONTROLLER_ADDRESS = "1 Market Square, Town"')
    .replace(/^database_name = .*$/m, `database_name = "market-waitlist"\ndatabase_id = "${database.uuid}"`)
    .replace('binding = "CACHE"', `binding = "CACHE"\nid = "${namespace.id}"`);
  writeFileSync(file, filledIn);
  cloudflare.changes.length = 0;
  return cloudflare.stop;
});
afterAll(() => {
  clone.remove();
  rmSync(home, { recursive: true, maxRetries: 3 });
});

async function create(path: string, body: object): Promise<unknown> {
  const init = { method: "POST", headers: { Authorization: "Bearer a-token" }, body: JSON.stringify(body) };
  const response = await fetch(`${cloudflare.url}/accounts/${cloudflare.env.CLOUDFLARE_ACCOUNT_ID}${path}`, init);
  return ((await response.json()) as { result: unknown }).result;
}

/** Runs a script like Workers Builds: without a terminal or a sign-in on the machine. */
function runInBuild(script: string, args: string[] = []) {
  const workersBuilds = {
    CI: "true",
    WORKERS_CI: "1",
    WORKERS_CI_BUILD_UUID: "00000000-0000-4000-8000-000000000000",
    WORKERS_CI_COMMIT_SHA: "0123456789abcdef0123456789abcdef01234567",
    WORKERS_CI_BRANCH: "main",
    WRANGLER_CI_OVERRIDE_NAME: "market",
  };
  const env = { ...cloudflare.env, ...workersBuilds, HOME: home, XDG_CONFIG_HOME: home };
  return runScript(script, args, { folder: clone.folder, env });
}

// https://market.test is unreachable, so the site's health is asked of the fake API's server.
const deploy = () => runInBuild("deploy", ["--check-at", cloudflare.url, "--patience", "0"]);

function secrets() {
  const bindings = cloudflare.worker()?.bindings ?? [];
  return Object.fromEntries(
    bindings.filter(({ type }) => type === "secret_text").map(({ name, text }) => [name, text]),
  );
}

test("the build and deploy commands of package.json put the site online without a terminal", async () => {
  expect((await runInBuild("build")).code).toBe(0);
  const { code, out } = await deploy();
  expect(code).toBe(0);
  expect(out).toContain("https://market.test is live.");
  expect(cloudflare.changes).not.toContain("POST /d1/database");
  expect(cloudflare.changes).not.toContain("POST /storage/kv/namespaces");
  expect(cloudflare.changes.filter((call) => /workers\/scripts\/(?!market\/|market$)/.test(call))).toEqual([]);
  const { bindings = [], domains, crons } = cloudflare.worker() ?? {};
  const text = (name: string) => bindings.find((binding) => binding.name === name)?.text;
  expect([text("SITE_URL"), text("CONTROLLER_NAME")]).toEqual(["https://market.test", "Ada Maker"]);
  expect({ domains, crons }).toEqual({ domains: ["market.test"], crons: ["* * * * *", "*/2 * * * *"] });
  const { sqlite } = cloudflare.database("market-waitlist");
  expect(sqlite.prepare("SELECT count(*) AS count FROM waitlist_emails").get()).toEqual({ count: 0 });
  expect(cloudflare.unknown).toEqual([]);
});

test("its secrets are generated once, stored only at Cloudflare, and printed nowhere", async () => {
  const first = secrets();
  for (const name of ["LINK_SECRET", "HASH_KEY"]) expect(first[name]).toMatch(/^[\w-]{43}$/);
  const { code, out } = await deploy();
  expect(code).toBe(0);
  for (const name of ["LINK_SECRET", "HASH_KEY"]) expect(out).toContain(`${name}: already set`);
  expect(secrets()).toEqual(first);
  expect(existsSync(join(clone.folder, "deploy.env"))).toBe(false);
  for (const value of Object.values(first)) expect(out).not.toContain(value);
});
