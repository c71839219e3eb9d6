import { sign } from "#app/server/hashes/hmac.server.ts";
import { referrals } from "#app/switches.ts";

/*
 * The code of a person's own link: a keyed permutation of their entry's id, so that no column and no index hold it, and no
 * one without the key can tell a code from any other eight characters. A Feistel network with HMAC-SHA-256 (RFC 2104) as its
 * round function and addition instead of XOR, as in FF1 (NIST SP 800-38G), for halves of four characters.
 */

/** Without 0, 1, i, l and o, which look alike. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

const HALF_LENGTH = 4;
/** How many values a half has: 923,521. */
const HALF = ALPHABET.length ** HALF_LENGTH;
/** The fewest that make a Feistel network a strong permutation (Luby and Rackoff, 1988): each takes CPU time of every sign-up. */
const ROUNDS = 4;

/** Entries never have a larger id. */
const MAX_ID = 2 ** 32;

export async function encodeCode(id: number, hashKey: string): Promise<string> {
  let [left, right] = [Math.floor(id / HALF), id % HALF];
  for (let round = 0; round < ROUNDS; round += 1) {
    [left, right] = [right, (left + (await roundValue(round, right, hashKey))) % HALF];
  }
  return toText(left) + toText(right);
}

/** Characters of a text that are read: a code, with what a message put around it. */
const MAX_TEXT = 100;

const codeIn = new RegExp(`^[^\\p{L}\\p{N}]*([${ALPHABET}]{${2 * HALF_LENGTH}})(?![\\p{L}\\p{N}])`, "u");

/**
 * The code in a text from outside, such as the parameter of a personal link; null if there is none.
 *
 * Messages add brackets, quotation marks, the end of a sentence, a slash or further parameters to a link. So whatever comes
 * before the code must not be a letter or a digit, and neither must the character after it, where reading ends: a longer word
 * is no code. Capitals are the same as small letters.
 */
function readCode(text: string): string | null {
  return codeIn.exec(text.slice(0, MAX_TEXT).toLowerCase())?.[1] ?? null;
}

/**
 * Whether a query has a code of the right form. It checks the form only, so that a page does not reveal whether the code
 * exists.
 */
export function isPersonalLink(search: URLSearchParams): boolean {
  return referrals && readCode(search.get("via") ?? "") !== null;
}

/** The id that the code in a text stands for, which need not be an entry's; null if the text has none, see {@link readCode}. */
export async function decodeCode(text: string, hashKey: string): Promise<number | null> {
  const code = readCode(text);
  if (code === null) return null;
  let [left, right] = [toNumber(code.slice(0, HALF_LENGTH)), toNumber(code.slice(HALF_LENGTH))];
  for (let round = ROUNDS - 1; round >= 0; round -= 1) {
    [left, right] = [(right - (await roundValue(round, left, hashKey)) + HALF) % HALF, left];
  }
  return left * HALF + right;
}

/** A code of no entry, for answers that must not show whether an entry was added. */
export function inventCode(hashKey: string): Promise<string> {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return encodeCode(MAX_ID + ((high * 2 ** 20 + low) % (HALF * HALF - MAX_ID)), hashKey);
}

async function roundValue(round: number, half: number, hashKey: string): Promise<number> {
  const hash = await sign(hashKey, `referral-code:v1:${round}:${half}`);
  return new DataView(hash.buffer).getUint32(0) % HALF;
}

function toText(half: number): string {
  let text = "";
  for (let rest = half; text.length < HALF_LENGTH; rest = Math.floor(rest / ALPHABET.length)) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
  }
  return text;
}

function toNumber(text: string): number {
  return [...text].reduce((value, character) => value * ALPHABET.length + ALPHABET.indexOf(character), 0);
}
