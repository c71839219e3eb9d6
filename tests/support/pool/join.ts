import { env } from "cloudflare:test";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import type { Campaign } from "#app/waitlist/campaign.ts";
import { newsOnly } from "#app/waitlist/consent-wording.ts";

export interface Joining extends Campaign {
  source?: string;
  mustConfirm?: boolean;
  /** The version of the consent wording. */
  wording?: string;
  /** Milliseconds since 1970; by default now. */
  now?: number;
}

/**
 * Adds a new address to the waitlist, as a sign-up does.
 *
 * @returns the entry's id
 */
export async function join(email: string, joining: Joining = {}): Promise<number> {
  const {
    source = "landing_page",
    mustConfirm = false,
    wording = newsOnly.version,
    now = Date.now(),
    ...columns
  } = joining;
  const added = await addEntry(openDb(env.DB), { email, source, columns, consentVersion: wording, now, mustConfirm });
  if (added.kind !== "new") throw new Error(added.kind);
  return added.id;
}
