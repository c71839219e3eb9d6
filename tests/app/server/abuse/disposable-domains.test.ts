import { expect, onTestFinished, test, vi } from "vitest";
import { createDisposableDomains } from "#app/server/abuse/disposable-domains.server.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();

/** Static files that hold a list of throwaway domains; `serve` may replace their response. */
function domainsOf(list: string[], { allowed = [] as string[], serve = async () => response(list) } = {}) {
  const clock = { now: 0 };
  const requested: string[] = [];
  const assets = {
    fetch: async (url: RequestInfo | URL) => {
      requested.push(String(url));
      return serve();
    },
  };
  return { clock, requested, domains: createDisposableDomains({ assets, allowed, now: () => clock.now }) };
}

function response(list: string[]): Response {
  return new Response(`# a comment\n${list.join("\n")}\n`);
}

test.each([
  ["ada@mailinator.com", true],
  ["ada@a.b.mailinator.com", true],
  ["ada@notmailinator.com", false],
  ["ada@mailinator.co", false],
  ["ada@mailinator.com.example", false],
  ["mailinator.com@example.com", false],
  ["ada@box.dynv6.example", true],
  ["ada@dynv6.example", false],
  ["ada@com", false],
  ["ada@# a comment", false],
])("%s: %s", async (email, expected) => {
  const { domains } = domainsOf(["box.dynv6.example", "mailinator.com"]);
  expect(await domains.has(email)).toBe(expected);
});

test("privacy relays and their subdomains are never treated as throwaway, even if they are listed", async () => {
  const relays = ["duck.com", "mozmail.com", "simplelogin.com", "privaterelay.appleid.com", "anonaddy.me"];
  const { domains } = domainsOf([...relays, "user.mozmail.com"]);
  for (const domain of relays) {
    expect(await domains.has(`ada@${domain}`), domain).toBe(false);
    expect(await domains.has(`ada@user.${domain}`), domain).toBe(false);
  }
});

test("domains that the owner allows are not treated as throwaway, nor are their subdomains", async () => {
  const { domains } = domainsOf(["mailinator.com", "yopmail.com"], { allowed: ["mailinator.com"] });
  expect(await domains.has("ada@mailinator.com")).toBe(false);
  expect(await domains.has("ada@box.mailinator.com")).toBe(false);
  expect(await domains.has("ada@yopmail.com")).toBe(true);
});

test.each([
  ["fails", () => Promise.reject(new Error("assets are down"))],
  ["is missing", async () => new Response("no such file mailinator.com", { status: 404 })],
  ["takes too long", () => new Promise<never>(() => {})],
])("when the list %s, nothing is treated as throwaway, and it is read again after a minute", async (_name, serve) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const state: { serve: () => Promise<Response> } = { serve };
  const { domains, clock, requested } = domainsOf([], { serve: () => state.serve() });
  const first = domains.has("ada@mailinator.com");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toBe(false);
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ level: "error", event: "disposable-list-failed" }]);
  state.serve = async () => response(["mailinator.com"]);
  clock.now += 59_999;
  expect(await domains.has("ada@mailinator.com")).toBe(false);
  expect(requested).toHaveLength(1);
  clock.now += 1;
  expect(await domains.has("ada@mailinator.com")).toBe(true);
  expect(log.join()).not.toContain("ada@");
});
