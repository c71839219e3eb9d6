import { type SQL, sql } from "drizzle-orm";

/** The condition of events of deleted endpoints, and of those due before a time that wait for an endpoint that is off. */
export function isUnwanted(before: number): SQL {
  return sql`kind = 'webhook' AND (subject NOT IN (SELECT id FROM webhook_endpoints)
    OR (done_at IS NULL AND dead_at IS NULL AND next_attempt_at < ${before}
      AND subject IN (SELECT id FROM webhook_endpoints WHERE NOT is_on)))`;
}
