import { recordBlocked } from "#app/server/abuse/check-abuse.server.ts";
import { RATE_LIMIT_PERIOD, withinRateLimits } from "#app/server/abuse/rate-limits.server.ts";
import type { AppContext } from "#app/server/context.ts";
import type { Millis } from "#app/server/time/units.ts";
import { findEntry } from "#app/waitlist/entries/entries.server.ts";
import type { Intent } from "#app/waitlist/my-data/entry-view.ts";
import type { OwnEntryDeps } from "#app/waitlist/my-data/own-entry.server.ts";
import { verifyDataToken } from "#app/waitlist/my-data/token.server.ts";

type OwnLimitsDeps = OwnEntryDeps & Pick<AppContext, "limits" | "countBlocked" | "clientIp">;

/** Never refused, so that people can leave even while others use up their link. Repeated, it writes nothing. */
const leaving: readonly unknown[] = ["unsubscribe", "never", "erase"] satisfies Intent[];

/** Minimum time between two returns of an entry to the list: each lets leaving write rows again. */
export const REJOIN_INTERVAL: Millis = 10 * 60_000;

/**
 * Counts a form of the page behind a token and reports whether it is within the limits: those of the client and, as for
 * a mailbox, of the entry; and {@link REJOIN_INTERVAL}.
 *
 * @returns seconds to wait, or null if it is within them
 */
export async function checkOwnLimits(deps: OwnLimitsDeps, token: string, intent: unknown): Promise<number | null> {
  if (leaving.includes(intent)) return null;
  const verified = await verifyDataToken(token, deps.linkSecrets, deps.now());
  if (verified === null) return null;
  const { entryId } = verified;
  const isWithinRates = await withinRateLimits(deps.limits, "your-data", deps.clientIp, `entry:${entryId}`);
  const wait = isWithinRates ? await untilRejoin(deps, entryId, intent) : RATE_LIMIT_PERIOD;
  if (wait === null) return null;
  recordBlocked(deps, "your-data", "rate-limited");
  return wait;
}

async function untilRejoin({ db, now }: OwnEntryDeps, entryId: number, intent: unknown): Promise<number | null> {
  if (intent !== "rejoin") return null;
  const entry = await findEntry(db, entryId);
  if (entry?.status !== "unsubscribed" || entry.consent_at === null) return null;
  // The consent of the sign-up, which is no return.
  if (entry.consent_at === entry.created_at) return null;
  const wait = entry.consent_at + REJOIN_INTERVAL - now();
  return wait <= 0 ? null : Math.ceil(wait / 1_000);
}
