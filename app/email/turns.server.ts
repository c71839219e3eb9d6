import { type SQL, sql } from "drizzle-orm";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";

/* Emails that sign-ups cause take turns by network, so that a flood from one does not delay the others' emails. */

/** How many networks a claim looks at, so that it reads few rows. If more wait, each claim begins at another one. */
const MAX_NETWORKS = 64;

/** From a network with more waiting emails, none goes beyond the brake: a flood would use up what is left for others. */
export const MAX_WAITING_BEYOND_BRAKE = 3;

/** Networks are numbered below this: see `network-hash.server.ts`. */
const NETWORKS = 2 ** 32;

interface TurnOptions {
  priority: number;
  /** Whether an email may be claimed. */
  condition: SQL | undefined;
  /** Maximum number of emails. */
  limit: number;
  /** How many may be claimed now: if none, no row is read. */
  quota: SQL;
}

/**
 * A query for due emails of one priority with their turn: 1 for the oldest of each network, 2 for the second, and so on;
 * and with how many of their network wait, which is exact up to one more than {@link MAX_WAITING_BEYOND_BRAKE}. Emails
 * without a network, which were attempted before, are together one network.
 *
 * It seeks from network to network in the index on due emails, since reading a flood would use up the rows of a day. SQLite
 * does such a skip-scan by itself only after ANALYZE. https://sqlite.org/optoverview.html#the_skip_scan_optimization
 */
export function dueInTurn({ priority, condition, limit, quota }: TurnOptions): SQL {
  const start = Math.floor(Math.random() * NETWORKS);
  const isQueued = sql`email_outbox.sent_at IS NULL AND email_outbox.dead_at IS NULL AND email_outbox.priority = ${priority}`;
  const first = (isAfter: SQL) =>
    sql`(SELECT min(email_outbox.network) FROM email_outbox WHERE ${isQueued} AND email_outbox.network > ${isAfter})`;
  // Of few networks, each has enough emails for a full batch. UNION drops repeated rows, so the recursion ends where it began.
  return sql`
    WITH RECURSIVE networks(network) AS (
      SELECT NULL WHERE ${quota} > 0
      UNION
      SELECT coalesce(${first(sql`coalesce(networks.network, ${start})`)}, ${first(sql`-1`)}) FROM networks
      LIMIT ${MAX_NETWORKS}
    )
    SELECT waiting.id, waiting.priority, waiting.next_attempt_at, waiting.network IS NOT NULL AS has_network,
      row_number() OVER (PARTITION BY waiting.network ORDER BY waiting.next_attempt_at) AS turn,
      count(*) OVER (PARTITION BY waiting.network) AS waiting
    FROM networks CROSS JOIN email_outbox AS waiting ON waiting.rowid IN (
      SELECT email_outbox.rowid FROM ${emailOutbox}
      WHERE ${isQueued} AND email_outbox.network IS networks.network AND ${condition}
      ORDER BY email_outbox.next_attempt_at
      LIMIT max(${MAX_WAITING_BEYOND_BRAKE + 1}, CAST(${4 * limit} / max(4, (SELECT count(network) FROM networks)) AS INTEGER))
    )`;
}
