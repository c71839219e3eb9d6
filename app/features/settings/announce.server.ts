import type { SQL } from "drizzle-orm";
import type { SettingsChangedProps } from "#app/email/templates/owner-emails.server.ts";
import type { SettingName } from "#app/server/config/settings.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerEmailInsert } from "#app/server/db/enqueue-email.server.ts";
import { ownerId } from "#app/server/owners.server.ts";

/** A change of one setting, as people read it. */
export interface SettingChange {
  name: SettingName;
  label: string;
  from: string;
  to: string;
}

/** What could shut owners out, answer in their place, or weaken what keeps strangers and floods away. */
const announced = new Set<SettingName>([
  ...(["OWNERS_ADDED", "OWNERS_REMOVED", "CONTACT_EMAIL", "REPLY_TO", "CONFIRM_ADDRESSES"] as const),
  ...(["MAIL_PER_HOUR", "DISPOSABLE", "DISPOSABLE_ALLOWED"] as const),
]);

interface Announcement extends Pick<SettingsChangedProps, "by" | "at"> {
  changes: readonly SettingChange[];
  /** The owners' addresses from before and after. */
  owners: readonly string[];
}

/**
 * Statements that queue an email to every owner about what could harm, for the batch of the change. Each change has emails
 * of its own. None if nothing of the kind has changed.
 */
export async function announceChanges(
  db: Db,
  { by, at, changes, owners }: Announcement,
  isUnchanged: SQL,
): Promise<SQL[]> {
  const told = changes.filter(({ name }) => announced.has(name)).map(({ name: _, ...change }) => change);
  if (told.length === 0) return [];
  const emails = [...new Set(owners)].map(async (email) => {
    return { id: crypto.randomUUID(), ownerId: await ownerId(email), data: { by, at, changes: told } };
  });
  return [ownerEmailInsert(db, await Promise.all(emails), isUnchanged, at).getSQL()];
}
