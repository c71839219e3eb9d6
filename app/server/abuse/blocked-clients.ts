import { networksOf } from "#app/server/abuse/networks.ts";
import {
  type EntryPoint,
  exceededNetwork,
  limitKey,
  RATE_LIMIT_PERIOD,
  type RateLimits,
} from "#app/server/abuse/rate-limits.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/*
 * Clients and networks that sent too many keys that are not valid, until when. In memory:
 * Cloudflare's rate limits cannot be asked without counting, and requests with a valid key are not to be counted by client.
 */
const blocked = new Map<string, EpochMillis>();

const MAX_CLIENTS = 1_000;

export function isBlocked(entryPoint: EntryPoint, clientIp: string, now: EpochMillis): boolean {
  return networksOf(clientIp).some(([, network]) => (blocked.get(limitKey(entryPoint, network)) ?? 0) > now);
}

/** Counts a wrong key as sign-ups are counted, and blocks the network that has sent too many. @returns whether none has */
export async function countWrongKey(
  limits: RateLimits,
  entryPoint: EntryPoint,
  clientIp: string,
  now: EpochMillis,
): Promise<boolean> {
  const network = await exceededNetwork(limits, entryPoint, clientIp);
  if (network === null) return true;
  // Last in the order of insertion.
  blocked.delete(network);
  blocked.set(network, now + RATE_LIMIT_PERIOD * 1_000);
  const [oldest] = blocked.keys();
  if (blocked.size > MAX_CLIENTS && oldest !== undefined) blocked.delete(oldest);
  return false;
}
