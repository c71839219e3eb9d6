import { and, desc, eq, inArray, lt } from "drizzle-orm";
import type { TaggedLink } from "#app/features/links/tagged-link.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { links } from "#app/server/db/schema/links.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export type StoredLink = typeof links.$inferSelect;

/** @returns whether it was not in the list yet, and its id there */
export async function addLink(db: Db, link: TaggedLink & { actor: string }, now: EpochMillis) {
  const [added] = await db
    .insert(links)
    .values({ ...link, created_at: now })
    .onConflictDoNothing()
    .returning({ id: links.id });
  return { isNew: added !== undefined, id: added?.id ?? (await findLink(db, link))?.id };
}

export async function findLink(db: Db, link: TaggedLink): Promise<StoredLink | undefined> {
  const labels = [links.page, links.utm_source, links.utm_medium, links.utm_campaign];
  const [found] = await db
    .select()
    .from(links)
    .where(and(...labels.map((label) => eq(label, link[label.name as keyof TaggedLink]))));
  return found;
}

export async function readLink(db: Db, id: number): Promise<StoredLink | undefined> {
  const [found] = await db.select().from(links).where(eq(links.id, id));
  return found;
}

/** A page of the list, newest first: the links before an id, or the newest. */
export async function listLinks(db: Db, { before, limit }: { before: number | undefined; limit: number }) {
  const found = await db
    .select()
    .from(links)
    .where(before === undefined ? undefined : lt(links.id, before))
    .orderBy(desc(links.id))
    .limit(limit + 1);
  return { links: found.slice(0, limit), hasOlder: found.length > limit };
}

/** The link itself goes on working. @returns whether it was in the list */
export async function removeLink(db: Db, id: number): Promise<boolean> {
  return (await db.delete(links).where(eq(links.id, id)).returning({ id: links.id })).length > 0;
}

/** What links are called in the log, by id. */
export async function nameLinks(db: Db, ids: number[]): Promise<Map<number, string>> {
  const found = await db.select().from(links).where(inArray(links.id, ids));
  return new Map(found.map((link) => [link.id, linkTitle(link)]));
}

/** What the log says of a link, also after it was removed. */
export function logDetails({ page, utm_source, utm_medium, utm_campaign }: TaggedLink): Record<string, string> {
  const details = { page, source: utm_source, medium: utm_medium, campaign: utm_campaign };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== ""));
}

/** `autumn_fair (newsletter, email)` */
export function linkTitle({ utm_source, utm_medium, utm_campaign }: TaggedLink): string {
  const [first, ...rest] = [utm_campaign, utm_source, utm_medium].filter((label) => label !== "");
  return rest.length === 0 ? (first ?? "") : `${first} (${rest.join(", ")})`;
}
