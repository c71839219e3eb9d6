import type { Db } from "#app/server/db/client.server.ts";
import { logInfo } from "#app/server/log.ts";
import {
  type Entry,
  emailsOf,
  eraseEntry,
  findEntry,
  rejoinEntry,
  unsubscribeEntry,
} from "#app/waitlist/entries.server.ts";
import { verifyToken } from "#app/waitlist/my-data/token.server.ts";

export interface OwnEntryDeps {
  db: Db;
  /** The current secret, then the one before it. */
  linkSecrets: string[];
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What a token leads to: nothing of ours, an entry that has been erased, or one that is there. */
export type OwnEntry = { kind: "bad-link" } | { kind: "gone" } | { kind: "found"; entry: Entry };

export const intents = ["unsubscribe", "rejoin", "erase"] as const;

export type Intent = (typeof intents)[number];

/** `changed` is false when what was asked for is already so. */
export type ChangeOutcome = { kind: "bad-link" } | { kind: "done"; changed: boolean };

/** Reads the entry that a token was made for. Changes nothing. */
export async function readOwnEntry({ db, linkSecrets }: OwnEntryDeps, token: string): Promise<OwnEntry> {
  const id = await verifyToken(token, linkSecrets);
  if (id === null) return { kind: "bad-link" };
  const entry = await findEntry(db, id);
  return entry === null ? { kind: "gone" } : { kind: "found", entry };
}

/** Does what the holder of a token asks for their own entry. Asked twice, it does it once. */
export async function changeOwnEntry(deps: OwnEntryDeps, token: string, intent: Intent): Promise<ChangeOutcome> {
  const id = await verifyToken(token, deps.linkSecrets);
  if (id === null) return { kind: "bad-link" };
  const changed = await change(deps, id, intent);
  logInfo("entry-changed-by-subscriber", { entryId: id, intent, changed });
  return { kind: "done", changed };
}

/** All that is kept about an entry, for the person it is about (GDPR, articles 15 and 20). */
export async function exportOwnEntry(deps: OwnEntryDeps, token: string): Promise<object | null> {
  const own = await readOwnEntry(deps, token);
  if (own.kind !== "found") return null;
  const { created_at, unsubscribed_at, ...entry } = own.entry;
  const mails = await emailsOf(deps.db, own.entry.id);
  return {
    ...entry,
    created_at: isoTime(created_at),
    unsubscribed_at: isoTime(unsubscribed_at),
    mails: mails.map(({ kind, ...mail }) => ({
      kind,
      owed_since: isoTime(mail.created_at),
      sent_at: isoTime(mail.sent_at),
    })),
  };
}

function change({ db, now }: OwnEntryDeps, id: number, intent: Intent): Promise<boolean> {
  switch (intent) {
    case "unsubscribe":
      return unsubscribeEntry(db, id, now());
    case "rejoin":
      return rejoinEntry(db, id, now());
    case "erase":
      return eraseEntry(db, id);
  }
}

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
