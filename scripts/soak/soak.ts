import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { mapConcurrently } from "#scripts/lib/map-concurrently.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { insist } from "#scripts/soak/insist.ts";
import { createPeople } from "#scripts/soak/people.ts";
import { providerFailures } from "#scripts/soak/provider-failures.ts";
import { returns, type Visit, visits } from "#scripts/soak/traffic.ts";
import { judge, type Verdict } from "#scripts/soak/verdict.ts";
import { WEBHOOK_SECRET } from "#scripts/soak/webhooks.ts";

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
  body: string;
  /** When the visit began (milliseconds since 1970). */
  at: number;
  /** Requests without a response, because the runtime had been killed. */
  failedRequests: number;
}

/** Emails get ten attempts, and more drains wait for what the provider put off. */
const MAX_DRAINS = 30;

/** Emails that one sweep sends on the paid plan, at least. */
const SWEEP = 700;

const HASH_KEY = "for-the-soak-only-hash-key-0123456789";

/**
 * Puts the built Worker under load and kills it several times, while the provider fails and reports bounces and
 * complaints, and while people leave. Drains the outbox, lets people come back, drains it again, and checks for losses.
 */
export async function soak({ signUps, connections, kills, progress = () => {} }: SoakOptions): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-site-soak-"));
  const people = createPeople(() => site);
  const failures = providerFailures(signUps);
  const resend = await startFakeResend({ failure: failures.next, onAccepted: people.onAccepted });
  const vars = {
    // The same after a restart on another port: emails contain it, and Resend refuses a key with a changed body.
    SITE_URL: "https://waitlist-site.example",
    HASH_KEY,
    RESEND_API_KEY: "re_soak",
    RESEND_URL: resend.url,
    RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET,
    MAIL_PER_HOUR: "1000000",
    WORKERS_PLAN: "paid",
  };
  const start = () => startSite({ folder, vars });
  const skipHours = async () => fastForward(databaseFile(join(folder, "state")));
  let site = start();

  /** Assign the result to `site` at once: a request that fails while the runtime ends is repeated if `site` has changed. */
  async function restart(end: (running: RunningSite) => Promise<void>): Promise<RunningSite> {
    await end(await site);
    return start();
  }

  async function load(all: Visit[], killAt: Set<number>): Promise<VisitResult[]> {
    const sweeps: Promise<void>[] = [];
    let count = 0;
    const results = await mapConcurrently(all, connections, async (visit) => {
      const result = await visitUntilResponse(visit, () => site);
      count += 1;
      if (killAt.has(count)) {
        progress(`${count} visits done; killing the runtime`);
        site = restart(async (running) => {
          await running.kill();
          await skipHours();
        });
      }
      // After a restart, too: only a sweep ends the hold of a quota.
      if (killAt.has(count) || count % SWEEP === 0) {
        sweeps.push(site.then((running) => running.sweep()).catch(() => {}));
      }
      return result;
    });
    await Promise.all(sweeps);
    await people.settled();
    progress(`${count} visits done, ${resend.accepted().length} emails accepted`);
    return results;
  }

  async function drain(): Promise<void> {
    for (let drained = 1; drained <= MAX_DRAINS; drained += 1) {
      let waiting = 0;
      site = restart(async (running) => {
        await running.stop();
        waiting = await skipHours();
      });
      await site;
      if (waiting === 0) return;
      for (let sent = 0; sent <= waiting; sent += SWEEP) await (await site).sweep();
      await people.settled();
      progress(`drain ${drained}: ${waiting} emails were waiting; ${resend.accepted().length} accepted in total`);
    }
  }

  try {
    const killAt = new Set(Array.from({ length: kills }, (_, n) => Math.floor((signUps * (n + 1)) / (kills + 1))));
    const results = await load(visits(signUps), killAt);
    await drain();
    const returned = await load(returns(people.returning()), new Set());
    // No sender is left that could have claimed an email before its recipient leaves.
    site = restart((running) => running.stop());
    await people.finish(connections);
    await drain();
    const [entries, outbox, suppressions] = await Promise.all([
      (await site).rows("waitlist_emails"),
      (await site).rows("email_outbox"),
      (await site).rows("suppressions"),
    ]);
    const hashes = new Set(suppressions.map(({ address_hash }) => address_hash));
    const accepted = resend.accepted();
    const addresses = [...new Set([...accepted.map(({ to }) => to), ...people.webhooks().map(({ email }) => email)])];
    const hashed = await Promise.all(addresses.map((address) => keyedHash("address:v1", address, HASH_KEY)));
    return judge({
      results: [...results, ...returned],
      entries,
      outbox,
      accepted,
      departures: people.departures(),
      webhooks: people.webhooks(),
      failedLinks: people.failedLinks(),
      suppressed: new Set(addresses.filter((_, n) => hashes.has(hashed[n]))),
      limits: failures.counts,
    });
  } finally {
    await (await site).stop();
    await resend.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Signs up, retrying like a person; every second visit then requests the welcome email, as the page does. */
async function visitUntilResponse(visit: Visit, site: () => Promise<RunningSite>): Promise<VisitResult> {
  const at = Date.now();
  const { response, body, failedRequests } = await insist(site, ({ url }) => post(`${url}/api/signup`, visit));
  if (visit.requestsEmail) {
    const { url } = await site();
    await post(`${url}/api/send-welcome`, visit)
      .then((answer) => answer.arrayBuffer())
      .catch(() => {});
  }
  return { visit, status: response.status, body, at, failedRequests };
}

async function post(url: string, { email, client }: Visit): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": client },
    body: JSON.stringify({ email }),
  });
}

/**
 * Skips the hours until the emails' next attempts, the end of killed senders' leases and the end of holds.
 *
 * @returns how many emails are waiting, other than the welcomes of people who have left, which are never sent
 */
function fastForward(file: string): number {
  // A killed runtime may hold its locks a moment longer than Wrangler lives.
  using database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec("UPDATE email_holds SET until = 0");
  const waiting = `UPDATE email_outbox SET next_attempt_at = 0, leased_until = 0
    WHERE sent_at IS NULL AND dead_at IS NULL AND NOT (kind = 'welcome' AND EXISTS (
      SELECT 1 FROM waitlist_emails WHERE id = entry_id AND status = 'unsubscribed'))`;
  return Number(database.prepare(waiting).run().changes);
}
