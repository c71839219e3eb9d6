import { beforeEach, expect, test } from "vitest";
import { addEndpoint, turnEndpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { peopleCsv } from "#tests/support/import-files.ts";
import { importHarness } from "#tests/support/pool/imports.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { db, execute, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import { finishBulk, startUndo, startUnsubscribing } from "#tests/support/pool/unsubscribe-many.ts";
import { waysOfLeaving } from "#tests/support/pool/ways-of-leaving.ts";
import { allEvents } from "#tests/support/pool/webhook-harness.ts";

/* Triggers record events, so one way of each change is enough. */

needs("webhooks");
freshStorageForEachTest();

const now = Date.now;

beforeEach(() => addEndpoint(db, { url: "https://hooks.example/", events: allEvents, has_personal_data: true }, now()));

/** What is recorded of the events so far, in order. */
async function recorded(): Promise<Record<string, unknown>[]> {
  const jobs = await rows<{ kind: string; data: string }>("jobs");
  return jobs.filter(({ kind }) => kind === "webhook").map(({ data }) => JSON.parse(data));
}

test("people join by the form, once, and by an import", async () => {
  const signUp = async () => (await apiSite().post("/api/signup", { email: "ada@example.com" })).status;
  for (const status of [201, 409]) expect(await signUp()).toBe(status);
  await importHarness().import(peopleCsv(3));
  expect(await recorded()).toEqual([1, 2, 3, 4].map((id) => ({ event: "entry.joined", entry_id: id })));
});

/** How one entry changes, and what happens to it then. */
const changes: [name: string, change: (id: number) => Promise<unknown>, events: string[]][] = [
  [
    "a confirmed address",
    (id) => execute("UPDATE waitlist_emails SET confirmed_at = ? WHERE id = ?", now(), id),
    ["confirmed"],
  ],
  [
    "a new answer",
    (id) => execute("UPDATE waitlist_emails SET answers = ? WHERE id = ?", '{"role":"host"}', id),
    ["answered"],
  ],
  ["an erased entry", (id) => eraseEntry(db, id, now()), ["erased"]],
  ...waysOfLeaving.map(([name, leave]): (typeof changes)[number] => {
    const events = name.includes("erases") ? ["erased"] : name.includes("bounced") ? [] : ["unsubscribed"];
    return [`someone who ${name}`, (id) => leave({ db, now, id, email: "ada@example.com" }), events];
  }),
];

test.each(changes)("%s is recorded once", async (_, change, events) => {
  const id = await join("ada@example.com", { mustConfirm: true });
  await execute("DELETE FROM jobs");
  for (let times = 0; times < 2; times += 1) await change(id);
  expect(await recorded()).toEqual(events.map((event) => ({ event: `entry.${event}`, entry_id: id })));
});

test("many leave, and an owner takes that back", async () => {
  await join("ada@example.com");
  const action = await startUnsubscribing({}, now());
  await finishBulk(action, now());
  await finishBulk(await startUndo(action, now()), now());
  const events = (await recorded()).map(({ event }) => event);
  expect(events).toEqual(["entry.joined", "entry.unsubscribed", "entry.joined"]);
});

test("someone reaches a milestone", async () => {
  const id = await join("ada@example.com");
  await execute("INSERT INTO reached_milestones VALUES (?, 3, 1, NULL)", id);
  expect((await recorded())[1]).toEqual({ event: "milestone.reached", entry_id: id, friends: 3 });
});

test("nothing is recorded for an endpoint that its owner turned off, or that is for other events", async () => {
  await addEndpoint(db, { url: "https://b.example/", events: ["entry.erased"], has_personal_data: false }, now());
  await turnEndpoint(db, 1, false);
  const id = await join("ada@example.com");
  expect(await recorded()).toEqual([]);
  await eraseEntry(db, id, now());
  expect(await rows("jobs")).toMatchObject([{ kind: "webhook", subject: 2 }]);
});
