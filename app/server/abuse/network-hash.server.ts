import { largestNetworkOf } from "#app/server/abuse/networks.ts";
import { sign } from "#app/server/hashes/hmac.server.ts";

/**
 * The number that stands for a client's network (IPv6 /48, IPv4 /24) while its sign-up's email waits: four bytes of
 * HMAC-SHA-256 under `HASH_KEY`. Without the key, no one can tell which network it is.
 */
export async function hashNetwork(clientIp: string, hashKey: string): Promise<number> {
  const hash = await sign(hashKey, `network:v1:${largestNetworkOf(clientIp)}`);
  return new DataView(hash.buffer).getUint32(0);
}
