import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";
import { deploySettings } from "#tests/support/deploy-settings.ts";
import { runScript } from "#tests/support/run-script.ts";

// Every run starts Wrangler several times.
vi.setConfig({ testTimeout: 180_000 });

const clone = cleanClone();
const settings = `${deploySettings.replace(/^RESEND_API_KEY=.*\n/m, "")}MAIL_FROM=hello@market.test\n`;
let cloudflare: Awaited<ReturnType<typeof startFakeCloudflare>>;

beforeAll(async () => {
  writeFileSync(join(clone.folder, "deploy.env"), settings);
  cloudflare = await startFakeCloudflare();
  return cloudflare.stop;
});
beforeEach(() => {
  cloudflare.changes.length = 0;
  cloudflare.failOn(null);
});
afterAll(() => clone.remove());

function deploy(env: Record<string, string> = {}) {
  const args = ["--check-at", cloudflare.url, "--patience", "0"];
  return runScript("deploy", args, { folder: clone.folder, env: { ...cloudflare.env, CI: "", ...env } });
}

const created = () => cloudflare.changes.filter((call) => /^POST .*(queues|subscriptions)/.test(call));

test("a queue that cannot be created is no reason not to deploy", async () => {
  cloudflare.failOn(/^POST \/queues$/);
  const { code, out, err } = await deploy();
  expect(code).toBe(0);
  expect(out).toContain("https://market.test is live.");
  expect(err).toMatch(/Warning: Bounces and complaints will not be recorded\.\nCreating the queue \S+ failed\./);
  expect(cloudflare.queues).toEqual([]);
});

test("the next run completes it: the Worker consumes the queue of its sender's domain", async () => {
  const { code, out } = await deploy();
  expect(code).toBe(0);
  expect(out).toContain("Queue waitlist-site-email-events for email events of market.test: subscribed");
  const [queue] = cloudflare.queues;
  expect(queue).toMatchObject({
    queue_name: "waitlist-site-email-events",
    consumers: [{ type: "worker", script: "waitlist-site", settings: { max_retries: 20 } }],
  });
  expect(cloudflare.subscriptions).toMatchObject([
    { source: { domain: "market.test" }, destination: { queue_id: queue?.queue_id } },
  ]);
  expect(cloudflare.unknown).toEqual([]);
});

test("a repeated run reuses them, and changes nothing", async () => {
  const before = structuredClone([cloudflare.queues, cloudflare.subscriptions]);
  const { code, out } = await deploy();
  expect(code).toBe(0);
  expect(out).toContain("Queue waitlist-site-email-events for email events of market.test: already subscribed");
  expect(created()).toEqual([]);
  expect([cloudflare.queues, cloudflare.subscriptions]).toEqual(before);
});

test("another site in the account has its own rate limits, and no queue where it uses Resend", async () => {
  const namespaces = () =>
    cloudflare.worker()?.bindings.flatMap(({ namespace_id, type }) => (type === "ratelimit" ? [namespace_id] : []));
  const first = namespaces();
  expect(first).toHaveLength(8);
  const other = await deploy({ WRANGLER_CI_OVERRIDE_NAME: "market-two", RESEND_API_KEY: "re_for_this_test" });
  expect(other.code).toBe(0);
  expect(other.out).not.toMatch(/queue|email events/i);
  expect(created()).toEqual([]);
  expect(new Set([...(first ?? []), ...(namespaces() ?? [])]).size).toBe(16);
  const { queues } = JSON.parse(readFileSync(join(clone.folder, "build/server/wrangler.deploy.json"), "utf8"));
  expect(queues?.consumers ?? []).toEqual([]);
});
