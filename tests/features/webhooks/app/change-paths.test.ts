import { beforeEach, expect, test } from "vitest";
import { addEndpoint, turnEndpoint } from "#app/features/webhooks/endpoints.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { waysOfLeaving } from "#tests/features/letters/pool/ways-of-leaving.ts";
import { allEvents } from "#tests/features/webhooks/pool/webhook-harness.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { db, execute, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

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

test("people join once", async () => {
  const signUp = async () => (await apiSite().post("/api/signup", { email: "ada@example.com" })).status;
  for (const status of [201, 409]) expect(await signUp()).toBe(status);
  expect(await recorded()).toEqual([{ event: "entry.joined", entry_id: 1 }]);
});

/** How one entry changes, and what happens to it then. */
const changes: [name: string, change: (id: number) => Promise<unknown>, events: string[], more?: object][] = [
  [
    "a confirmed address",
    (id) => execute("UPDATE waitlist_emails SET confirmed_at = ? WHERE id = ?", now(), id),
    ["entry.confirmed"],
  ],
  [
    "a new answer",
    (id) => execute("UPDATE waitlist_emails SET answers = ? WHERE id = ?", '{"role":"host"}', id),
    ["entry.answered"],
  ],
  [
    "a new address",
    (id) => execute("UPDATE waitlist_emails SET email = ? WHERE id = ?", "ada@example.org", id),
    ["entry.changed"],
  ],
  ["an erased entry", (id) => eraseEntry(db, id, now()), ["entry.erased"]],
  [
    "a milestone",
    (id) => execute("INSERT OR IGNORE INTO reached_milestones VALUES (?, 3, 1, NULL)", id),
    ["milestone.reached"],
    { friends: 3 },
  ],
  ...waysOfLeaving.map(([name, leave]): (typeof changes)[number] => {
    const events = name.includes("erases") ? ["entry.erased"] : name.includes("bounced") ? [] : ["entry.unsubscribed"];
    return [`someone who ${name}`, (id) => leave({ db, now, id, email: "ada@example.com" }), events];
  }),
];

test.each(changes)("%s is recorded once", async (_, change, events, more) => {
  const id = await join("ada@example.com", { mustConfirm: true });
  await execute("DELETE FROM jobs");
  for (let times = 0; times < 2; times += 1) await change(id);
  expect(await recorded()).toEqual(events.map((event) => ({ event, entry_id: id, ...more })));
});

test("someone who has left joins again", async () => {
  const id = await join("ada@example.com");
  await unsubscribeEntry(db, id, now(), "owner");
  await execute("UPDATE waitlist_emails SET status = 'active', unsubscribed_at = NULL, unsubscribe_reason = NULL");
  const events = (await recorded()).map(({ event }) => event);
  expect(events).toEqual(["entry.joined", "entry.unsubscribed", "entry.joined"]);
});

test("nothing is recorded for an endpoint that its owner turned off, or that is for other events", async () => {
  await addEndpoint(db, { url: "https://b.example/", events: ["entry.erased"], has_personal_data: false }, now());
  await turnEndpoint(db, 1, false);
  const id = await join("ada@example.com");
  expect(await recorded()).toEqual([]);
  await eraseEntry(db, id, now());
  expect(await rows("jobs")).toMatchObject([{ kind: "webhook", subject: 2 }]);
});
