import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_RATE_LIMIT } from "#app/email/letters/sending-limits.ts";
import { seedLetter } from "#scripts/bench/letters/seed-letter.ts";
import { memorySampler } from "#scripts/bench/owner/export.ts";
import { databaseFile, migrate } from "#scripts/lib/local-database.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { startSite } from "#scripts/lib/running-site.ts";

export interface LetterMeasurement {
  people: number;
  /** Recipients that the provider accepted while it enforced its rate limit, in how many seconds, and the share of what it allows. */
  limited: { recipients: number; seconds: number; share: number };
  /** The same for the rest of the letter, without a limit. */
  unlimited: { recipients: number; seconds: number; perSecond: number };
  /** Rows that D1 wrote for each recipient, from queued to sent. */
  rowsPerRecipient: number;
  /** The most statements and requests that one run of the cron job made. */
  statements: number;
  /** Peak resident memory of the runtime in each quarter of the time without a limit (MB). */
  peaks: number[];
  /** Recipients who were sent the letter, by how often. */
  copies: Record<number, number>;
}

/** How often the cron job runs (milliseconds). */
const CRON = 60_000;

/** Sends a letter from the built Worker to a fake provider: first with its rate limit, for some minutes of the cron job. */
export async function measureLetter(people: number, minutes: number): Promise<LetterMeasurement> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-letters-"));
  const persistTo = join(folder, "state");
  migrate(persistTo);
  seedLetter(databaseFile(persistTo), people);
  const resend = await startFakeResend({ account: { rateLimit: DEFAULT_RATE_LIMIT }, failure: () => undefined });
  const vars = {
    SITE_URL: "https://waitlist-site.example",
    RESEND_API_KEY: "re_bench",
    RESEND_URL: resend.url,
    MAIL_PER_HOUR: "100000000",
    WORKERS_PLAN: "paid",
  };
  const site = await startSite({ folder, vars, migrated: false });
  try {
    const sent = () => resend.accepted().length;
    for (let minute = 0; minute < minutes; minute += 1) await Promise.all([site.sweep(), wait(CRON)]);
    const limited = { recipients: sent(), seconds: (minutes * CRON) / 1_000 };
    // The provider's headers still name a limit, far above what one runtime can use.
    resend.configure({ rateLimit: 10_000 });
    const sampler = await memorySampler(site.pid);
    const began = performance.now();
    for (let before = -1; sent() < people && sent() > before; ) {
      before = sent();
      await site.sweep();
    }
    const seconds = (performance.now() - began) / 1_000;
    const { peaks } = await sampler.stop();
    const rest = sent() - limited.recipients;
    const runs = site.logged("letters-run") as { statements: number; rowsWritten: number }[];
    const requests = Math.ceil(people / 100 / Math.max(1, runs.length));
    return {
      people,
      limited: { ...limited, share: limited.recipients / (DEFAULT_RATE_LIMIT * 100 * limited.seconds) },
      unlimited: { recipients: rest, seconds, perSecond: rest / seconds },
      rowsPerRecipient: runs.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0) / sent(),
      statements: Math.max(...runs.map(({ statements }) => statements)) + requests,
      peaks,
      copies: countCopies(resend.accepted().map(({ to }) => to)),
    };
  } finally {
    await site.stop();
    await resend.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function countCopies(addresses: string[]): Record<number, number> {
  const copies = new Map<string, number>();
  for (const address of addresses) copies.set(address, (copies.get(address) ?? 0) + 1);
  const people: Record<number, number> = {};
  for (const count of copies.values()) people[count] = (people[count] ?? 0) + 1;
  return people;
}
