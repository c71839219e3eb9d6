import { like } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { storedStats } from "#app/server/db/schema/statistics.server.ts";
import { oneSpellingEach } from "#app/waitlist/entries/origin-columns.ts";

type NameKind = "source" | "utm_source" | "utm_campaign";

/** The part of the overview's stored stats that is read here. */
type StoredGroups = { groups: Record<NameKind, { name: string | null }[]> };

const MAX_NAMES = 12;

/** The names that people joined by: from the stored stats of all periods; of some entries where none are stored. */
export async function readNames<Kind extends NameKind>(db: Db, kinds: Kind[]): Promise<Record<Kind, string[]>> {
  const stored = await db
    .select({ value: storedStats.value })
    .from(storedStats)
    .where(like(storedStats.key, "overview:%"));
  const names = kinds.map(async (kind) => {
    const groups = stored.flatMap(({ value }) => (value as StoredGroups).groups[kind].slice(0, MAX_NAMES));
    if (groups.length > 0) return [kind, oneSpellingEach(groups.flatMap(({ name }) => name || []))];
    const found = await db.selectDistinct({ name: waitlistEmails[kind] }).from(waitlistEmails).limit(MAX_NAMES);
    return [kind, oneSpellingEach(found.flatMap(({ name }) => name ?? []))];
  });
  return Object.fromEntries(await Promise.all(names));
}
