import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_RATE_LIMIT } from "#app/email/limits.ts";
import { atLeast, atMost, type Outcome } from "#scripts/bench/measurement.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
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
  addLetter(databaseFile(site.persistTo), 0);
  resend.configure({ rateLimit: DEFAULT_RATE_LIMIT });
  const signUps = await signUpsBeside(site);
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
      atMost(
        "letter, p95 of sign-ups beside it, in proportion to p95 without one",
        signUps.beside / signUps.idle,
        2,
        "ratio",
      ),
    ],
    tables: {
      "Recipients of a letter a second": [rates],
      "p95 of sign-ups (ms)": [
        { "without a letter": Math.round(signUps.idle), "beside one": Math.round(signUps.beside) },
      ],
    },
  };
}

/** Time between two sign-ups (milliseconds). */
const PAUSE = 500;

/** How many people sign up before each of two runs, the first of which writes the letter's recipients. */
const BEFORE_RUN = 60;

/** @returns p95 of the time that a sign-up takes (milliseconds): while nothing else is done, and while a letter is sent */
async function signUpsBeside(site: RunningSite): Promise<{ idle: number; beside: number }> {
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
    const took = performance.now() - began;
    await wait(PAUSE);
    return took;
  };
  await signUp();
  const times = { idle: [] as number[], beside: [] as number[] };
  for (let run = 0; run < 2; run += 1) {
    for (let before = 0; before < BEFORE_RUN; before += 1) times.idle.push(await signUp());
    let isDone = false;
    const swept = site.sweep().finally(() => (isDone = true));
    while (!isDone) times.beside.push(await signUp());
    await swept;
  }
  const p95 = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)] ?? Number.NaN;
  return { idle: p95(times.idle), beside: p95(times.beside) };
}
