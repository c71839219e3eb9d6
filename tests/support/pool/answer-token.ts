import { env } from "cloudflare:test";
import { expect } from "vitest";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { createAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";

/** A token within a text. */
export const ANSWER_TOKEN = /[a-z\d]{8}-[a-z\d]{8}\.[\w-]{43}/;

/** Equals any token, and nothing else. */
export const anAnswerToken = expect.stringMatching(new RegExp(`^${ANSWER_TOKEN.source}$`));

/** A token that sets the answers of an entry. */
export async function answerTokenOf(id: number, issuedAt = Date.now(), secret = env.LINK_SECRET): Promise<string> {
  return createAnswerToken(await encodeCode(id, env.HASH_KEY), issuedAt, secret);
}
