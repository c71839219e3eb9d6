import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pMap from "p-map";
import { letters } from "#app/switches.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";

import { startLocalServer } from "#scripts/lib/ports.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { addLetter } from "#scripts/lib/seed-letter.ts";
import { createPeople } from "#scripts/soak/people.ts";
import { failures, providerFailure } from "#scripts/soak/provider-failure.ts";
import { type Exchange, flood, returns, type Subject, signUp, visits, WEBHOOK_SECRET } from "#scripts/soak/requests.ts";
import { judge, type Verdict } from "#scripts/soak/verdict.ts";

interface SoakOptions {
  signUps: number;
  connections: number;
  /** How often the runtime is killed under load and restarted on the same state. */
  kills: number;
  progress?: (line: string) => void;
}

/** Emails get ten attempts, more drains wait for what the provider put off, and each failed batch of a letter ends one. */
const maxDrains = (signUps: number) => 30 + signUps / 100;

/** Emails that one sweep sends on the paid plan, at least. */
const SWEEP = 700;

/**
 * Puts the built Worker under load and kills it several times, while the provider fails and reports bounces and
 * complaints, and while people leave. Drains the outbox, lets people come back, drains it again, and checks for losses.
 * Then one network floods it with sign-ups, half of whose emails bounce, and people leave while a letter is sent to them.
 */
export async function soak({ signUps, connections, kills, progress = () => {} }: SoakOptions): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-soak-"));
  const file = databaseFile(join(folder, "state"));
  const people = createPeople(() => site);
  let isDown = false;
  const failure = (nth: number) => providerFailure(nth, signUps, isDown);
  const resend = await startFakeResend({ failure, onAccepted: people.onAccepted });
  /** Takes everyone for a person. */
  const turnstile = await startLocalServer((_, response) => void response.end('{"success":true}'));
  const vars = {
    // The same after a restart on another port: emails contain it, and Resend refuses a key with a changed body.
    SITE_URL: "https://waitlist-site.example",
    RESEND_API_KEY: "re_soak",
    RESEND_URL: resend.url,
    RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET,
    MAIL_PER_HOUR: "1000000",
    WORKERS_PLAN: "paid",
    // https://developers.cloudflare.com/turnstile/troubleshooting/testing/
    TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
    TURNSTILE_SECRET: "1x0000000000000000000000000000000AA",
    TURNSTILE_URL: turnstile.url,
  };
  const start = () => startSite({ folder, vars });
  let site = start();
  let waiting = 0;

  /** Changes `site` at once: a request that fails while the runtime ends is repeated if `site` has changed. */
  function restart(end: "kill" | "stop", change = () => {}): Promise<RunningSite> {
    site = site
      .then((running) => running[end]())
      .then(() => {
        change();
        waiting = skipHours(file);
        return start();
      });
    return site;
  }

  async function load(all: Subject[], times: number): Promise<Exchange[]> {
    const killEvery = Math.ceil(all.length / (times + 1));
    const sweeps: Promise<void>[] = [];
    let count = 0;
    const results = await pMap(
      all,
      async (visit) => {
        const result = await signUp(() => site, visit);
        count += 1;
        const isKilled = count % killEvery === 0 && count < all.length;
        if (isKilled) {
          progress(`${count} visits done; killing the runtime`);
          restart("kill");
        }
        // After a restart, too: only a sweep ends the pause of a quota.
        if (isKilled || count % SWEEP === 0) sweeps.push(site.then((running) => running.sweep()).catch(() => {}));
        return result;
      },
      { concurrency: connections },
    );
    await Promise.all(sweeps);
    await people.settled();
    progress(`${count} visits done, ${resend.accepted().length} emails accepted`);
    return results;
  }

  async function drain(): Promise<void> {
    for (let drained = 1; drained <= maxDrains(signUps); drained += 1) {
      const before = resend.requests();
      const { sweep } = await restart("stop");
      if (waiting === 0) return;
      // A failure of the provider ends a run.
      let made: number;
      do {
        made = resend.requests();
        await sweep();
      } while (resend.requests() > made);
      await people.settled();
      progress(`drain ${drained}: ${waiting} were waiting; ${resend.accepted().length} accepted in total`);
      // What is left waits for a limit or for the owner.
      if (resend.requests() === before) return;
    }
  }

  try {
    const exchanges = await load(visits(signUps), kills);
    await drain();
    exchanges.push(...(await load(returns(people.returning()), 0)));
    await drain();
    // Without Turnstile, whose limits would stop nearly all of it.
    await restart("stop", () => Object.assign(vars, { TURNSTILE_SITE_KEY: "", TURNSTILE_SECRET: "" }));
    exchanges.push(...(await load(flood(Math.ceil(signUps / 4)), 0)));
    await drain();
    if (letters) {
      const { sweep } = await restart("stop", () => addLetter(file, 0));
      isDown = true;
      // A failure ends the run, and the next one attempts another batch.
      for (const _ of failures) await sweep();
      isDown = false;
      await people.leave();
      await drain();
    }
    await (await site).stop();
    using database = new DatabaseSync(file, { timeout: 5_000 });
    const { stats, losses } = await judge(database, [...exchanges, ...people.exchanges], resend.accepted());
    return { stats: { ...stats, "requests to the provider": resend.requests() }, losses };
  } finally {
    await (await site).stop();
    await Promise.all([resend.stop(), turnstile.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Skips the hours until the next attempts of emails and of a letter's batches, the end of killed senders' leases and the
 * end of pauses, of which the owner ends some.
 *
 * @returns how many emails are waiting, other than the welcomes of people who have left, which are never sent; an
 *   unfinished letter counts as one
 */
function skipHours(file: string): number {
  // A killed runtime may hold its locks a moment longer than Wrangler lives.
  using database = new DatabaseSync(file, { timeout: 5_000 });
  const changes = (sql: string) => Number(database.prepare(sql).run().changes);
  database.prepare("UPDATE email_pauses SET until = ? WHERE scope IN ('all', 'unverified')").run(Date.now());
  database.exec("DELETE FROM email_pauses WHERE scope IN ('letter', 'follow-ups')");
  database.exec("UPDATE letter_batches SET next_attempt_at = 0, leased_until = 0");
  const unfinished = "UPDATE letters SET state = 'sending' WHERE state = 'sending'";
  const emails = `UPDATE email_outbox SET next_attempt_at = 0, leased_until = 0
    WHERE done_at IS NULL AND dead_at IS NULL AND NOT (kind = 'welcome' AND EXISTS (
      SELECT 1 FROM waitlist_emails WHERE id = entry_id AND status = 'unsubscribed'))`;
  return changes(emails) + changes(unfinished);
}
