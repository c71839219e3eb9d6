import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation.ts";
import { findEntry } from "#app/waitlist/entries.server.ts";
import type { ConfirmView } from "#app/waitlist/my-data/confirm.tsx";
import { logOwnChange } from "#app/waitlist/my-data/log-change.server.ts";
import { maskEmail } from "#app/waitlist/my-data/mask.ts";
import type { OwnEntryDeps } from "#app/waitlist/my-data/own-entry.server.ts";
import { verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";

type ConfirmDeps = Pick<OwnEntryDeps, "db" | "linkSecrets" | "now">;

/** What the page behind a confirmation link shows. Changes nothing. */
export async function readConfirmation({ db, linkSecrets }: ConfirmDeps, token: string): Promise<ConfirmView> {
  const id = await verifyEntryToken("confirm:v1", token, linkSecrets);
  if (id === null) return { kind: "bad-link" };
  const entry = await findEntry(db, id);
  if (entry === null) return { kind: "gone" };
  const masked = maskEmail(entry.email);
  if (entry.status === "unsubscribed") return { kind: "unsubscribed", masked };
  return { kind: confirmationOf(entry) === "unconfirmed" ? "unconfirmed" : "confirmed", masked };
}

/**
 * Confirms the address of a token's entry. Idempotent. It does not put anyone back on the list: to leave after the email
 * was sent counts more than its link.
 *
 * @returns the address if it has just been confirmed, whose welcome email is now queued
 */
export async function confirmByToken(
  { db, linkSecrets, now }: ConfirmDeps,
  token: string,
): Promise<{ kind: "bad-link" } | { kind: "done"; email: string | null }> {
  const id = await verifyEntryToken("confirm:v1", token, linkSecrets);
  if (id === null) return { kind: "bad-link" };
  const email = await confirmEntry(db, id, now());
  logOwnChange(id, "confirm", email !== null);
  return { kind: "done", email };
}
