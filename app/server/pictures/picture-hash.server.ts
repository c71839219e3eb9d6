import { sha256 } from "#app/server/hashes/random-token.server.ts";

/** Identifies a picture without showing its URL, so requests cannot choose what is fetched: 128 bits as hexadecimal digits. */
export async function pictureHash(sourceUrl: string): Promise<string> {
  return (await sha256(sourceUrl)).slice(0, 32);
}
