import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { openDb } from "#app/server/db/client.server.ts";
import { entryEmailRow } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";

/** Adds `person1@example.com`, `person2@example.com` … with queued welcome emails, as that many sign-ups would. */
export async function seedEntries(count: number, now: number): Promise<void> {
  const db = openDb(env.DB);
  await env.DB.prepare(`WITH RECURSIVE person(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM person WHERE n < ?1)
    INSERT INTO waitlist_emails (email, metadata, created_at)
    SELECT 'person' || n || '@example.com', '{}', ?2 FROM person`)
    .bind(count, now)
    .run();
  const welcome = entryEmailRow(db, "welcome", { id: sql`lower(hex(randomblob(16)))`, now }, undefined);
  await db.insert(emailOutbox).select(welcome);
}

/**
 * Adds `ada1@example.com`, `ada2@example.com` … without emails, each a millisecond after the one before.
 *
 * @param first when the first one joined (milliseconds since 1970)
 */
export async function addEntries(count: number, first = 1): Promise<void> {
  await env.DB.prepare(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
    INSERT INTO waitlist_emails (email, metadata, created_at) SELECT 'ada' || n || '@example.com', '{}', ?2 + n - 1 FROM numbers`)
    .bind(count, first)
    .run();
}
