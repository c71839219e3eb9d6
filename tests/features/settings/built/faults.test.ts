import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pages } from "#app/pages.server.ts";
import { failing, isolate, never, wait } from "#tests/features/settings/pool/isolate.ts";
import { unsubscribeToken, visibleText } from "#tests/support/pool/built.ts";
import { OWNER, type OwnerBrowser, signedIn } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, join, rows, stopClock } from "#tests/support/pool/start.ts";

/* Who is let in, confirmation and limits never become weaker by a fault of the row, or of D1. */

const log = freshStorageForEachTest();

const ADA = "ada@market.example";
const realTimeout = globalThis.setTimeout;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const events = () => log.map((line) => JSON.parse(line).event);

/** @returns whether the person has to confirm */
async function joinAt(site: ReturnType<typeof isolate>, email = "bea@market.example"): Promise<boolean> {
  const { status } = await site.post("/", { email });
  expect(status).toBe(201);
  const entry = (await rows("waitlist_emails")).find((row) => row["email"] === email);
  return entry?.["confirm_by"] !== null;
}

const store = (text: string) => execute("INSERT OR REPLACE INTO settings VALUES (1, ?, 1)", text);
const stored = async () => JSON.parse(String((await rows("settings"))[0]?.["stored"]));

const VARS = { OWNER_EMAIL: `${OWNER}, ${ADA}`, CONFIRM_ADDRESSES: "off", MAIL_PER_HOUR: "700" };

const broken = [
  ...["", "no JSON", "null", "[]", '"text"', "{", '{"CONFIRM_ADDRESSES": 1}'],
  ...['{"CONFIRM_ADDRESSES":"maybe"}', '{"MAIL_PER_HOUR":"-3"}', '{"DISPOSABLE":"maybe"}'],
  ...['{"OWNERS_ADDED":"nobody"}', '{"OWNERS_REMOVED":"nobody"}', '{"OWNERS_ADDED":", ,","CONFIRM_ADDRESSES":"off"}'],
];

describe("a broken row", () => {
  test.each(broken)("that owners have never saved: %s", async (text) => {
    await store(text);
    const site = isolate(VARS);
    const owner = await signedIn(VARS);
    const page = await owner.request("/owner/settings");
    expect([page.status, visibleText(page.body)]).toEqual([200, expect.stringContaining("are damaged")]);
    // Unless the row itself says otherwise.
    expect(await joinAt(site)).toBe(!text.includes('"off"'));
    expect(events()).toContain("settings-broken");
  });

  describe("that owners had saved", () => {
    let owner: OwnerBrowser;

    beforeEach(async () => {
      owner = await signedIn(VARS);
      await owner.post("/owner/settings/owners", { intent: "remove", email: ADA });
      await owner.post("/owner/settings/sign-ups", { "confirm-addresses": "on", disposable: "refuse" });
      await owner.post("/owner/settings/emails-and-time", { "mail-per-hour": "70", "owner-time-zone": "UTC" });
    });

    test.each(broken)("%s", async (text) => {
      await store(text);
      const site = isolate(VARS);
      expect((await signedIn(VARS, env.SITE_URL, ADA)).cookies.size).toBe(0);
      expect(await joinAt(site)).toBe(true);
      const page = visibleText((await owner.request("/owner/settings")).body);
      expect(page).toContain("Emails an hour, at most 70 Set here");
      expect(page).toContain("Throwaway addresses Refuse them Set here");
    });

    test("is mended by the next save, with all that held", async () => {
      await store("no JSON");
      await owner.post("/owner/settings/links", {
        "survey-url": "https://forms.example/",
        "support-url": "",
        "facebook-url": "",
      });
      expect(await stored()).toMatchObject({
        OWNERS_REMOVED: ADA,
        CONFIRM_ADDRESSES: "on",
        DISPOSABLE: "refuse",
        MAIL_PER_HOUR: "70",
        SURVEY_URL: "https://forms.example/",
      });
    });
  });

  test("of a newer or an older version of the site: what it knows holds, and what it does not know is kept", async () => {
    await store('{"FUTURE":"1","SITE_URL":"https://evil.example","CONFIRM_ADDRESSES":"on"}');
    expect(await joinAt(isolate(VARS))).toBe(true);
    const owner = await signedIn(VARS);
    expect(visibleText((await owner.request("/owner/settings")).body)).not.toContain("are damaged");
    await owner.post("/owner/settings/owners", { intent: "remove", email: ADA });
    expect(await stored()).toMatchObject({ FUTURE: "1", CONFIRM_ADDRESSES: "on", OWNERS_REMOVED: ADA });
  });
});

describe.each([
  ["fails", failing],
  ["does not answer", never],
])("the read of the row %s", (_, fault) => {
  beforeEach(() => {
    // Time limits end twenty times as soon.
    vi.stubGlobal("setTimeout", (run: () => void, millis = 0) => realTimeout(run, millis / 20));
  });
  afterEach(() => void vi.unstubAllGlobals());

  test("in an isolate without any: people confirm and no email is sent, pages answer, owners' pages and the cron job do not", async () => {
    const site = isolate(VARS);
    site.state.atRead = fault;
    expect(await joinAt(site)).toBe(true);
    expect(site.sent).toEqual([]);
    for (const path of ["/", "/privacy"]) expect((await site.request(path)).status).toBe(200);
    expect((await site.request("/owner")).status).toBe(503);
    await expect(site.runCron()).rejects.toThrow();
    expect(site.sent).toEqual([]);
  });

  test("in one that has read it: for a minute the last value holds, then what could have become stricter counts as unknown, but pages go on", async () => {
    stopClock();
    await store('{"CONFIRM_ADDRESSES":"off","SURVEY_URL":"https://forms.example/"}');
    const site = isolate(VARS);
    const owner = await signedIn(VARS);
    expect(await joinAt(site)).toBe(false);
    site.state.atRead = fault;
    wait(MINUTE);
    expect(await joinAt(site, "cleo@market.example")).toBe(false);
    expect((await site.request("/owner", {}, owner)).status).toBe(200);
    wait(1);
    expect(await joinAt(site, "dora@market.example")).toBe(true);
    expect((await site.request("/owner", {}, owner)).status).toBe(503);
    await expect(site.runCron()).rejects.toThrow();
    for (const path of ["/", "/privacy"]) expect((await site.request(path)).status).toBe(200);
    expect((await site.request("/survey")).body).toContain("https://forms.example/");
    site.state.atRead = async () => {};
    await site.runCron();
    expect((await site.request("/owner", {}, owner)).status).toBe(200);
  });
});

test("people can leave while the read fails", async () => {
  const site = isolate(VARS);
  site.state.atRead = failing;
  await site.post(`/unsubscribe/${await unsubscribeToken(await join("bea@market.example"))}`, {});
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
});

test("an isolate that was idle for hours goes by what holds now, whoever it is asked by", async () => {
  stopClock();
  const site = isolate(VARS);
  await site.request("/");
  const [owner, ada] = await Promise.all([OWNER, ADA].map((email) => signedIn(VARS, env.SITE_URL, email)));
  await owner?.post("/owner/settings/owners", { intent: "remove", email: ADA });
  await owner?.post("/owner/settings/sign-ups", { "confirm-addresses": "on", disposable: "mark" });
  wait(HOUR);
  expect(await joinAt(site)).toBe(true);
  await site.post("/owner/sign-in", { email: ADA });
  expect(site.sent.filter(({ to }) => to === ADA)).toEqual([]);
  expect((await site.request("/owner", {}, ada)).status).toBe(403);
});

test("who is removed cannot use an isolate that has just read the row to get in for more than a second", async () => {
  stopClock();
  const site = isolate(VARS);
  const owner = await signedIn(VARS);
  const ada = await signedIn(VARS, env.SITE_URL, ADA);
  expect((await site.request("/owner", {}, ada)).status).toBe(200);
  await owner.post("/owner/settings/owners", { intent: "remove", email: ADA });
  expect((await site.request("/owner", {}, ada)).status).toBe(403);
  await site.post("/owner/sign-in", { email: ADA });
  const link = /\/owner\/sign-in\/[\w.-]+/.exec(site.sent.find(({ to }) => to === ADA)?.text ?? "")?.[0];
  for (const line of (await site.post(link ?? "/owner/sign-in/none", {})).headers.getSetCookie()) {
    const [pair = ""] = line.split(";");
    ada.cookies.set(...(pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
  }
  wait(SECOND);
  expect((await site.request("/owner", {}, ada)).status).toBe(403);
  expect((await isolate(VARS).request("/owner", {}, ada)).status).toBe(403);
});

test("a form waits for a read of almost a second, which a page does not", async () => {
  stopClock();
  await store('{"SURVEY_URL":"https://forms.example/old"}');
  const site = isolate(VARS);
  await site.request("/");
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: Date.now() });
  site.state.atRead = async () => {
    // Once the time limit of the request has been set.
    await new Promise((resolve) => realTimeout(resolve, 0));
    vi.advanceTimersByTime(SECOND - 1);
  };
  wait(30 * SECOND);
  await store('{"CONFIRM_ADDRESSES":"on","SURVEY_URL":"https://forms.example/new"}');
  expect((await site.request("/survey")).body).toContain("https://forms.example/old");
  wait(30 * SECOND);
  await store('{"CONFIRM_ADDRESSES":"off"}');
  expect(await joinAt(site)).toBe(false);
});

test.each([
  [49, "new"],
  [51, "old"],
])("a page waits 50 ms for newer settings: after %i ms it has the %s ones", async (time, shown) => {
  stopClock();
  await store('{"FACEBOOK_URL":"https://facebook.example/old"}');
  const site = isolate(VARS);
  await site.request("/");
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: Date.now() });
  site.state.atRead = async () => {
    await new Promise((resolve) => realTimeout(resolve, 0));
    vi.advanceTimersByTime(time);
  };
  wait(30 * SECOND);
  await store('{"FACEBOOK_URL":"https://facebook.example/new"}');
  expect((await site.request("/privacy")).body).toContain(`https://facebook.example/${shown}`);
});

test("every page answers as the first request of an isolate whose D1 fails", async () => {
  for (const { path } of pages) {
    const site = isolate(VARS);
    site.state.atRead = failing;
    expect([path, (await site.request(path)).status]).toEqual([path, 200]);
  }
});

test("a stored send limit holds, not that of the variable", async () => {
  await store('{"MAIL_PER_HOUR":"4"}');
  for (let number = 0; number < 10; number += 1) await join(`p${number}@market.example`);
  const site = isolate(VARS);
  await site.runCron();
  const sent = site.sent.filter(({ to }) => /^p\d@/.test(String(to))).length;
  expect([sent > 0, sent <= 4]).toEqual([true, true]);
});

test("stored rules for throwaway addresses hold, with the exceptions", async () => {
  const email = "ada@mailinator.com";
  await store('{"DISPOSABLE":"refuse"}');
  expect((await isolate(VARS).post("/", { email })).status).toBeGreaterThanOrEqual(400);
  expect(await rows("waitlist_emails")).toEqual([]);
  await store('{"DISPOSABLE":"refuse","DISPOSABLE_ALLOWED":"mailinator.com"}');
  expect((await isolate(VARS).post("/", { email })).status).toBe(201);
});

test("a slow read that began before a change does not undo it", async () => {
  stopClock();
  await store("{}");
  const site = isolate(VARS);
  await site.request("/");
  wait(HOUR);
  let finish = () => {};
  // The isolate has read the row, and its answer is on the way.
  const isHeld = new Promise<void>((resolve) => {
    site.state.atRead = async () => {
      resolve();
      await new Promise<void>((done) => {
        finish = done;
      });
    };
  });
  const slow = site.request("/");
  await isHeld;
  site.state.atRead = async () => {};
  wait(1);
  await store('{"CONFIRM_ADDRESSES":"on"}');
  expect(await joinAt(site)).toBe(true);
  await store("{}");
  finish();
  await slow;
  expect(await joinAt(site, "cleo@market.example")).toBe(true);
});

test("a page reads one row at most, and none within 20 seconds", async () => {
  stopClock();
  const site = isolate(VARS);
  for (const [millis, reads] of [
    [0, 1],
    [19_999, 1],
    [1, 2],
  ] as const) {
    wait(millis);
    await site.request("/");
    expect(site.state.reads).toBe(reads);
  }
});
