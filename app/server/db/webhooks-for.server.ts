import { type SQL, sql } from "drizzle-orm";

/** Rows that an event writes for each webhook when it happens. */
export const ROWS_PER_EVENT = 2;

/** SQL for how many webhooks are told of an event: as many as the triggers in the migrations record it for. */
export function webhooksFor(event: string): SQL<number> {
  return sql<number>`(SELECT count(*) FROM webhook_endpoints
    WHERE (is_on OR off_reason = 'gone') AND instr(events, ${`"${event}"`}))`;
}
