import { CONTACT, read, write } from "#app/features/fair/browser/database.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/* The tablet's clock may be wrong, so each response of the server is compared with it. */

interface Contact {
  /** How far the server's clock is ahead of the tablet's. */
  offset: Millis;
  /** When the server last answered, and when it last stored sign-ups; by the corrected clock. */
  at: EpochMillis;
  sentAt: EpochMillis | null;
}

const KEY = "last";

/** After a longer exchange, its middle says too little about when the server answered. */
const LONGEST_EXCHANGE: Millis = 5_000;

export async function lastContact(): Promise<Contact> {
  const contact = await read<Contact | undefined>(CONTACT, (store) => store.get(KEY));
  return contact ?? { offset: 0, at: 0, sentAt: null };
}

/** The time by the server's clock, as far as the tablet knows. */
export async function correctedNow(): Promise<EpochMillis> {
  return Math.round(Date.now() + (await lastContact()).offset);
}

/**
 * @param startedAt when the request was sent, by the tablet's clock
 * @param serverNow the time in the response, taken to be that of the middle of the exchange
 */
export async function rememberContact(
  startedAt: EpochMillis,
  serverNow: EpochMillis,
  hasStored: boolean,
): Promise<void> {
  const endedAt = Date.now();
  const { sentAt, at, offset: earlier } = await lastContact();
  // The tablet's clock may also have been put right meanwhile.
  const isRough = endedAt < startedAt || endedAt - startedAt > LONGEST_EXCHANGE;
  const offset = isRough && at !== 0 ? earlier : serverNow - (startedAt + endedAt) / 2;
  const contact: Contact = { offset, at: serverNow, sentAt: hasStored ? serverNow : sentAt };
  await write(CONTACT, (store) => store.put(contact, KEY));
}
