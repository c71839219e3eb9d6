import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mapConcurrently } from "#scripts/lib/map-concurrently.ts";
import { startResend } from "#scripts/lib/resend-server.ts";
import { databaseFile, type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { type Visit, visits } from "#scripts/soak/traffic.ts";
import { judge, type Verdict } from "#scripts/soak/verdict.ts";

export interface SoakOptions {
  signUps: number;
  connections: number;
  /** How often the runtime is killed under load and started again on the same state. */
  kills: number;
  /** Told how far it is. */
  progress?: (line: string) => void;
}

/** What a visit was answered in the end. */
export interface Answered {
  visit: Visit;
  status: number;
  /** Tries that no answer came to, because the runtime had been killed. */
  unanswered: number;
}

/** A mail gets ten tries, and one more drain finds that nothing is left. */
const MAX_DRAINS = 11;

/** As many as one sweep sends. */
const SWEEP = 1_000;

/** Puts the built Worker under load, kills it on the way, drains its outbox, and judges what is left. */
export async function soak({ signUps, connections, kills, progress = () => {} }: SoakOptions): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), "stallwright-soak-"));
  const resend = await startResend();
  const vars = { RESEND_API_KEY: "re_soak", RESEND_URL: resend.url, MAIL_PER_HOUR: "1000000" };
  const start = () => startSite({ folder, vars });
  let site = start();
  try {
    const killAt = new Set(Array.from({ length: kills }, (_, n) => Math.floor((signUps * (n + 1)) / (kills + 1))));
    const sweeps: Promise<void>[] = [];
    let count = 0;
    const answered = await mapConcurrently(visits(signUps), connections, async (visit) => {
      const result = await visitUntilAnswered(visit, () => site);
      count += 1;
      if (killAt.has(count)) {
        progress(`${count} visits answered; killing the runtime`);
        // Replaced before it dies, so that whoever loses an answer waits for the next one.
        site = restart(site, start);
      } else if (count % SWEEP === 0) {
        sweeps.push(site.then((running) => running.sweep()).catch(() => {}));
      }
      return result;
    });
    await Promise.all(sweeps);
    progress(`${count} visits answered, ${resend.accepted().length} mails accepted`);

    for (let drain = 1; drain <= MAX_DRAINS; drain += 1) {
      await (await site).stop();
      const waiting = fastForward(await databaseFile(join(folder, "state")));
      site = start();
      if (waiting === 0) break;
      for (let sent = 0; sent <= waiting; sent += SWEEP) await (await site).sweep();
      progress(`drain ${drain}: of ${waiting} waiting; ${resend.accepted().length} mails accepted so far`);
    }
    const [entries, outbox] = await Promise.all([
      (await site).rows("waitlist_emails"),
      (await site).rows("mail_outbox"),
    ]);
    return judge({ answered, entries, outbox, accepted: resend.accepted() });
  } finally {
    await (await site).stop();
    await resend.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function restart(site: Promise<RunningSite>, start: () => Promise<RunningSite>): Promise<RunningSite> {
  await (await site).kill();
  return start();
}

/** Signs up, again if need be, as a person does; every second one then asks for the mail, as the page does. */
async function visitUntilAnswered(visit: Visit, site: () => Promise<RunningSite>): Promise<Answered> {
  for (let unanswered = 0; ; unanswered += 1) {
    const { url } = await site();
    try {
      const status = await post(`${url}/api/signup`, visit);
      if (visit.asksForEmail) await post(`${url}/api/send-welcome`, visit).catch(() => {});
      return { visit, status, unanswered };
    } catch (error) {
      if (unanswered >= 10) throw error;
    }
  }
}

async function post(url: string, { email, client }: Visit): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": client },
    body: JSON.stringify({ email }),
  });
  await response.arrayBuffer();
  return response.status;
}

/**
 * Lets the hours pass that mail waits for its next try and for the leases of killed senders.
 *
 * @returns how many mails still wait
 */
function fastForward(file: string): number {
  using database = new DatabaseSync(file);
  const waiting =
    "UPDATE mail_outbox SET next_attempt_at = 0, leased_until = 0 WHERE sent_at IS NULL AND dead_at IS NULL";
  return Number(database.prepare(waiting).run().changes);
}
