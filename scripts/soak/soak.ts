import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mapConcurrently } from "#scripts/lib/map-concurrently.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { databaseFile, type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { type Visit, visits } from "#scripts/soak/traffic.ts";
import { judge, type Verdict } from "#scripts/soak/verdict.ts";

export interface SoakOptions {
  signUps: number;
  connections: number;
  /** How often the runtime is killed under load and restarted on the same state. */
  kills: number;
  progress?: (line: string) => void;
}

export interface VisitResult {
  visit: Visit;
  status: number;
  /** Requests without a response, because the runtime had been killed. */
  failedRequests: number;
}

/** Emails get ten attempts; one more drain finds that none is left. */
const MAX_DRAINS = 11;

/** Emails that one sweep sends on the paid plan, at least. */
const SWEEP = 700;

/** Puts the built Worker under load, kills it several times, drains its outbox, and checks for losses. */
export async function soak({ signUps, connections, kills, progress = () => {} }: SoakOptions): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), "stallwright-soak-"));
  const resend = await startFakeResend();
  const vars = {
    // The same after a restart on another port: emails contain it, and Resend refuses a key with a changed body.
    SITE_URL: "https://stallwright.example",
    RESEND_API_KEY: "re_soak",
    RESEND_URL: resend.url,
    MAIL_PER_HOUR: "1000000",
    WORKERS_PLAN: "paid",
  };
  const start = () => startSite({ folder, vars });
  let site = start();
  try {
    const killAt = new Set(Array.from({ length: kills }, (_, n) => Math.floor((signUps * (n + 1)) / (kills + 1))));
    const sweeps: Promise<void>[] = [];
    let count = 0;
    const results = await mapConcurrently(visits(signUps), connections, async (visit) => {
      const result = await visitUntilResponse(visit, () => site);
      count += 1;
      if (killAt.has(count)) {
        progress(`${count} visits done; killing the runtime`);
        // Replaced before the runtime dies, so that visits without a response wait for the new one.
        site = restart(site, start);
      } else if (count % SWEEP === 0) {
        sweeps.push(site.then((running) => running.sweep()).catch(() => {}));
      }
      return result;
    });
    await Promise.all(sweeps);
    progress(`${count} visits done, ${resend.accepted().length} emails accepted`);

    for (let drain = 1; drain <= MAX_DRAINS; drain += 1) {
      await (await site).stop();
      const waiting = fastForward(await databaseFile(join(folder, "state")));
      site = start();
      if (waiting === 0) break;
      for (let sent = 0; sent <= waiting; sent += SWEEP) await (await site).sweep();
      progress(`drain ${drain}: ${waiting} emails were waiting; ${resend.accepted().length} accepted in total`);
    }
    const [entries, outbox] = await Promise.all([
      (await site).rows("waitlist_emails"),
      (await site).rows("email_outbox"),
    ]);
    return judge({ results, entries, outbox, accepted: resend.accepted() });
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

/** Signs up, retrying like a person; every second visit then requests the welcome email, as the page does. */
async function visitUntilResponse(visit: Visit, site: () => Promise<RunningSite>): Promise<VisitResult> {
  for (let failedRequests = 0; ; failedRequests += 1) {
    const { url } = await site();
    try {
      const status = await post(`${url}/api/signup`, visit);
      if (visit.requestsEmail) await post(`${url}/api/send-welcome`, visit).catch(() => {});
      return { visit, status, failedRequests };
    } catch (error) {
      if (failedRequests >= 10) throw error;
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
 * Skips the hours until the emails' next attempts and the end of killed senders' leases.
 *
 * @returns how many emails are waiting
 */
function fastForward(file: string): number {
  using database = new DatabaseSync(file);
  const waiting =
    "UPDATE email_outbox SET next_attempt_at = 0, leased_until = 0 WHERE sent_at IS NULL AND dead_at IS NULL";
  return Number(database.prepare(waiting).run().changes);
}
