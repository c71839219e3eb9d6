import { plainWords } from "#app/features/import/file/fields.ts";
import type { EntryStatus, UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";

/** What a file says about a person, from the one who gets email to the one who wants it least. */
export const fileStatuses = ["active", "unsubscribed", "bounced", "complained"] as const;

export type FileStatus = (typeof fileStatuses)[number];

export const storedAs: Record<FileStatus, { status: EntryStatus; reason: UnsubscribeReason | null }> = {
  active: { status: "active", reason: null },
  unsubscribed: { status: "unsubscribed", reason: null },
  bounced: { status: "unsubscribed", reason: "bounce" },
  complained: { status: "unsubscribed", reason: "complaint" },
};

/** What other services' exports call them, and this site's. All other words are asked about. */
export const statusWords: Record<FileStatus, string[]> = {
  active: ["active", "subscribed", "opted in", "opt in", "yes", "true", "1"],
  unsubscribed: ["unsubscribed", "cancelled", "canceled", "opted out", "opt out", "no", "false", "0"],
  bounced: ["bounced", "bounce", "hard bounce", "hard bounced", "cleaned", "undeliverable", "suppressed"],
  complained: ["complained", "complaint", "spam", "spam complaint", "marked as spam"],
};

/** What a word in a column such as "Status" or "Subscribed" means; null if that is not known. */
export function fileStatusOf(word: string): FileStatus | null {
  return fileStatuses.find((status) => statusWords[status].includes(plainWords(word))) ?? null;
}

/** The one of them who wants email least. */
export function strictest(found: readonly (FileStatus | null)[]): FileStatus {
  return fileStatuses.findLast((status) => found.includes(status)) ?? "active";
}
