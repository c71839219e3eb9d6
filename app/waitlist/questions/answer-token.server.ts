import type { AppContext } from "#app/server/context.ts";
import { signToken, verifyToken } from "#app/server/hashes/signed-token.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { decodeCode } from "#app/waitlist/entries/entry-code.server.ts";

/*
 * Tokens that set the answers of one entry and do nothing else: an entry's code and a time, signed. The id itself would show
 * whether a person is new, a former subscriber or caught by the honeypot; a code does not, because those who have no entry
 * get an invented one.
 */

/** How long a token works. */
export const ANSWER_PERIOD: Millis = 3_600_000;

/** @param code the entry's, as `encodeCode` returns it, or an invented one */
export function createAnswerToken(code: string, now: EpochMillis, secret: string): Promise<string> {
  return signToken("answers:v2", `${code}-${now.toString(36)}`, secret);
}

/** Whether a value has the form of a token. */
export function isAnswerToken(value: unknown): value is string {
  return typeof value === "string" && /^[a-z\d]{8}-[a-z\d]{8}\.[\w-]{43}$/.test(value);
}

/** What a token says; null if it is invalid or has expired. */
export async function openAnswerToken(
  token: string,
  { linkSecrets, now }: Pick<AppContext, "linkSecrets" | "now">,
): Promise<{ code: string; issuedAt: EpochMillis } | null> {
  const [code = "", time = ""] = (await verifyToken("answers:v2", token, linkSecrets))?.split("-") ?? [];
  const issuedAt = Number.parseInt(time, 36);
  return Math.abs(now() - issuedAt) < ANSWER_PERIOD ? { code, issuedAt } : null;
}

/** The id of a token's entry, which no entry has if the code was invented; null if the token is invalid or has expired. */
export async function readAnswerToken(
  token: string,
  deps: Pick<AppContext, "linkSecrets" | "hashKey" | "now">,
): Promise<number | null> {
  const opened = await openAnswerToken(token, deps);
  return opened && decodeCode(opened.code, deps.hashKey);
}
