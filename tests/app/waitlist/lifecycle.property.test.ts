import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DeliveryDeps, sendWelcome, sweepOutbox } from "#app/email/deliver.server.ts";
import { claimDue, LEASE } from "#app/email/outbox.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry, eraseEntry, rejoinEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailRecorder } from "#tests/support/pool/email-recorder.ts";
import { anySeed } from "#tests/support/pool/fuzz.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
const seed = anySeed();
captureLog();

const RUNS = 200;
const HALF_DAY = 12 * 3_600_000;

/** What can happen to somebody, by whoever does it. `die` is a sender that claims mail and is killed. */
const deeds = ["sign up", "ask for mail", "unsubscribe", "rejoin", "erase", "sweep", "die"] as const;

interface Deed {
  what: (typeof deeds)[number];
  who: number;
}

/** What happens at once, and how much later the next things happen (milliseconds). */
interface Round {
  deeds: Deed[];
  pause: number;
}

/** Mostly one person's, and mostly what races: two people who never meet show little. */
const anyDeed = fc.record({
  what: fc.oneof(fc.constantFrom(...deeds), {
    weight: 2,
    arbitrary: fc.constantFrom("ask for mail", "sweep", "unsubscribe", "rejoin"),
  }),
  who: fc.constantFrom(0, 0, 0, 1),
});
const anyRound: fc.Arbitrary<Round> = fc.record({
  deeds: fc.array(anyDeed, { minLength: 1, maxLength: 5 }),
  pause: fc.constantFrom(0, 60_000, LEASE, HALF_DAY),
});
const birth: Round = { deeds: [{ what: "sign up", who: 0 }], pause: 0 };
const anyLife = fc.record({
  rounds: fc.array(anyRound, { minLength: 2, maxLength: 8 }).map((rounds) => [birth, ...rounds]),
  failures: fc.infiniteStream(fc.boolean()),
});

type Entry = { id: number; email: string; status: "active" | "unsubscribed" };

test(`${RUNS} lives of two addresses, in any order and at once: every mail that is owed, once, and none that is not`, {
  timeout: 120_000,
}, async () => {
  const clock = { now: Date.UTC(2026, 10, 21) };
  let lives = 0;
  await fc.assert(
    fc.asyncProperty(anyLife, async ({ rounds, failures }) => {
      lives += 1;
      await live(lives, clock, rounds, failures);
    }),
    { seed, numRuns: RUNS },
  );
});

async function live(life: number, clock: { now: number }, rounds: Round[], failures: fc.Stream<boolean>) {
  const db = openDb(env.DB);
  await env.DB.exec("DELETE FROM waitlist_emails");
  const emails = [`ada${life}@example.com`, `grace${life}@example.com`];
  let before = new Map<number, Entry>();
  let now: Deed[] = [];
  let calm = false;
  const wrong: string[] = [];
  const { mailer, handed } = emailRecorder(async ({ kind, entryId }) => {
    // What somebody did at the same moment may come too late for a mail that is on its way; what they did before not.
    const entry = before.get(entryId);
    const wanted = kind === "welcome" ? "active" : "unsubscribed";
    const isNews = entry === undefined ? did("sign up") : did(kind === "welcome" ? "rejoin" : "unsubscribe");
    if (entry?.status !== wanted && !isNews) wrong.push(`${kind} to ${entry?.status ?? "nobody"}`);
    await env.DB.prepare("SELECT 1").run();
    if (!calm && failures.next().value) throw new Error("no mail today");
  });
  const did = (what: Deed["what"]) => now.some((deed) => deed.what === what);
  const deps: DeliveryDeps = {
    db,
    mailer,
    emailsPerHour: 1_000_000,
    facts: { siteUrl: env.SITE_URL, replyTo: env.CONTACT_EMAIL, linkSecret: env.LINK_SECRET },
    now: () => clock.now,
  };

  const known = new Map<string, number>();
  async function look(): Promise<Map<number, Entry>> {
    const entries = await rows<Entry>("waitlist_emails");
    for (const { email, id } of entries) known.set(email, id);
    return new Map(entries.map((entry) => [entry.id, entry]));
  }
  function act({ what, who }: Deed): Promise<unknown> {
    const email = emails[who] ?? "";
    // The link of the last mail, be its entry there or not.
    const id = known.get(email) ?? 0;
    switch (what) {
      case "sign up":
        return addEntry(db, { email, source: "landing_page", columns: {}, now: clock.now });
      case "ask for mail":
        return sendWelcome(deps, email);
      case "unsubscribe":
        return unsubscribeEntry(db, id, clock.now);
      case "rejoin":
        return rejoinEntry(db, id, clock.now);
      case "erase":
        return eraseEntry(db, id);
      case "sweep":
        return sweepOutbox(deps);
      case "die":
        return claimDue(db, { now: clock.now, limit: 1, perHour: 1_000_000, email });
    }
  }

  for (const round of rounds) {
    before = await look();
    now = round.deeds;
    await Promise.all(round.deeds.map(act));
    const after = await look();
    for (const { id, status } of before.values()) {
      const left = after.get(id)?.status ?? "erased";
      if (left === "erased") expect(did("erase")).toBe(true);
      else if (left !== status) expect(did(status === "active" ? "unsubscribe" : "rejoin")).toBe(true);
    }
    clock.now += round.pause;
  }

  // Nothing fails any more, and everything is due.
  calm = true;
  now = [];
  clock.now += 2 * HALF_DAY;
  before = await look();
  await sweepOutbox(deps);
  expect(wrong).toEqual([]);
  const welcomed = (id: number) =>
    handed.filter((mail) => mail.kind === "welcome" && mail.entryId === id && mail.accepted);
  for (const { id, status } of before.values()) {
    if (status === "active") expect(welcomed(id)).toHaveLength(1);
    else expect(welcomed(id).length).toBeLessThanOrEqual(1);
  }
  const owed = await rows<{ entry_id: number; sent_at: number | null; dead_at: number | null }>("mail_outbox");
  expect(owed.filter(({ dead_at }) => dead_at !== null)).toEqual([]);
}
