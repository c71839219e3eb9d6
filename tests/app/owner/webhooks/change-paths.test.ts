import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { startBulkAction } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { changeEntryAsOwner } from "#app/owner/entries/change-entry.server.ts";
import { addEndpoint } from "#app/owner/webhooks/endpoints.server.ts";
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
import { allEvents, type StoredDelivery } from "#tests/support/pool/webhook-harness.ts";

/* Every change of an entry, a milestone or a letter records its event. */

needs("webhooks");
freshStorageForEachTest();

const now = Date.now;
const DAY = 24 * 3_600_000;
const own = { db, now, linkSecrets: [env.LINK_SECRET], hashKey: env.HASH_KEY, mustConfirm: false };

beforeEach(() => addEndpoint(db, { url: "https://hooks.example/", events: allEvents, has_personal_data: true }, now()));

/** The events so far, in order, each with the id of its entry. */
async function recorded(): Promise<[event: string, entryId: number | null][]> {
  return (await rows<StoredDelivery>("webhook_deliveries")).map(({ event, entry_id }) => [event, entry_id]);
}

const forget = () => env.DB.exec("DELETE FROM webhook_deliveries");

/** Someone on the list, whose joining is not looked at. */
async function listed(email = "ada@example.com", joining = {}): Promise<number> {
  const id = await join(email, joining);
  await forget();
  return id;
}

describe("joining", () => {
  test("by the form, by an owner's hand, and by an import", async () => {
    await apiSite().post("/api/signup", { email: "ada@example.com" });
    const person = { source: "fair", answers: { role: "host" }, consent: { at: now(), note: "At the stall" } };
    const deps = { ...own, disposableDomains: { has: async () => false }, mustConfirm: false };
    await addByHand(deps, { ...person, email: "bob@example.com", sendsEmail: false });
    await importHarness().import(peopleCsv(3));
    expect(await recorded()).toEqual([1, 2, 3, 4, 5].map((id) => ["entry.joined", id]));
  });

  test("a second sign-up of the same address is no event", async () => {
    await listed();
    expect((await apiSite().post("/api/signup", { email: "ada@example.com" })).status).toBe(409);
    expect(await recorded()).toEqual([]);
  });

  test("again, on the page of the entry", async () => {
    const id = await listed();
    await unsubscribeEntry(db, id, now(), "own-choice");
    await changeOwnEntry(own, await signDataToken(id, now(), env.LINK_SECRET), "rejoin");
    expect((await recorded()).map(([event]) => event)).toEqual(
      expect.arrayContaining(["entry.unsubscribed", "entry.joined"]),
    );
  });

  test("again, because an owner takes back that many were unsubscribed", async () => {
    const id = await listed();
    const action = await startUnsubscribing({}, now());
    await finishBulk(action, now());
    await finishBulk(await startUndo(action, now()), now());
    expect(await recorded()).toEqual([
      ["entry.unsubscribed", id],
      ["entry.joined", id],
    ]);
  });
});

test("confirming an address is an event, once", async () => {
  const id = await listed("ada@example.com", { mustConfirm: true });
  await confirmEntry(db, id, now());
  await confirmEntry(db, id, now());
  expect(await recorded()).toEqual([["entry.confirmed", id]]);
});

describe("leaving", () => {
  const ways = waysOfLeaving.filter(([name]) => !/erases|bounced/.test(name));
  test.each(ways)("someone who %s", async (_, leave) => {
    const id = await listed();
    await leave({ db, now, id, email: "ada@example.com" });
    await leave({ db, now, id, email: "ada@example.com" });
    expect(await recorded()).toEqual([["entry.unsubscribed", id]]);
  });

  test("an address that bounced stays on the list, so it is no event", async () => {
    const id = await listed();
    await waysOfLeaving.find(([name]) => name.includes("bounced"))?.[1]({ db, now, id, email: "ada@example.com" });
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }]);
    expect(await recorded()).toEqual([]);
  });

  test("someone whom an owner unsubscribes, alone or with many", async () => {
    const [ada, bob] = [await listed(), await listed("bob@example.com")];
    await changeEntryAsOwner(scheduledApp(now()), ada, "unsubscribe", async () => {});
    await finishBulk(await startUnsubscribing({}, now()), now());
    expect(await recorded()).toEqual([
      ["entry.unsubscribed", ada],
      ["entry.unsubscribed", bob],
    ]);
  });
});

describe("erasing", () => {
  test("by the person", async () => {
    const id = await listed();
    await waysOfLeaving.find(([name]) => name.includes("erases"))?.[1]({ db, now, id, email: "ada@example.com" });
    expect(await recorded()).toEqual([["entry.erased", id]]);
  });

  test("by an owner, alone or with many", async () => {
    const ids = [await listed(), await listed("bob@example.com"), await listed("cy@example.com")];
    await changeEntryAsOwner(scheduledApp(now()), 1, "erase", async () => {});
    const bulk = { kind: "erase", selection: {}, newestEntryId: 3, expected: 2, now: now() } as const;
    await finishBulk((await startBulkAction(db, bulk)) ?? 0, now());
    expect(await recorded()).toEqual(ids.map((id) => ["entry.erased", id]));
  });

  test("after the time for which entries are kept, or in which they have to be confirmed", async () => {
    const old = await listed("ada@example.com", { now: now() - 800 * DAY });
    await unsubscribeEntry(db, old, now() - 799 * DAY, "own-choice");
    const unconfirmed = await listed("bob@example.com", { now: now() - 40 * DAY, mustConfirm: true });
    await eraseExpired(db, now(), { unconfirmed: true });
    expect(await recorded()).toEqual(
      expect.arrayContaining([
        ["entry.erased", old],
        ["entry.erased", unconfirmed],
      ]),
    );
    expect(await recorded()).toHaveLength(2);
  });
});

test("answers after joining and on the page of the entry are events, unless they are the same", async () => {
  const site = apiSite();
  const { answerToken } = await (await site.post("/api/signup", { email: "ada@example.com" })).json<{
    answerToken: string;
  }>();
  await forget();
  for (const role of ["host", "host"]) await site.post("/api/answers", { answerToken, answers: { role } });
  expect(await recorded()).toEqual([["entry.answered", 1]]);
  await changeOwnAnswers(own, await signDataToken(1, now(), env.LINK_SECRET), { role: "both" });
  expect(await recorded()).toHaveLength(2);
});

describe("with referrals", () => {
  needs("referrals");

  test("a milestone is an event of the person who reached it", async () => {
    const harness = referralHarness();
    const id = await harness.bring("ada@example.com");
    for (const name of ["bob", "cy", "dan"]) await harness.bring(`${name}@gmail.com`, id);
    await harness.pass();
    const milestones = (await rows<StoredDelivery & { data: string }>("webhook_deliveries")).filter(
      ({ event }) => event === "milestone.reached",
    );
    expect(milestones).toMatchObject([{ entry_id: id, data: '{"friends":3}' }]);
  });
});

describe("with letters", () => {
  needs("letters");

  test("a letter that has been sent to everyone is an event", async () => {
    const harness = await letterHarness();
    await addPeople(3);
    await forget();
    const id = await harness.start();
    for (let runs = 0; (await harness.letter(id)).state !== "finished" && runs < 10; runs += 1) {
      await harness.sweep();
      await harness.pass(60_000);
    }
    expect(await rows("webhook_deliveries")).toMatchObject([
      { event: "letter.finished", entry_id: null, data: `{"letter_id":${id}}` },
    ]);
  });
});

test("where no endpoint is on, nothing is recorded", async () => {
  await env.DB.exec("UPDATE webhook_endpoints SET is_on = 0");
  const id = await join("ada@example.com");
  await eraseEntry(db, id, now());
  expect(await recorded()).toEqual([]);
});
