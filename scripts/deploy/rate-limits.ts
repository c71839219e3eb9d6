import { hash } from "node:crypto";

/** More than there are rate limits. */
const IDS_PER_WORKER = 16;

/**
 * Gives a Worker's rate limits namespaces of their own: Workers of one account that use the same id share its counts.
 *
 * An id is a positive integer; these fit into 31 bits. The first 27 bits of a hash of the Worker's name, which is unique in
 * its account, choose one of 134 million blocks of 16 ids, and a limit's place in wrangler.toml its id within the block. So
 * the ids of one Worker always differ, and are the same on every deployment. Among ten Workers, the chance that any two
 * share a block is 1 in 3 million.
 * https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/
 *
 * @throws RangeError if there are too many for a block
 */
export function ownNamespaces<Limit extends { namespace_id: string }>(worker: string, limits: Limit[]): Limit[] {
  if (limits.length >= IDS_PER_WORKER) throw new RangeError(`At most ${IDS_PER_WORKER - 1} rate limits are possible.`);
  const block = Number.parseInt(hash("sha256", worker).slice(0, 8), 16) >>> 5;
  return limits.map((limit, index) => ({ ...limit, namespace_id: String(block * IDS_PER_WORKER + index + 1) }));
}
