import { env } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { dataToken, post, read, unsubscribeToken, visibleText } from "#tests/support/pool/built.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { locationLimits } from "#tests/support/pool/location-limits.ts";
import { freshStorageForEachTest, join, rows, stopClock } from "#tests/support/pool/start.ts";

/* What the holder of an entry's link, or someone it was forwarded to, can cost by pressing its buttons. */

/** A tenth with `npm test`. */
const CLICKS = env.FUZZ_FACTOR === 1 ? 1_300 : 130;

const log = freshStorageForEachTest();

let page: string;
let oneClick: string;

beforeEach(async () => {
  const id = await join("ada@example.com", { now: 0 });
  page = `/your-data/${await dataToken(id)}`;
  oneClick = `/unsubscribe/${await unsubscribeToken(id)}/one-click`;
});

/** The built site with Cloudflare's limits, all within one minute, and a meter of D1. */
function limitedSite() {
  const meter = meteredD1();
  const replaced = { ...locationLimits(() => 0), DB: meter.d1 };
  const press = (intent: string, client = "192.0.2.7") =>
    post(page, { intent }, { headers: { "CF-Connecting-IP": client }, replaced });
  // Each request is a new isolate here. In production one counts what it refuses at most every five seconds.
  const rowsWritten = () =>
    meter.executed
      .filter(({ sql }) => !sql.includes("blocked_attempts"))
      .reduce((sum, statement) => sum + statement.rowsWritten, 0);
  return { ...meter, rowsWritten, replaced, press };
}

test(`never and rejoin by turns: ${CLICKS} clicks from 100 clients write few rows, and the log a few lines`, async () => {
  // All within one minute of the log's own count.
  stopClock();
  const { press, rowsWritten } = limitedSite();
  const statuses: Record<number, number> = {};
  for (let n = 0; n < CLICKS; n += 1) {
    const { status } = await press(n % 2 === 0 ? "never" : "rejoin", `192.0.2.${n % 100}`);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  // Leaving is never refused. The first return is the only one within ten minutes.
  expect(statuses).toEqual({ 303: CLICKS / 2 + 1, 429: CLICKS / 2 - 1 });
  expect(rowsWritten()).toBeLessThan(20);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  expect(log.length).toBeLessThan(50);
});

test("a client gets 30 forms a minute with many links, an entry 10 from many clients", async () => {
  const { press } = limitedSite();
  const show = async (client: string) => (await press("show-data", client)).status;
  const ofOneEntry = [];
  for (let n = 0; n < 12; n += 1) ofOneEntry.push(await show(`192.0.2.${n}`));
  expect(ofOneEntry).toEqual([...Array(10).fill(200), 429, 429]);
  const ofOneClient = [];
  for (let n = 0; n < 32; n += 1) {
    page = `/your-data/${await dataToken(1_000 + n)}`;
    ofOneClient.push(await show("198.51.100.7"));
  }
  expect(ofOneClient.slice(0, 30)).not.toContain(429);
  expect(ofOneClient.slice(30)).toEqual([429, 429]);
});

test("whoever is refused reads why, and when to try again", async () => {
  const { press, replaced } = limitedSite();
  for (const intent of ["unsubscribe", "rejoin", "unsubscribe"]) await press(intent);
  const { status, headers, body } = await press("rejoin");
  expect(status).toBe(429);
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(590);
  expect(visibleText(body)).toContain("You can unsubscribe or erase your entry at any time.");
  expect((await post(`${page}/export`, {}, { replaced })).status).toBe(200);
  await env.DB.exec("UPDATE waitlist_emails SET consent_at = consent_at - 600000");
  expect((await press("rejoin")).status).toBe(303);
  expect((await read(page)).text).toContain("is on the waitlist");
});

test.each(["show-data", "rejoin", "new-link", "answers"])(
  "leaving stays possible while others use up the link with %s",
  async (intent) => {
    const { press, replaced, rowsWritten, reset } = limitedSite();
    // An entry's limit is 10 forms, a client's 30.
    for (let n = 0; n < 10; n += 1) await press(intent);
    expect((await press(intent)).status).toBe(429);
    expect((await post(oneClick, { "List-Unsubscribe": "One-Click" }, { replaced })).status).toBe(200);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
    reset();
    for (let n = 0; n < 32; n += 1) expect((await post(oneClick, {}, { replaced })).status).toBe(200);
    for (let n = 0; n < 32; n += 1) expect((await press("unsubscribe")).status).toBe(303);
    expect(rowsWritten()).toBe(0);
    expect((await press("erase")).status).toBe(303);
    expect(await rows("waitlist_emails")).toEqual([]);
    reset();
    for (let n = 0; n < 32; n += 1) expect((await press("erase")).status).toBe(303);
    expect(rowsWritten()).toBe(0);
  },
);
