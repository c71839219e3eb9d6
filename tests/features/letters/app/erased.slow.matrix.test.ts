import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { claimDue } from "#app/email/outbox.server.ts";
import { startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { eraseEntry, eraseExpired } from "#app/waitlist/entries/erase-entries.server.ts";
import { runBulk } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { addPeople, HOUR, letterHarness, MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { waysOfLeaving } from "#tests/features/letters/pool/ways-of-leaving.ts";
import { execute, freshDatabaseForEachTest, sampleCases } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

/* Whoever is erased is in no row, whatever was happening to their emails at that moment. */

const NUMBER = 987_654;
const EMAIL = "person2@example.com";
const ANSWER = "Grace of the second stall";
const NAMED_HASHES = ["erased_addresses", "suppressions"];

type Site = Awaited<ReturnType<typeof waiting>>;

const [, eraseThemselves] = waysOfLeaving.find(([way]) => way === "erases themselves") ?? fail();

const ways: Record<string, (site: Site) => Promise<unknown>> = {
  "by themselves": ({ db, deps }) => eraseThemselves({ db, now: deps.now, id: NUMBER, email: EMAIL }),
  // A program erases with the same function.
  "by an owner or a program": ({ db, clock }) => eraseEntry(db, NUMBER, clock.now),
  async "with all others"({ db, clock }) {
    const erasure = { kind: "erase", selection: {}, newestEntryId: NUMBER + 1, expected: 3, now: clock.now } as const;
    await startBulkAction(db, erasure);
    await runBulk(clock.now, { d1: env.DB });
  },
  async "after two years"({ db, clock }) {
    await env.DB.exec(`UPDATE waitlist_emails SET created_at = 1 WHERE id = ${NUMBER}`);
    await eraseExpired(db, clock.now);
  },
};

function fail(): never {
  throw new Error("There is no such way");
}

/** Three people whose welcome emails wait, and a letter to them that greets with an answer. */
async function waiting() {
  const columns = { first_name: ANSWER };
  await addPeople(3, 1, (n) => ({ answers: n === 2 ? JSON.stringify(columns) : null }));
  await env.DB.exec(`UPDATE waitlist_emails SET id = ${NUMBER} WHERE id = 2`);
  await env.DB.exec(`UPDATE waitlist_emails SET id = ${NUMBER} + 1 WHERE id = 3`);
  const harness = await letterHarness();
  const insert = "INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, next_attempt_at, created_at)";
  const values = "SELECT 'email-' || rowid, id, 'welcome', 'welcome:' || id, 1, ?1, ?1 FROM waitlist_emails";
  await execute(`${insert} ${values}`, harness.clock.now);
  const id = await harness.start({ body: "Hello {{role|there}}." });
  return { ...harness, id };
}

/** What was happening, and then the erasing. */
const moments: Record<string, (site: Site, erase: () => Promise<unknown>) => Promise<unknown>> = {
  "before anything was written": (_site, erase) => erase(),
  async "while their emails were queued"(site, erase) {
    // The letter's recipients are written, and all email is paused.
    await execute("INSERT INTO email_pauses VALUES ('all', 0, 'wrong-key', ?, 0)", site.clock.now + MINUTE);
    await site.sweep();
    await erase();
  },
  async "while their email was claimed"(site, erase) {
    await claimDue(site.db, { now: site.clock.now, limit: 10, perHour: 500, owners: [] });
    await erase();
  },
  async "during the requests"(site, erase) {
    const { mailer } = site.deps;
    const erasing = {
      ...mailer,
      async send(...email: Parameters<typeof mailer.send>) {
        await erase();
        return mailer.send(...email);
      },
      async batch(...emails: Parameters<NonNullable<typeof mailer.batch>>) {
        await erase();
        return mailer.batch?.(...emails) ?? fail();
      },
    };
    await site.sweep(undefined, { mailer: erasing });
  },
  async "while their emails were in doubt"(site, erase) {
    await site.resend.fail(...Array.from({ length: 4 }, () => "accepted-without-response" as const));
    await site.sweep();
    await erase();
  },
  async "after they were sent"(site, erase) {
    await site.sweep();
    await erase();
  },
};

const cases = Object.keys(moments).flatMap((moment) => Object.keys(ways).map((way) => ({ moment, way })));

test.each(sampleCases(cases))("erased $way $moment, a person is in no row", async ({ moment, way }) => {
  const site = await waiting();
  let isErased = false;
  await moments[moment]?.(site, async () => {
    if (!isErased) await ways[way]?.(site);
    isErased = true;
  });
  expect(await traces()).toEqual([]);
  for (let run = 0; run < 4; run += 1) {
    await site.pass(run === 0 ? 3 * MINUTE : 12 * HOUR);
    await site.sweep();
    expect(await traces()).toEqual([]);
  }
  const stats = await readLetterStats(site.db, await site.letter(site.id), "UTC");
  const { expected, pending, sent, skipped, failed, unknown } = stats;
  expect({ pending, sum: sent + skipped + failed + unknown }).toEqual({ pending: 0, sum: expected });
});

/** Where the person's number, address, hash or answer still stands. */
async function traces(): Promise<string[]> {
  const hash = await keyedHash("address:v1", EMAIL, env.HASH_KEY);
  const tables = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'",
  ).all<{ name: string }>();
  const found = await Promise.all(
    tables.results.map(async ({ name }) => {
      const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
      const text = JSON.stringify(results);
      const numbers = [",", "}", '"'].map((end) => `:${NUMBER}${end}`);
      const secrets = [...numbers, EMAIL, ANSWER, ...(NAMED_HASHES.includes(name) ? [] : [hash])];
      return secrets.filter((secret) => text.includes(secret)).map((secret) => `${name}: ${secret}`);
    }),
  );
  return found.flat();
}
