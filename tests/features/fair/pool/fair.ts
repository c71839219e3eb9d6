import { env } from "cloudflare:test";
import { fairJobs } from "#app/features/fair/add-due.server.ts";
import { armDevice, findDevice, makeDevice } from "#app/features/fair/devices.server.ts";
import { receive } from "#app/features/fair/inbox.server.ts";
import type { SealedSignUp } from "#app/features/fair/protocol.ts";
import { seal, toBase64Url } from "#app/features/fair/seal.ts";
import type { WorkersPlan } from "#app/server/config/plan-limits.ts";
import { sha256 } from "#app/server/hashes/random-token.server.ts";
import { runJobs } from "#app/server/queue.server.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { db } from "#tests/support/pool/start.ts";

/** A key as a tablet makes it. */
export const newTabletKey = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

/** @returns the code of a device that the owner has made */
export async function newDevice({ now = Date.now(), event = "Spring Fair", days = 1 } = {}) {
  const made = await makeDevice(db, { event, days }, now);
  if (made === null) throw new Error("no device was made");
  return made.code;
}

/** What a tablet sends of one person. */
export async function sealedSignUp(
  { device, publicKey }: { device: number; publicKey: string },
  email: string,
  given: Partial<SealedSignUp> & { answers?: Record<string, string> } = {},
): Promise<SealedSignUp> {
  const { id = crypto.randomUUID(), at = Date.now(), consent = newsOnly.version, answers = {} } = given;
  const sealed = given.sealed ?? (await seal(publicKey, id, device, JSON.stringify({ email, answers })));
  return { id, at, consent, sealed };
}

/** A tablet that has scanned its code. */
export async function armedDevice({ now = Date.now(), event = "Spring Fair", days = 1 } = {}) {
  const key = newTabletKey();
  const armed = await armDevice(db, { code: await newDevice({ now, event, days }), key }, now);
  if (armed === null) throw new Error("the device was not armed");
  const row = async () => {
    const device = await findDevice(db, await sha256(key));
    if (device === null) throw new Error("the device is gone");
    return device;
  };
  const send = async (signUps: SealedSignUp[], at: number, waiting = signUps.length, hasEnded = false) =>
    receive(db, await row(), { waiting, hasEnded, signUps }, at);
  return {
    ...armed,
    key,
    row,
    send,
    sealed: (email: string, given: Parameters<typeof sealedSignUp>[2] = {}) => sealedSignUp(armed, email, given),
    /** Stores one sign-up. @returns its id */
    async store(email: string, given: Parameters<typeof sealedSignUp>[2] & { now?: number } = {}) {
      const signUp = await sealedSignUp(armed, email, { at: now, ...given });
      await send([signUp], given.now ?? now);
      return signUp.id;
    },
  };
}

export interface InboxRow {
  id: string;
  device_id: number;
  state: string;
  reason: string | null;
  changed_at: number;
  typed_at: number;
}

export async function inbox(): Promise<InboxRow[]> {
  return (await env.DB.prepare("SELECT * FROM fair_inbox ORDER BY typed_at, id").all<InboxRow>()).results;
}

/** How many sign-ups were decided. */
export async function decided(): Promise<number> {
  return Number(await env.DB.prepare("SELECT count(*) AS count FROM fair_sign_ups").first("count"));
}

/** The fair's jobs in a run of the cron job. */
export function addDue(
  now: number,
  options: { plan?: WorkersPlan; d1?: D1Database; vars?: object; deps?: object } = {},
) {
  const { plan = "paid", d1 = env.DB, vars, deps } = options;
  const app = { ...scheduledApp(now, { d1, vars: { WORKERS_PLAN: plan, ...vars } }), ...deps };
  return runJobs(app, [fairJobs], { subrequests: app.plan.subrequests, until: now + 55_000 });
}

/** What is in the inbox and neither held nor going to be added by a job. */
export async function withoutJob() {
  const ofNext = "iif(state = 'due', data IS NULL, data ->> 'signUp' = fair_inbox.id)";
  const { results } = await env.DB.prepare(
    `SELECT id FROM fair_inbox WHERE state <> 'held' AND NOT EXISTS (SELECT 1 FROM jobs
      WHERE kind = 'fair' AND subject = device_id AND done_at IS NULL AND dead_at IS NULL AND ${ofNext})`,
  ).all();
  return results;
}
