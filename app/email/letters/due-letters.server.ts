import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";

/** Whether the cron job has a letter to start, resume or send. In a file of its own: every run asks, and few have one. */
export async function hasDueLetters(db: Db, now: number): Promise<boolean> {
  const due = await db.all(sql`SELECT 1 FROM letters WHERE state = 'sending'
    OR state = 'scheduled' AND scheduled_for <= ${now} OR state = 'paused' AND resumes_at <= ${now} LIMIT 1`);
  return due.length > 0;
}
