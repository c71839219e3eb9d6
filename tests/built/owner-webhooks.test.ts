import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { localHosts } from "#tests/support/local-hosts.ts";
import { site, visibleText } from "#tests/support/pool/built.ts";
import { problemsOf, signedIn, signedInBrowser, technicalWords } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import { openReceiver } from "#tests/support/pool/webhook-receiver.ts";

needs("webhooks");
const log = freshStorageForEachTest();

const browser = signedInBrowser({ OWNER_TIME_ZONE: "Europe/London" });
const { post, request } = browser;

const form = { intent: "save", url: "https://hooks.example/catch/1", events: "entry.joined", personal: "no" };
const add = (more: Record<string, string> = {}) => post("/owner/webhooks", { ...form, ...more });
const change = (fields: Record<string, string>) => post("/owner/webhooks/1", fields);
const endpoints = () => rows<{ url: string; is_on: number; secret_number: number }>("webhook_endpoints");
const deliveries = () => rows<{ id: number; event: string; dead_at: number | null }>("webhook_deliveries");
const actions = async () => (await rows<{ action: string }>("owner_log")).map(({ action }) => action);
const locationOf = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get("Location")];
const textOf = async (path: string) => visibleText((await request(path)).body);

/** Makes an event that has failed. */
async function failed(): Promise<void> {
  const id = await join("ada@example.com");
  await env.DB.exec(
    `UPDATE webhook_deliveries SET dead_at = ${Date.now()}, reason = 'status-500', attempts = 10 WHERE entry_id = ${id}`,
  );
}

describe("adding an endpoint", () => {
  test("leads to its page, which has its secret, and is in the log", async () => {
    expect(locationOf(await add())).toEqual([303, "/owner/webhooks/1?done=endpoint-added"]);
    expect(await rows("webhook_endpoints")).toMatchObject([
      { url: form.url, events: '["entry.joined"]', has_personal_data: 0, is_on: 1 },
    ]);
    const { body } = await request("/owner/webhooks/1?done=endpoint-added");
    expect(body).toMatch(/<code>whsec_[A-Za-z0-9+/]{43}=<\/code>/);
    expect(visibleText(body)).toContain("The endpoint is added.");
    expect(technicalWords(body)).toEqual([]);
    expect(await textOf("/owner/webhooks")).toContain("hooks.example On");
    expect(await actions()).toContain("add-endpoint");
    expect(JSON.stringify(await rows("owner_log"))).not.toContain("hooks.example");
  });

  test.each([
    ["", "Paste the URL"],
    ["http://hooks.example/", "https://"],
    ["https://10.0.0.1/", "public host name"],
    [`https://hooks.example/${"x".repeat(1_000)}`, "at most 1000"],
  ])("is refused with the URL %s", async (url, problem) => {
    const { status, body } = await add({ url });
    expect(status).toBe(422);
    expect(problemsOf(body)["url"]).toContain(problem);
    expect(await endpoints()).toEqual([]);
  });

  test("is refused without events, and keeps what was typed", async () => {
    const { status, body } = await post("/owner/webhooks", { url: form.url, events: "test", personal: "yes" });
    expect(status).toBe(422);
    expect(problemsOf(body)).toEqual({ events: "Choose at least one event." });
    expect(body).toContain(`value="${form.url}"`);
    expect(body).toMatch(/name="personal" checked="" value="yes"|value="yes" checked|checked=""[^>]*value="yes"/);
  });

  test("is possible five times", async () => {
    for (let number = 1; number <= 5; number += 1) expect((await add()).status).toBe(303);
    expect(await textOf("/owner/webhooks")).toContain("There can be 5 endpoints.");
    expect((await add()).status).toBe(422);
    expect(await endpoints()).toHaveLength(5);
  });
});

describe("an endpoint", () => {
  beforeEach(() => add());

  test("is changed, turned off and on, and deleted, each once in the log", async () => {
    const again = { ...form, url: "https://other.example/", events: "entry.erased" };
    for (const outcome of ["endpoint-changed", "unchanged"]) {
      expect(locationOf(await change(again))).toEqual([303, `/owner/webhooks/1?done=${outcome}`]);
    }
    expect((await change({ intent: "explode" })).status).toBe(400);
    for (const intent of ["turn-off", "turn-off", "turn-on", "turn-on"]) await change({ intent });
    expect(await endpoints()).toMatchObject([{ url: again.url, is_on: 1 }]);
    expect((await change({ ...again, url: "https://10.0.0.1/" })).status).toBe(422);
    expect(locationOf(await change({ intent: "delete" }))).toEqual([303, "/owner/webhooks?done=endpoint-deleted"]);
    expect((await change({ intent: "delete" })).status).toBe(404);
    expect((await request("/owner/webhooks/1")).status).toBe(404);
    expect((await actions()).filter((action) => action !== "sign-in")).toEqual([
      "add-endpoint",
      ...Array(3).fill("change-endpoint"),
      "delete-endpoint",
    ]);
  });

  test("gets a new secret, and the page says until when the old one signs too", async () => {
    const secret = async () => /whsec_[^<]+/.exec((await request("/owner/webhooks/1")).body)?.[0];
    const old = await secret();
    await change({ intent: "replace-secret", number: "1" });
    expect(await secret()).not.toBe(old);
    expect(await textOf("/owner/webhooks/1")).toMatch(
      /Until \d+ \w+ \d{4}, \d\d:\d\d, events are signed with the old secret too/,
    );
  });

  test("shows what failed and why, and sends one event or all since a time again", async () => {
    await failed();
    const page = await textOf("/owner/webhooks/1");
    expect(page).toContain("entry.joined");
    expect(page).toContain("It responded with 500");
    const [delivery] = await deliveries();
    const one = { intent: "again", delivery: String(delivery?.id) };
    expect(locationOf(await change(one))).toEqual([303, "/owner/webhooks/1?done=event-again"]);
    expect(locationOf(await change(one))).toEqual([303, "/owner/webhooks/1?done=unchanged"]);
    await env.DB.exec("UPDATE webhook_deliveries SET dead_at = 1");
    const since = (time: string) => change({ intent: "again-since", since: time, which: "failed" });
    expect(problemsOf((await since("yesterday")).body)).toEqual({ since: "Choose a day and a time." });
    expect(locationOf(await since("2999-01-01T00:00"))).toEqual([303, "/owner/webhooks/1?done=nothing-again"]);
    expect(locationOf(await since("2026-01-01T00:00"))).toEqual([303, "/owner/webhooks/1?done=events-again"]);
    expect(await deliveries()).toMatchObject([{ dead_at: null, delivered_at: null, attempts: 0 }]);
    expect((await actions()).filter((action) => action === "send-events-again")).toHaveLength(2);
  });

  test("of another endpoint nothing is sent again", async () => {
    await failed();
    await add();
    const [delivery] = await deliveries();
    await post("/owner/webhooks/2", { intent: "again", delivery: String(delivery?.id) });
    expect((await deliveries())[0]?.dead_at).not.toBeNull();
  });
});

describe("a test event", () => {
  test("is sent at once, and the page says that it was accepted", async () => {
    const receiver = await openReceiver();
    await add({ url: receiver.url });
    expect(locationOf(await change({ intent: "test" }))).toEqual([303, "/owner/webhooks/1?done=endpoint-tested"]);
    expect(await receiver.events()).toMatchObject([{ type: "test", data: {} }]);
    expect(await actions()).toContain("test-endpoint");
  });

  test("that is refused is not tried again, and the page says why", async () => {
    const receiver = await openReceiver(403);
    await add({ url: receiver.url });
    const { status, body } = await change({ intent: "test" });
    expect(status).toBe(502);
    expect(problemsOf(body)["test"]).toContain("responded with 403");
    expect(await deliveries()).toMatchObject([{ event: "test", dead_at: expect.any(Number), reason: "status-403" }]);
    expect(await textOf("/owner/webhooks/1")).toContain("Failed 0");
  });
});

describe("a receiver on a loopback address", () => {
  test("gets events from a site on one", async () => {
    const receiver = await openReceiver();
    for (const host of ["127.0.0.1", "localhost"]) {
      const { port, pathname } = new URL(receiver.loopback);
      expect((await add({ url: `http://${host}:${port}${pathname}/hook` })).status).toBe(303);
    }
    expect(locationOf(await change({ intent: "test" }))).toEqual([303, "/owner/webhooks/1?done=endpoint-tested"]);
    await join("ada@example.com");
    await browser.runCron("*/2 * * * *");
    const types = (await receiver.events()).map(({ type }) => type);
    expect(types).toEqual(["test", "entry.joined", "entry.joined"]);
  });

  test("gets none from a public site, which refuses every way to write one, also if it is stored", async () => {
    const away = await signedIn({ SITE_URL: site.SITE_URL }, site.SITE_URL);
    const urls = localHosts.flatMap((host) => [`https://${host}/`, `http://${host}:8080/hook`]);
    for (const url of [...urls, "http://hooks.example/"]) {
      const { status, body } = await away.post("/owner/webhooks", { ...form, url });
      expect([url, status, problemsOf(body)["url"]]).toEqual([
        url,
        422,
        expect.stringMatching(/public host name|https:/),
      ]);
    }
    expect(await endpoints()).toEqual([]);
    const receiver = await openReceiver();
    await add({ url: `${receiver.loopback}/hook` });
    expect((await away.post("/owner/webhooks/1", { intent: "test" })).status).toBe(502);
    await join("ada@example.com");
    await away.runCron("*/2 * * * *");
    expect(await receiver.events()).toEqual([]);
    expect((await rows<{ reason: string }>("webhook_deliveries")).map(({ reason }) => reason)).toEqual([
      "address",
      "address",
    ]);
  });
});

describe("the overview", () => {
  test("names endpoints with failed events, and those whose receiver is gone", async () => {
    await add();
    expect(await textOf("/owner")).not.toContain("hooks.example");
    await failed();
    await add({ url: "https://gone.example/" });
    await env.DB.exec("UPDATE webhook_endpoints SET is_on = 0, off_reason = 'gone' WHERE id = 2");
    const overview = await textOf("/owner");
    expect(overview).toContain("1 event could not be sent to hooks.example.");
    expect(overview).toContain("gone.example wants no more events, so its webhook is off. New events wait.");
  });

  test("names endpoints whose events have waited for a day", async () => {
    await add();
    await join("ada@example.com");
    const makeDue = (hours: number) =>
      env.DB.exec(`UPDATE webhook_deliveries SET next_attempt_at = ${Date.now() - hours * 3_600_000}`);
    await makeDue(23);
    expect(await textOf("/owner")).not.toContain("waited");
    await makeDue(25);
    expect(await textOf("/owner")).toContain("1 event for hooks.example has waited for more than a day.");
  });
});

test("the second cron trigger sends events, and the first does not", async () => {
  const receiver = await openReceiver();
  await add({ url: receiver.url });
  await join("ada@example.com");
  await browser.runCron();
  expect(await receiver.events()).toEqual([]);
  await browser.runCron("*/2 * * * *");
  expect(await receiver.events()).toMatchObject([{ type: "entry.joined" }]);
  expect(log.join("\n")).not.toContain("webhooks-failed");
});
