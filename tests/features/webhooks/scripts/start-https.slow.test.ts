import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "#scripts/lib/ports.ts";
import { startWebhookReceiver } from "#tests/features/webhooks/webhook-receiver.ts";
import { startScript } from "#tests/support/running-script.ts";
import { switchedOff } from "#tests/support/switched-off.ts";

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-https-"));
let port: number;
let url: string;
let server: ReturnType<typeof startScript>;

async function start(...flags: string[]) {
  const own = ["--port", String(port), "--persist-to", folder, "--inspector-port", "0"];
  // The certificate is self-signed. Only this test's own requests may ignore that.
  server = startScript("start", [...own, ...flags], undefined, { NODE_TLS_REJECT_UNAUTHORIZED: "1" });
  await server.printed(/Ctrl\+C/);
}

beforeAll(async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  port = await freePort();
  url = `https://localhost:${port}`;
  await start("--local-protocol", "https");
  // It may have to build.
}, 150_000);
afterAll(async () => {
  await server.end("SIGTERM");
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const open = (address: string, init: RequestInit = {}) => fetch(address, { redirect: "manual", ...init });

/** Sends a form as a browser without JavaScript does. */
const send = (address: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  open(address, { method: "POST", headers: { Origin: url, ...headers }, body: new URLSearchParams(fields) });

/** Signs in with the printed link. @returns the header with the session */
async function signIn() {
  const [, link = ""] = await server.printed(/^ {2}Sign in +(\S+)$/m);
  const signedIn = await send(link, {});
  expect(signedIn.headers.get("Location")).toBe("/owner");
  return {
    Cookie: signedIn.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; "),
  };
}

test("every printed address is https and opens without a redirect, and so is every address of the page", async () => {
  expect(server.output()).toContain(`  Site            ${url}\n`);
  expect(server.output()).not.toContain("http://");
  const page = await open(url);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain(`${url}/`);
  expect(html).not.toContain(`http://localhost:${port}`);
});

test("the form joins without JavaScript, and the links of the email are https", async () => {
  const joined = await send(url, { email: "ada@example.com" }, { Accept: "text/html" });
  expect(joined.status).toBe(201);
  const emails = `${url}/cdn-cgi/local/explorer/api/local/email/sending`;
  const find = async () => {
    const { result } = await (await open(emails)).json();
    const { messageId } = result.find(({ to }: { to: string[] }) => to.includes("ada@example.com"));
    return (await open(`${emails}?email_id=${encodeURIComponent(messageId)}`)).text();
  };
  const email = await vi.waitFor(find, { timeout: 30_000, interval: 500 });
  expect(email).toContain(`${url}/`);
  expect(email).not.toContain(`http://localhost:${port}`);
});

test("the owner signs in, and a receiver at http://localhost gets events", async ({ skip }) => {
  const reason = switchedOff(["webhooks"]);
  skip(reason !== null, reason ?? undefined);
  const session = await signIn();
  const receiver = await startWebhookReceiver();
  onTestFinished(receiver.stop);
  await (await fetch(`${receiver.url}/new`)).text();
  const hook = `http://localhost:${new URL(receiver.url).port}/0/hook`;
  const added = await send(
    `${url}/owner/webhooks`,
    { intent: "save", url: hook, events: "entry.joined", personal: "no" },
    session,
  );
  expect(added.headers.get("Location")).toBe("/owner/webhooks/1?done=endpoint-added");
  expect((await send(url, { email: "grace@example.com" }, { Accept: "text/html" })).status).toBe(201);
  const received = async () => (await (await fetch(`${receiver.url}/0/state`)).json()).received;
  await vi.waitFor(async () => expect(await received()).toHaveLength(1), { timeout: 30_000, interval: 500 });
});

test("SITE_URL alone may say https", async () => {
  await server.end("SIGTERM");
  await start("--var", `SITE_URL:${url}`);
  expect(server.output()).toContain(`  Site            ${url}\n`);
  expect((await open(url)).status).toBe(200);
});
