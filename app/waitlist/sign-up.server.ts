import type { Db } from "#app/db/client.server.ts";
import { type Attempt, type Blocked, type GateDeps, passGate } from "#app/gate/gate.server.ts";
import { logInfo } from "#app/log.ts";
import type { Campaign } from "#app/waitlist/campaign.ts";
import { addEntry } from "#app/waitlist/entries.server.ts";
import { DEFAULT_SOURCE } from "#app/waitlist/sources.ts";

export interface SignUpDeps extends GateDeps {
  db: Db;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What a door received, not yet checked. */
export interface SignUpInput extends Attempt {
  source: unknown;
  campaign: Campaign;
}

export type SignUpOutcome =
  | { kind: "joined"; email: string }
  | { kind: "already-joined" }
  | { kind: "invalid-source" }
  | Exclude<Blocked, { kind: "decoy" }>;

/**
 * Puts a visitor on the waitlist. Every door comes here once it has checked size, type and origin of what it got.
 *
 * @throws when the database fails; then nothing was written, or everything was and trying again says so
 */
export async function signUp(deps: SignUpDeps, input: SignUpInput): Promise<SignUpOutcome> {
  const gate = await passGate(deps, "signup", input);
  if (gate.kind === "decoy") return { kind: "joined", email: gate.email };
  if (gate.kind !== "passed") return gate;
  const source = input.source ?? DEFAULT_SOURCE;
  if (!isSource(source)) return { kind: "invalid-source" };
  const { email } = gate;
  const added = await addEntry(deps.db, { email, source, campaign: input.campaign, now: deps.now() });
  if (added.kind === "listed") return { kind: "already-joined" };
  // The form does not know who typed, so whoever had left hears what a newcomer hears, and is asked by mail.
  logInfo(added.kind === "new" ? "joined" : "rejoin-asked", {
    entryId: added.kind === "new" ? added.id : null,
    source,
  });
  return { kind: "joined", email };
}

function isSource(value: unknown): value is string {
  return typeof value === "string" && /^[a-z0-9_]{1,64}$/.test(value);
}
