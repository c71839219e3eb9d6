import { env } from "cloudflare:test";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import type { DeliveryDeps } from "#app/email/sender.server.ts";
import { countAudience } from "#app/features/letters/send/audience.server.ts";
import { dueBatches, type LetterDeps } from "#app/features/letters/send/due-batches.server.ts";
import { startLetter } from "#app/features/letters/send/letter-states.server.ts";
import { readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import {
  createLetter,
  findLetter,
  type LetterDraft,
  type ShownLetter,
} from "#app/features/letters/send/letters.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import type { Mailer } from "#app/server/mailer.server.ts";
import type { AccountOptions } from "#scripts/lib/resend-rules.ts";
import type { Kill } from "#tests/support/pool/d1.ts";
import { emailContext, sendAll } from "#tests/support/pool/emails.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";
import { execute, sampleCases } from "#tests/support/pool/start.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** What a run leaves to letters, and what it needs besides. */
const LETTER_SUBREQUESTS = 870;
const SENDER_SUBREQUESTS = 30;

const START = Date.UTC(2026, 10, 21, 12);

type Options = AccountOptions & { d1?: D1Database; perHour?: number; timeZone?: string };

/** Letters on the real database, sent to an account of the fake Resend, with a clock that waiting advances. */
export async function letterHarness({ d1 = env.DB, perHour = 1_000_000, timeZone = "UTC", ...account }: Options = {}) {
  const clock = { now: START };
  const resend = await openResendAccount(account);
  const now = () => clock.now;
  const deps = {
    db: openDb(d1),
    mailer: resendMailer({ apiKey: "re_test", from: "pioneers@waitlist-site.example", url: resend.url }) as Mailer,
    plan: planLimits.paid,
    emailsPerHour: perHour,
    emailContext: { ...emailContext, siteUrl: "https://waitlist-site.example", ownerTimeZone: timeZone },
    now,
    wait: async (milliseconds: number) => {
      clock.now += milliseconds;
    },
    turnstile: null,
  } satisfies LetterDeps & DeliveryDeps;
  const audienceDeps = { db: deps.db, timeZone, now };

  const draftLetter = (draft: Partial<LetterDraft> = {}) =>
    createLetter(deps.db, { subject: "We open on Friday", body: "Hello.\n\nCome and see.", ...draft }, clock.now);

  return {
    clock,
    deps,
    db: deps.db,
    resend,
    audienceDeps,
    /** Lets time pass, for the provider as well. */
    async pass(milliseconds: number) {
      clock.now += milliseconds;
      await resend.advance(milliseconds);
    },
    /** Sends emails as a run of the cron job does, with this many statements and requests for letters. */
    sweep: (subrequests = LETTER_SUBREQUESTS, replaced: Partial<typeof deps> = {}) =>
      sendAll({ ...deps, ...replaced }, subrequests + SENDER_SUBREQUESTS, dueBatches),
    draft: draftLetter,
    /** Creates a letter and starts it. @returns its id */
    async start(draft: Partial<LetterDraft> = {}): Promise<number> {
      const id = await draftLetter(draft);
      const count = await countAudience(audienceDeps, draft.audience ?? { filter: {} });
      const outcome = await startLetter(audienceDeps, id, { count });
      if (outcome.kind !== "started") throw new Error(`The letter did not start: ${outcome.kind}`);
      return id;
    },
    async letter(id: number): Promise<ShownLetter> {
      const letter = await findLetter(deps.db, id);
      if (letter === null) throw new Error(`There is no letter ${id}`);
      return letter;
    },
    /** The addresses of letters that the provider accepted, in order of address. */
    async accepted(): Promise<string[]> {
      return (await resend.state()).accepted.map(({ to }) => to).toSorted();
    },
  };
}

export type LetterHarness = Awaited<ReturnType<typeof letterHarness>>;

/** Letters with one that has started, to so many people. */
export async function startedLetter(count: number, options: Options = {}, draft: Partial<LetterDraft> = {}) {
  const people = await addPeople(count);
  const harness = await letterHarness(options);
  const id = await harness.start(draft);
  const letter = () => harness.letter(id);
  const stats = async () => readLetterStats(harness.db, await letter(), "UTC");
  return { ...harness, people, id, letter, stats };
}

/**
 * Adds people with confirmed consent: `person1@example.com` and so on.
 *
 * @param more other columns of the nth
 * @returns their addresses, in order
 */
export async function addPeople(count: number, first = 1, more = (_n: number): object => ({})): Promise<string[]> {
  const none = { metadata: "{}", created_at: START - 24 * HOUR, answers: null, consent_version: null };
  const people = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const email = `person${first + index}@example.com`;
      const address_hash = await keyedHash("address:v1", email, env.HASH_KEY);
      return { email, address_hash, ...none, ...more(first + index) };
    }),
  );
  const columns = ["email", "address_hash", ...Object.keys(none)];
  const values = columns.map((name) => `value ->> '${name}'`).join();
  const insert = `INSERT INTO waitlist_emails (${columns.join()}) SELECT ${values} FROM json_each(?)`;
  await execute(insert, JSON.stringify(people));
  return people.map(({ email }) => email).toSorted();
}

/** Rows of `letter_recipients`, in order. */
export async function recipients() {
  const { results } = await env.DB.prepare("SELECT * FROM letter_recipients ORDER BY letter_id, position").all<{
    letter_id: number;
    position: number;
    entry_id: number | null;
    state: string;
    reason: string | null;
    bounced_at: number | null;
    complained_at: number | null;
    unsubscribed_at: number | null;
  }>();
  return results;
}

/** Kills before and after each of so many steps: all of them nightly, with `npm test` a few. */
export function killsOf(steps: number, every = 7): Kill[] {
  const kills = Array.from({ length: steps }, (_, index) =>
    (["before", "after"] as const).map((when) => ({ step: index + 1, when })),
  );
  return sampleCases(kills.flat(), every);
}
