import { type DeliveryDeps, sendWelcome } from "#app/email/deliver.server.ts";
import { requeueWelcome } from "#app/email/outbox.server.ts";
import { logInfo } from "#app/server/log.ts";
import { eraseEntry, findEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";

/** What the owner can do about an entry. Putting somebody back on the list is that person's to do. */
export const ownerIntents = ["resend", "unsubscribe", "erase"] as const;

export type OwnerIntent = (typeof ownerIntents)[number];

/** What came of it; `unchanged` where it was so already, or cannot be. */
export type OwnerChange = "resent" | "resend-failed" | "unsubscribed" | "erased" | "unchanged";

/** Does what the owner asks for an entry. Asked twice, it does it once, but for sending a mail. */
export async function changeEntryAsOwner(deps: DeliveryDeps, id: number, intent: OwnerIntent): Promise<OwnerChange> {
  const change = await doAs(deps, id, intent);
  logInfo("entry-changed-by-owner", { entryId: id, intent, change });
  return change;
}

async function doAs(deps: DeliveryDeps, id: number, intent: OwnerIntent): Promise<OwnerChange> {
  switch (intent) {
    case "resend":
      return resend(deps, id);
    case "unsubscribe":
      return (await unsubscribeEntry(deps.db, id, deps.now())) ? "unsubscribed" : "unchanged";
    case "erase":
      return (await eraseEntry(deps.db, id)) ? "erased" : "unchanged";
  }
}

/** Owes the welcome mail once more, and tries at once; what fails is tried again by the sweeps. */
async function resend(deps: DeliveryDeps, id: number): Promise<OwnerChange> {
  const entry = await findEntry(deps.db, id);
  if (entry === null || !(await requeueWelcome(deps.db, id, deps.now()))) return "unchanged";
  return (await sendWelcome(deps, entry.email)) === "done" ? "resent" : "resend-failed";
}
