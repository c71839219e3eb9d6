import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_RATE_LIMIT } from "#app/email/limits.ts";
import { atLeast, atMost, type Outcome } from "#scripts/bench/measurement.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { addLetter } from "#scripts/lib/seed-letter.ts";

const PEOPLE = 100_000;

/** How long the provider's rate limit applies (seconds). */
const LIMITED = 20;

/** Recipients of a request to the provider. */
const BATCH = 100;

/** Sends a letter to a fake provider: first with its rate limit, then without a limit. */
export async function measure(): Promise<Outcome> {
  const resend = await startFakeResend({ account: { rateLimit: DEFAULT_RATE_LIMIT } });
  const vars = {
    SITE_URL: "https://waitlist-site.example",
    RESEND_API_KEY: "re_bench",
    RESEND_URL: resend.url,
    MAIL_PER_HOUR: "100000000",
    WORKERS_PLAN: "paid",
  };
  await using site = await startSite({ vars });
  addLetter(databaseFile(site.persistTo), PEOPLE);
  const sent = () => resend.accepted().length;
  const recipients: number[] = [];
  const sweep = async () => {
    const before = sent();
    await site.sweep();
    recipients.push(sent() - before);
  };
  const began = performance.now();
  const unlimited = wait(LIMITED * 1_000).then(() => {
    // The provider's headers still name a limit, far above what one runtime can use.
    resend.configure({ rateLimit: 10_000 });
    return { sent: sent(), at: performance.now() };
  });
  await sweep();
  const limited = await unlimited;
  while (sent() < PEOPLE && recipients.at(-1) !== 0) await sweep();
  const perSecond = ((sent() - limited.sent) / (performance.now() - limited.at)) * 1_000;
  // The log of the last run may still be on its way.
  await wait(1_000);
  const runs = site.logged("letters-run") as { statements: number; rowsWritten: number }[];
  const rowsWritten = runs.reduce((sum, run) => sum + run.rowsWritten, 0);
  const statements = runs.map((run, index) => run.statements + Math.ceil((recipients[index] ?? 0) / BATCH));
  const limitedPerSecond = (limited.sent / (limited.at - began)) * 1_000;
  const share = limitedPerSecond / (DEFAULT_RATE_LIMIT * BATCH);
  const copies = Map.groupBy(resend.accepted(), ({ to }) => to);
  const once = Array.from(copies.values()).filter(({ length }) => length === 1).length;
  const rowsOfEach = rowsWritten / sent();
  const signUps = await signUpsBeside(site, async () => {
    addLetter(databaseFile(site.persistTo), 0);
    resend.configure({ rateLimit: DEFAULT_RATE_LIMIT });
    await site.sweep();
  });
  await resend.stop();
  const rates = {
    [`at ${DEFAULT_RATE_LIMIT} requests a second`]: Math.round(limitedPerSecond),
    "without a limit": Math.round(perSecond),
  };
  return {
    figures: [
      atLeast("letter, share of the provider's rate limit during a run", share, 0.8, "ratio"),
      atMost("letter, rows written for each recipient", rowsOfEach, 4, "ratio"),
      atMost("letter, statements and requests of a run", Math.max(...statements), 900, "number"),
      atLeast("letter, people who were sent it once", once, PEOPLE, "number"),
    ],
    tables: { "Recipients of a letter a second": [rates], "95 % of sign-ups take at most (ms)": [signUps] },
  };
}

/** Time between two sign-ups (milliseconds). */
const PAUSE = 500;

/** People sign up before and while something is done. @returns how long 95 % of them take at most (milliseconds) */
async function signUpsBeside(site: { url: string }, work: () => Promise<void>): Promise<Record<string, number>> {
  let people = 0;
  const signUp = async (): Promise<number> => {
    people += 1;
    const began = performance.now();
    const { status } = await fetch(`${site.url}/api/signup`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "CF-Connecting-IP": `10.1.${people >> 8}.${people & 255}` },
      body: JSON.stringify({ email: `beside${people}@example.com` }),
    });
    if (status !== 201) throw new Error(`a sign-up was answered with ${status}`);
    return performance.now() - began;
  };
  const during = async (goesOn: () => boolean): Promise<number> => {
    const times: number[] = [];
    while (goesOn()) {
      times.push(await signUp());
      await wait(PAUSE);
    }
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  };
  await signUp();
  const idle = await during(() => people < 60);
  let isDone = false;
  const [busy] = await Promise.all([during(() => !isDone), work().finally(() => (isDone = true))]);
  return { idle: Math.round(idle), "while a letter is written and sent": Math.round(busy) };
}
