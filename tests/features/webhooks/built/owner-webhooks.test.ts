import { beforeEach, describe, expect, test } from "vitest";
import { localHosts } from "#tests/features/webhooks/local-hosts.ts";
import { openReceiver } from "#tests/features/webhooks/pool/webhook-receiver.ts";
import { site, visibleText } from "#tests/support/pool/built.ts";
import { problemsOf, signedIn, signedInBrowser, technicalWords } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

needs("webhooks");
freshStorageForEachTest();

const browser = signedInBrowser({ OWNER_TIME_ZONE: "Europe/London" });
const { post, request } = browser;

const form = { intent: "save", url: "https://hooks.example/catch/1", events: "entry.joined", personal: "no" };
const add = (more: Record<string, string> = {}) => post("/owner/webhooks", { ...form, ...more });
const change = (fields: Record<string, string>) => post("/owner/webhooks/1", fields);
const endpoints = () => rows<{ url: string }>("webhook_endpoints");
const events = () => rows<{ dead_at: number | null; reason: string }>("jobs");
const actions = async () => (await rows<{ action: string }>("owner_log")).map(({ action }) => action);
const textOf = async (path: string) => visibleText((await request(path)).body);
const failEvents = () => execute("UPDATE jobs SET dead_at = 1, reason = 'status', last_status = 500, attempts = 10");
const TEST = { intent: "test", event: "entry.joined" };
const CRON = "*/2 * * * *";

/** What the page of the endpoint says was done. */
async function outcomeOf(response: Promise<{ headers: Headers }>): Promise<string | undefined> {
  return (await response).headers.get("Location")?.split("done=")[1];
}

describe("adding an endpoint", () => {
  test("leads to its page, which has its secret, and is in the log", async () => {
    expect(await outcomeOf(add())).toBe("endpoint-added");
    expect(await endpoints()).toMatchObject([{ url: form.url, events: '["entry.joined"]', has_personal_data: 0 }]);
    const { body } = await request("/owner/webhooks/1?done=endpoint-added");
    expect(body).toMatch(/<code>whsec_[A-Za-z0-9+/]{43}=<\/code>/);
    expect(visibleText(body)).toContain("The endpoint is added.");
    expect(technicalWords(body)).toEqual([]);
    expect(await textOf("/owner/webhooks")).toContain("hooks.example On");
    expect(await actions()).toContain("add-endpoint");
    expect(JSON.stringify(await rows("owner_log"))).not.toContain("hooks.example");
  });

  test.each([
    ["without a URL", "", "Paste the URL"],
    ["with a URL that is too long", `https://hooks.example/${"x".repeat(1_000)}`, "at most 1000"],
  ])("is refused %s", async (_, url, problem) => {
    const { status, body } = await add({ url });
    expect([status, problemsOf(body)["url"]]).toEqual([422, expect.stringContaining(problem)]);
    expect(await endpoints()).toEqual([]);
  });

  test("is refused without events, and keeps what was typed", async () => {
    const { status, body } = await post("/owner/webhooks", { url: form.url, events: "test", personal: "yes" });
    expect([status, problemsOf(body)]).toEqual([422, { events: "Choose at least one event." }]);
    expect(body).toContain(`value="${form.url}"`);
    expect(body).toMatch(/name="personal" checked="" value="yes"|value="yes" checked|checked=""[^>]*value="yes"/);
  });

  test("is possible five times", async () => {
    for (const status of [303, 303, 303, 303, 303, 422]) expect((await add()).status).toBe(status);
    expect(await textOf("/owner/webhooks")).toContain("There can be 5 endpoints.");
    expect(await endpoints()).toHaveLength(5);
  });
});

describe("an endpoint", () => {
  beforeEach(() => add());

  test("is changed, turned off and on, and deleted, each once in the log", async () => {
    const again = { ...form, url: "https://other.example/", events: "entry.erased" };
    for (const outcome of ["endpoint-changed", "unchanged"]) expect(await outcomeOf(change(again))).toBe(outcome);
    expect((await change({ intent: "explode" })).status).toBe(400);
    for (const intent of ["turn-off", "turn-off", "turn-on", "turn-on"]) await change({ intent });
    expect((await change({ ...again, url: "https://10.0.0.1/" })).status).toBe(422);
    expect(await endpoints()).toMatchObject([{ url: again.url, is_on: 1 }]);
    expect(await outcomeOf(change({ intent: "delete" }))).toBe("endpoint-deleted");
    expect((await change({ intent: "delete" })).status).toBe(404);
    const changes = ["add-endpoint", ...Array(3).fill("change-endpoint"), "delete-endpoint"];
    expect((await actions()).filter((action) => action !== "sign-in")).toEqual(changes);
  });

  test("gets a new secret, and the page says until when the old one signs too", async () => {
    const secret = async () => /whsec_[^<]+/.exec((await request("/owner/webhooks/1")).body)?.[0];
    const old = await secret();
    await change({ intent: "replace-secret", number: "1" });
    expect(await secret()).not.toBe(old);
    const until = /Until \d+ \w+ \d{4}, \d\d:\d\d, events are signed with the old secret too/;
    expect(await textOf("/owner/webhooks/1")).toMatch(until);
  });

  test("shows what failed, and sends one event or all since a time again, but none of another", async () => {
    await add();
    await join("ada@example.com");
    await execute("DELETE FROM jobs WHERE subject = 2");
    await failEvents();
    expect(await textOf("/owner/webhooks/1")).toContain("It responded with 500");
    const one = { intent: "again", delivery: "1" };
    await post("/owner/webhooks/2", one);
    expect(await events()).toMatchObject([{ dead_at: 1 }]);
    for (const outcome of ["event-again", "unchanged"]) expect(await outcomeOf(change(one))).toBe(outcome);
    await failEvents();
    const since = (time: string) => change({ intent: "again-since", since: time, which: "failed" });
    expect(problemsOf((await since("yesterday")).body)).toEqual({ since: "Choose a day and a time." });
    expect(await outcomeOf(since("2999-01-01T00:00"))).toBe("nothing-again");
    expect(await outcomeOf(since("2026-01-01T00:00"))).toBe("events-again");
    expect(await events()).toMatchObject([{ dead_at: null, done_at: null, attempts: 0 }]);
    expect((await actions()).filter((action) => action === "send-events-again")).toHaveLength(2);
  });

  test("shows how waiting events stand, and needs attention after a day of failing", async () => {
    await join("ada@example.com");
    const at = Date.UTC(2027, 0, 31, 9, 30);
    await execute("UPDATE jobs SET attempts = 3, reason = 'status', last_status = 502, next_attempt_at = ?", at);
    expect(await textOf("/owner/webhooks/1")).toContain("It responded with 502 31 Jan 2027, 09:30 3");
    for (const [hours, isNamed] of [
      [23, false],
      [25, true],
    ] as const) {
      await execute("UPDATE webhook_endpoints SET failing_since = ?", Date.now() - hours * 3_600_000);
      const overview = await textOf("/owner");
      expect(overview.includes("hooks.example has accepted no event for more than a day.")).toBe(isNamed);
    }
  });

  test("is named on the overview if events have failed, or its receiver is gone", async () => {
    expect(await textOf("/owner")).not.toContain("hooks.example");
    await join("ada@example.com");
    await failEvents();
    await add({ url: "https://gone.example/" });
    await execute("UPDATE webhook_endpoints SET is_on = 0, off_reason = 'gone' WHERE id = 2");
    const overview = await textOf("/owner");
    expect(overview).toContain("1 event could not be sent to hooks.example.");
    expect(overview).toContain("gone.example wants no more events, so its webhook is off. New events wait.");
  });
});

describe("a test event", () => {
  test("is sent at once, and the page says that it was accepted", async () => {
    const receiver = await openReceiver();
    await add({ url: receiver.url });
    expect(await outcomeOf(change(TEST))).toBe("endpoint-tested");
    expect(await receiver.events()).toMatchObject([{ type: "entry.joined", test: true, data: { entry_id: 0 } }]);
    expect(await actions()).toContain("test-endpoint");
    expect((await change({ intent: "test", event: "explode" })).status).toBe(400);
  });

  test.each([
    [403, {}],
    [429, { paused_until: expect.toSatisfy((until) => until > Date.now() + 3_000_000) }],
    [410, { is_on: 0, off_reason: "gone" }],
  ])("that is answered with %d is not tried again, and the page and the endpoint say so", async (code, changed) => {
    const receiver = await openReceiver();
    await receiver.change(code, { "Retry-After": "3600" });
    await add({ url: receiver.url });
    const { status, body } = await change(TEST);
    expect([status, problemsOf(body)["event"]]).toEqual([502, expect.stringContaining(`responded with ${code}`)]);
    await browser.runCron(CRON);
    expect(await receiver.count()).toBe(1);
    expect(await endpoints()).toMatchObject([{ is_on: 1, ...changed }]);
  });
});

describe("a receiver on a loopback address", () => {
  test("gets events from a site on one, by the second cron trigger and not by the first", async () => {
    const receiver = await openReceiver();
    for (const host of ["127.0.0.1", "localhost"]) {
      const { port, pathname } = new URL(receiver.loopback);
      expect((await add({ url: `http://${host}:${port}${pathname}/hook` })).status).toBe(303);
    }
    expect(await outcomeOf(change(TEST))).toBe("endpoint-tested");
    await join("ada@example.com");
    await browser.runCron();
    expect(await receiver.count()).toBe(1);
    await browser.runCron(CRON);
    expect((await receiver.events()).map(({ test }) => test)).toEqual([true, undefined, undefined]);
  });

  test("gets none from a public site, which refuses every way to write one", async () => {
    const away = await signedIn({ SITE_URL: site.SITE_URL }, site.SITE_URL);
    const urls = localHosts.flatMap((host) => [`https://${host}/`, `http://${host}:8080/hook`]);
    for (const url of [...urls, "http://hooks.example/"]) {
      const { status, body } = await away.post("/owner/webhooks", { ...form, url });
      const refused = [url, 422, expect.stringMatching(/public host name|https:/)];
      expect([url, status, problemsOf(body)["url"]]).toEqual(refused);
    }
    expect(await endpoints()).toEqual([]);
    const receiver = await openReceiver();
    await add({ url: `${receiver.loopback}/hook` });
    expect((await away.post("/owner/webhooks/1", TEST)).status).toBe(502);
    await join("ada@example.com");
    await away.runCron(CRON);
    expect(await receiver.events()).toEqual([]);
    expect(await events()).toMatchObject([{ reason: "address" }]);
  });
});
