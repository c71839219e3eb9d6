import { env } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { addEndpoint, findEndpoint, turnEndpoint } from "#app/features/webhooks/endpoints.server.ts";
import { events } from "#app/features/webhooks/events.ts";
import { secretText } from "#app/features/webhooks/sign.server.ts";
import { DAY } from "#app/server/time/units.ts";
import { newKey } from "#tests/features/api/pool/api-contract.ts";
import { busySite, EXPIRING } from "#tests/features/api/pool/busy-site.ts";
import { type CopiedEntry, Crm, type NewPerson } from "#tests/features/api/pool/crm.ts";
import { type SeededRandom, seededRandom } from "#tests/features/api/pool/seeded-random.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { mockFetch, unlimitedRates } from "#tests/support/pool/failures.ts";
import { fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { locationLimits } from "#tests/support/pool/location-limits.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { db, freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";

/*
 * A day of a site and of a CRM that keeps a copy of its list, while both change it. Answers and events get lost, come twice and
 * out of order, and the CRM restores a backup. D1 has the clock of the test.
 */

needs("api", "webhooks", "referrals");
freshStorageForEachTest();

const PEOPLE = 20_000;
const CHANGES = 2_000;
const MINUTE = 60_000;
const MINUTES = DAY / MINUTE;
/** A day that begins after D1's own clock. */
const START = Math.ceil(Date.now() / DAY) * DAY;

/** Minutes of the day at which something happens once. */
const at = (hour: number) => hour * 60;
const isBetween = (minute: number, from: number, until: number) => minute >= at(from) && minute < at(until);

test("after a day of changes on both sides, and everything that can go wrong, a CRM has the site's list", {
  timeout: 1_800_000,
}, async () => {
  const random = seededRandom(fuzzSeed());
  // Retries are spread at random.
  const jitter = seededRandom(env.FAST_CHECK_SEED + 1);
  vi.spyOn(Math, "random").mockImplementation(jitter.next);
  onTestFinished(() => void vi.useRealTimers());

  const site = await busySite(random, START);
  await site.addPeople(PEOPLE);
  const api = meteredApi();
  const endpoint = { url: "https://crm.example/hook", events: [...events], has_personal_data: false };
  const endpointId = (await addEndpoint(db, endpoint, Date.now())) ?? 0;
  const stored = await findEndpoint(db, endpointId);
  if (stored === null) throw new Error("no endpoint");
  const secret = await secretText(stored, env.HASH_KEY);
  const key = await newKey(["entries:read", "entries:write"]);
  const wrongs = new Map<string, number>();
  const count = (what: string, by = 1) => void (by > 0 && wrongs.set(what, (wrongs.get(what) ?? 0) + by));
  let left = CHANGES;
  let isBusy = false;

  /** Changes the site between two requests of the CRM too, such as those for pages of the list. */
  async function changeSite() {
    if (left <= 0 || isBusy) return;
    isBusy = true;
    if (await site.change()) left -= 1;
    isBusy = false;
  }

  const connection = {
    async fetch(path: string, init: RequestInit) {
      if (random.chance(0.1)) await changeSite();
      if (random.chance(0.02)) {
        count("request lost");
        throw new Error("no connection");
      }
      const response = await api.request(path, init);
      if (!random.chance(0.05)) return response;
      count("answer lost");
      throw new Error("connection lost");
    },
    async wait(seconds: number) {
      if (seconds > 1) count("had to wait");
      await site.setTime(Date.now() + seconds * 1_000);
    },
  };
  const crm = new Crm(connection, { key, secret });

  let minute = 0;
  /** Events that were taken and are on their way to the CRM. */
  const underWay: { headers: Record<string, string>; body: string }[] = [];
  mockFetch(async (request) => {
    if (isBetween(minute, 10, 11)) {
      count("endpoint off");
      throw new Error("Network connection lost.");
    }
    const event = { headers: Object.fromEntries(request.headers), body: await request.text() };
    const forged = { ...event, body: event.body.replace('"entry_id":', '"entry_id":1') };
    if (random.chance(0.01)) {
      count("event forged");
      expect(crm.receive(forged.headers, forged.body)).toBe(401);
    }
    if (random.chance(0.02)) count("event lost");
    else if (random.chance(0.15)) {
      count("event late");
      underWay.push(event);
    } else {
      expect(crm.receive(event.headers, event.body)).toBe(204);
      if (random.chance(0.05)) {
        count("event repeated");
        underWay.push(event);
      }
    }
    if (!random.chance(0.05)) return new Response(null, { status: 204 });
    count("acceptance of an event lost");
    return new Response(null, { status: 500 });
  });

  const asked = crmChanges(crm, random);
  const done: Record<string, number> = {};
  let byCrm = 0;
  let importId = 0;
  let unsubscribedId = 0;
  let backup = { people: new Map<number, CopiedEntry>(), syncedAt: "" };

  /** Counts the copies that a reading changes, adds or deletes. */
  async function counting(what: string, read: () => Promise<void>) {
    const before = new Map(crm.people);
    await read();
    const ids = [...new Set([...before.keys(), ...crm.people.keys()])];
    const isMended = (id: number) => {
      const [old, copy] = [before.get(id), crm.people.get(id)];
      return old !== copy && JSON.stringify(old) !== JSON.stringify(copy);
    };
    count(what, ids.filter(isMended).length);
  }

  await crm.sync();
  expect(crm.people.size).toBeGreaterThan(PEOPLE - 100);
  const first = api.used();
  api.reset();

  for (minute = 0; minute < MINUTES; minute += 1) {
    await site.setTime(START + minute * MINUTE);
    if (minute === at(2)) importId = await site.import(300);
    if (minute === at(6)) unsubscribedId = await site.unsubscribeMany({ source: "list_30" });
    if (minute === at(9)) await site.undo(unsubscribedId);
    if (minute === at(12)) await site.eraseMany({ source: "list_31" });
    if (minute === at(13)) await site.invite(250);
    if (minute === at(15)) await site.undoImport(importId);
    if (minute === at(16)) backup = { people: new Map(crm.people), syncedAt: crm.syncedAt };
    if (minute === at(18) || minute === at(19)) await turnEndpoint(db, endpointId, minute === at(19));
    if (minute % 2 === 0) {
      await site.cron();
      await site.sendWebhooks();
    }
    while (left > ((MINUTES - minute - 1) / MINUTES) * CHANGES) {
      if (random.chance(0.5)) await changeSite();
      else {
        const name = random.pick(Object.keys(asked));
        const before = left;
        const isChanged = await site.hasChanged(async () => {
          const outcome = `${name}: ${(await asked[name]?.()) ?? "done"}`;
          done[outcome] = (done[outcome] ?? 0) + 1;
        });
        // Unless the site has changed meanwhile, too.
        if (isChanged && left === before) {
          left -= 1;
          byCrm += 1;
        }
      }
    }
    while (underWay.length > 0 && random.chance(0.7)) {
      const position = random.below(underWay.length);
      const [event] = underWay.splice(position, 1);
      if (position > 0) count("event out of order");
      if (event) crm.receive(event.headers, event.body);
    }
    if (random.chance(0.5)) await counting("entries mended by events", () => crm.readDue());
    if (minute === at(21)) {
      crm.people = backup.people;
      await counting("entries mended after the backup", () => crm.sync(backup.syncedAt));
    } else if (minute % 60 === 0) {
      await counting(`entries mended ${whens.get(minute) ?? "each hour"}`, () => crm.sync());
    }
  }
  // Whatever events are still on their way.
  crm.due.clear();
  await crm.sync();

  const list = await wholeList(key);
  const day = api.used();
  vi.restoreAllMocks();
  console.log(
    `Changes: on the site ${[...site.done.values()].reduce((sum, each) => sum + each, 0)}`,
    Object.fromEntries(site.done),
    `by the CRM ${byCrm}, all with ${CHANGES - left} changes; asked for`,
    done,
    Object.fromEntries(wrongs),
  );
  console.log(`First copy of ${PEOPLE}:`, first, "the day:", day, `list at the end: ${list.length}`);
  console.log(`entry_changes: ${(await rows("entry_changes")).length}`);

  expect(differences(crm.people, list)).toEqual([]);
  // No one twice: neither as an entry, nor as a draft that the site has an entry for.
  expect([...crm.drafts.keys()]).toEqual([]);
  expect(new Set([...crm.people.values()].map(({ email }) => email)).size).toBe(list.length);
  // An event that came twice is one line.
  expect(new Set(crm.timeline.map(({ id }) => id)).size).toBe(crm.timeline.length);
  // Everything happened.
  expect(left).toBeLessThanOrEqual(0);
  expect([...site.done.keys()].toSorted()).toEqual(site.changes.toSorted());
  expect([...wrongs.keys()]).toEqual(expect.arrayContaining(expectedWrongs));
  expect(Object.keys(done)).toEqual(expect.arrayContaining(outcomes));
  const expired = crm.timeline.filter(({ entryId }) => entryId > PEOPLE - EXPIRING && entryId <= PEOPLE);
  expect(expired.filter(({ type }) => type === "entry.erased").length).toBeGreaterThan(EXPIRING / 2);
  const timeline = new Set(crm.timeline.map(({ type }) => type));
  expect([...events].filter((event) => event !== "letter.finished" && !timeline.has(event))).toEqual([]);

  /** The list as it is now, read by another program that no one disturbs. */
  async function wholeList(of: string): Promise<CopiedEntry[]> {
    const entries: CopiedEntry[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const path = `/api/v1/entries?order=oldest&limit=100${cursor && `&cursor=${cursor}`}`;
      const response = await apiSite(unlimitedRates).request(path, { headers: { Authorization: `Bearer ${of}` } });
      const page = await response.json<{ entries: CopiedEntry[]; next_cursor: string | null }>();
      entries.push(...page.entries);
      cursor = page.next_cursor;
    }
    return entries;
  }
});

/** The API with the limit of a key, and a count of what its requests use. */
function meteredApi() {
  const meter = meteredD1();
  const { API_LIMIT } = locationLimits(Date.now);
  const settings = { CONFIRM_ADDRESSES: "on", WORKERS_PLAN: "paid" } as Partial<Env>;
  const site = apiSite({ ...unlimitedRates, ...settings, API_LIMIT: API_LIMIT as RateLimit, DB: meter.d1 });
  let used = { requests: 0, read: 0, written: 0 };
  return {
    async request(path: string, init: RequestInit): Promise<Response> {
      const response = await site.request(path, init);
      used.requests += 1;
      used.read += meter.rowsRead();
      used.written += meter.rowsWritten();
      meter.reset();
      return response;
    },
    used: () => used,
    reset: () => {
      used = { requests: 0, read: 0, written: 0 };
    },
  };
}

/** What people do in a CRM, by name. Some say what came of it. */
function crmChanges(crm: Crm, random: SeededRandom): Record<string, () => Promise<unknown>> {
  let added = 0;
  const person = (): CopiedEntry => random.pick([...crm.people.values()]);
  const newPerson = (email: string): NewPerson => ({
    email,
    consent: { at: new Date(Date.now() - random.below(30) * DAY).toISOString(), note: "Asked at the stall." },
    send_email: random.chance(0.3),
  });
  const newEmail = () => {
    added += 1;
    return `customer${added}@shop${added}.org`;
  };
  return {
    add: () => crm.add(newPerson(newEmail())),
    "add someone who is listed": () => crm.add(newPerson(person().email)),
    "add someone who may be gone": () => crm.add(newPerson(`person${1 + random.below(PEOPLE)}@town1.org`)),
    note: () => crm.change(person().id, { note: random.chance(0.2) ? null : `Called ${random.below(100)} times` }),
    answers: () => crm.change(person().id, { answers: { town: random.pick(["Leeds", "Bath", null]) } }),
    address: () => crm.change(person().id, { email: random.chance(0.1) ? person().email : newEmail() }),
    unsubscribe: async () => {
      const { id, status } = person();
      await crm.unsubscribe(id);
      return status === "active";
    },
    erase: () => crm.erase(person().id),
    find: async () => (await crm.find(random.chance(0.8) ? person().email : "no-one@nowhere.org")) !== null,
  };
}

/** Minutes of syncs that make good what the CRM was not told. */
const whens = new Map([
  [at(11), "after an hour without the CRM's server"],
  [at(19), "after an hour without an endpoint"],
]);

/** What went wrong, and was made good. */
const expectedWrongs = [
  ...["request lost", "answer lost", "event forged", "event lost", "event late", "event repeated"],
  ...["event out of order", "acceptance of an event lost", "endpoint off"],
  ...["by events", "each hour", "after the backup", ...whens.values()].map((when) => `entries mended ${when}`),
];

const outcomes = [
  ...["add: true", "add someone who is listed: true", "add someone who may be gone: true", "find: true", "find: false"],
  ...["note: 200", "answers: 200", "address: 200", "address: 409", "unsubscribe: true", "erase: done"],
];

/** How a copy differs from the list, in words. */
function differences(copy: Map<number, CopiedEntry>, list: CopiedEntry[]): string[] {
  const ids = new Set(list.map(({ id }) => id));
  const tooMany = [...copy.keys()].filter((id) => !ids.has(id)).map((id) => `${id} is not on the list`);
  const others = list.flatMap((entry) => {
    const copied = copy.get(entry.id);
    if (copied === undefined) return [`${entry.id} is missing`];
    const members = new Set([...Object.keys(entry), ...Object.keys(copied)]);
    return [...members].flatMap((member) => {
      const [own, real] = [copied[member], entry[member]].map((value) => JSON.stringify(value));
      return own === real ? [] : [`${entry.id}: ${member} is ${own}, not ${real}`];
    });
  });
  return [...tooMany, ...others];
}
