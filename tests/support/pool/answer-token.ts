import { env } from "cloudflare:test";
import { createAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { encodeCode } from "#app/waitlist/referrals/code.server.ts";

/** What a token looks like. */
export const ANSWER_TOKEN = /[a-z\d]{8}-[a-z\d]{8}\.[\w-]{43}/;

/** A token that sets the answers of an entry. */
export async function answerTokenOf(id: number, issuedAt = Date.now(), secret = env.LINK_SECRET): Promise<string> {
  return createAnswerToken(await encodeCode(id, env.HASH_KEY), issuedAt, secret);
}
