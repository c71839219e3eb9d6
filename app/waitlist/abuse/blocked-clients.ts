import { RATE_LIMIT_PERIOD } from "#app/waitlist/abuse/rate-limits.server.ts";

/*
 * Clients that sent too many keys that are not valid, until when (milliseconds since 1970). In memory: Cloudflare's rate
 * limits cannot be asked without counting, and requests with a valid key are not to be counted by client.
 */
const blocked = new Map<string, number>();

/** Then the oldest are forgotten. */
const MAX_CLIENTS = 1_000;

/** @param client where it was blocked, and its address as `networksOf` names it */
export function isBlocked(client: string, now: number): boolean {
  return (blocked.get(client) ?? 0) > now;
}

export function blockClient(client: string, now: number): void {
  // Last in the order of insertion.
  blocked.delete(client);
  blocked.set(client, now + RATE_LIMIT_PERIOD * 1_000);
  const [oldest] = blocked.keys();
  if (blocked.size > MAX_CLIENTS && oldest !== undefined) blocked.delete(oldest);
}
