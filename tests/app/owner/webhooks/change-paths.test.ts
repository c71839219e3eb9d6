import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { startBulkAction } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { changeEntryAsOwner } from "#app/owner/entries/change-entry.server.ts";
import { addEndpoint, turnEndpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { addByHand } from "#app/waitlist/add-by-hand.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry, eraseExpired } from "#app/waitlist/erase-entries.server.ts";
import { changeOwnAnswers } from "#app/waitlist/my-data/own-answers.server.ts";
import { changeOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { importHarness } from "#tests/support/pool/imports.ts";
import { addPeople, letterHarness } from "#tests/support/pool/letter-harness.ts";
import { referralHarness } from "#tests/support/pool/referrals.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { db, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import { finishBulk, startUndo, startUnsubscribing } from "#tests/support/pool/unsubscribe-many.ts";
import { waysOfLeaving } from "#tests/support/pool/ways-of-leaving.ts";
import { allEvents } from "#tests/support/pool/webhook-harness.ts";

/* Every change of an entry, a milestone or a letter records its event, once. */

needs("webhooks");
freshStorageForEachTest();

const now = Date.now;
const DAY = 24 * 3_600_000;
const own = { db, now, linkSecrets: [env.LINK_SECRET], hashKey: env.HASH_KEY, mustConfirm: false };

beforeEach(() => addEndpoint(db, { url: "https://hooks.example/", events: allEvents, has_personal_data: true }, now()));

/** What is recorded of the events so far, in order. */
async function recorded(): Promise<{ event: string }[]> {
  const jobs = await rows<{ kind: string; data: string }>("jobs");
  return jobs.filter(({ kind }) => kind === "webhook").map(({ data }) => JSON.parse(data));
}

const forget = () => env.DB.exec("DELETE FROM jobs");
const joined = (id: number) => ({ event: "entry.joined", entry_id: id });
const page = (id: number) => signDataToken(id, now(), env.LINK_SECRET);
const asOwner = (id: number, intent: "unsubscribe" | "erase") =>
  changeEntryAsOwner(scheduledApp(now()), id, intent, async () => {});

test("people join by the form, once, by an owner's hand, and by an import", async () => {
  for (const status of [201, 409])
    expect((await apiSite().post("/api/signup", { email: "ada@example.com" })).status).toBe(status);
  const person = { source: "fair", answers: { role: "host" }, consent: { at: now(), note: "At the stall" } };
  const deps = { ...own, disposableDomains: { has: async () => false } };
  await addByHand(deps, { ...person, email: "bob@example.com", sendsEmail: false });
  await importHarness().import(peopleCsv(3));
  expect(await recorded()).toEqual([1, 2, 3, 4, 5].map(joined));
});

/** How one entry changes, and what happens to it then. Each way of leaving is taken twice. */
const changes: [name: string, change: (id: number) => Promise<unknown>, events: string[]][] = [
  [
    "someone joins again on the page of their entry",
    async (id) => {
      await unsubscribeEntry(db, id, now(), "own-choice");
      await changeOwnEntry(own, await page(id), "rejoin");
    },
    ["unsubscribed", "confirmed", "joined"],
  ],
  [
    "an owner takes back that many were unsubscribed",
    async () => {
      const action = await startUnsubscribing({}, now());
      await finishBulk(action, now());
      await finishBulk(await startUndo(action, now()), now());
    },
    ["unsubscribed", "joined"],
  ],
  ...waysOfLeaving.map(([name, leave]): (typeof changes)[number] => {
    const leaver = (id: number) => ({ db, now, id, email: "ada@example.com" });
    const events = name.includes("erases") ? ["erased"] : name.includes("bounced") ? [] : ["unsubscribed"];
    return [`someone ${name}`, (id) => leave(leaver(id)).then(() => leave(leaver(id))), events];
  }),
  ["an owner unsubscribes someone", (id) => asOwner(id, "unsubscribe"), ["unsubscribed"]],
  ["an owner erases someone", (id) => asOwner(id, "erase"), ["erased"]],
  [
    "an owner erases many",
    async (id) => {
      const bulk = { kind: "erase", selection: {}, newestEntryId: id, expected: 1, now: now() } as const;
      await finishBulk((await startBulkAction(db, bulk)) ?? 0, now());
    },
    ["erased"],
  ],
  [
    "answers change, and are given again",
    async (id) => {
      for (const role of ["host", "host", "both"]) await changeOwnAnswers(own, await page(id), { role });
    },
    ["answered", "answered"],
  ],
];

test.each(changes)("%s", async (_, change, events) => {
  const id = await join("ada@example.com");
  await forget();
  await change(id);
  expect(await recorded()).toEqual(events.map((event) => ({ event: `entry.${event}`, entry_id: id })));
});

test("someone confirms their address, twice, and entries expire", async () => {
  const old = await join("ada@example.com", { now: now() - 800 * DAY, mustConfirm: true });
  for (let times = 0; times < 2; times += 1) await confirmEntry(db, old, now() - 800 * DAY);
  await unsubscribeEntry(db, old, now() - 799 * DAY, "own-choice");
  await join("bob@example.com", { now: now() - 40 * DAY, mustConfirm: true });
  await eraseExpired(db, now(), { unconfirmed: true });
  const events = Object.groupBy((await recorded()) as ReturnType<typeof joined>[], ({ entry_id }) => entry_id);
  const names = Object.values(events).map((of) => of?.map(({ event }) => event.slice(6)));
  expect(names).toEqual([
    ["joined", "confirmed", "unsubscribed", "erased"],
    ["joined", "erased"],
  ]);
});

describe("with referrals", () => {
  needs("referrals");

  test("someone reaches a milestone", async () => {
    const harness = referralHarness();
    const id = await harness.bring("ada@example.com");
    for (const name of ["bob", "cy", "dan"]) await harness.bring(`${name}@gmail.com`, id);
    await harness.pass();
    const reached = (await recorded()).filter(({ event }) => event === "milestone.reached");
    expect(reached).toEqual([{ event: "milestone.reached", entry_id: id, friends: 3 }]);
  });
});

describe("with letters", () => {
  needs("letters");

  test("a letter has been sent to everyone", async () => {
    const harness = await letterHarness();
    await addPeople(3);
    await forget();
    const id = await harness.start();
    for (let runs = 0; (await harness.letter(id)).state !== "finished" && runs < 10; runs += 1) {
      await harness.sweep();
      await harness.pass(60_000);
    }
    expect(await recorded()).toEqual([{ event: "letter.finished", letter_id: id }]);
  });
});

test("of an endpoint that its owner has turned off, and of events that it is not for, nothing is recorded", async () => {
  await addEndpoint(db, { url: "https://b.example/", events: ["entry.erased"], has_personal_data: false }, now());
  await turnEndpoint(db, 1, false);
  const id = await join("ada@example.com");
  expect(await recorded()).toEqual([]);
  await eraseEntry(db, id, now());
  expect(await rows("jobs")).toMatchObject([{ kind: "webhook", subject: 2 }]);
});
