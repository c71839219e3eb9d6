import { requeueWelcome } from "#app/email/requeue.server.ts";
import { type DeliveryDeps, sendEmail } from "#app/email/sender.server.ts";
import type { OwnerBindings } from "#app/owner/ui/owner-context.ts";
import { logInfo } from "#app/server/log.ts";
import { findEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";

/** Actions the owner can take on an entry. Only the person can rejoin the list. */
export const ownerIntents = ["resend", "unsubscribe", "erase"] as const;

export type OwnerIntent = (typeof ownerIntents)[number];

/** The outcome of an intent; `unchanged` if it was already so, or is not possible. */
export type OwnerChange = "resent" | "resend-failed" | "resend-limit" | "unsubscribed" | "erased" | "unchanged";

/** What the log records for each change; changes without an action changed nothing. */
const actions: Partial<Record<OwnerChange, string>> = {
  resent: "resend-welcome",
  "resend-failed": "resend-welcome",
  unsubscribed: "unsubscribe",
  erased: "erase",
};

/** Applies an intent to an entry. Idempotent, except that each `resend` sends another email. */
export async function changeEntryAsOwner(
  deps: DeliveryDeps,
  id: number,
  intent: OwnerIntent,
  record: OwnerBindings["Variables"]["record"],
): Promise<OwnerChange> {
  const change = await applyIntent(deps, id, intent);
  const action = actions[change];
  if (action !== undefined) await record(action, { entryId: id });
  logInfo("entry-changed-by-owner", { entryId: id, intent, change });
  return change;
}

async function applyIntent(deps: DeliveryDeps, id: number, intent: OwnerIntent): Promise<OwnerChange> {
  switch (intent) {
    case "resend":
      return resend(deps, id);
    case "unsubscribe":
      return (await unsubscribeEntry(deps.db, id, deps.now(), "owner")) ? "unsubscribed" : "unchanged";
    case "erase":
      return (await eraseEntry(deps.db, id, deps.now())) ? "erased" : "unchanged";
  }
}

/** Requeues the welcome email and sends it immediately; if that fails, the cron job tries again. */
async function resend(deps: DeliveryDeps, id: number): Promise<OwnerChange> {
  const entry = await findEntry(deps.db, id);
  if (entry === null) return "unchanged";
  const requeued = await requeueWelcome(deps.db, id, deps.now());
  if (requeued !== "queued") return requeued === "limit" ? "resend-limit" : "unchanged";
  return (await sendEmail(deps, { email: entry.email })) === "done" ? "resent" : "resend-failed";
}
