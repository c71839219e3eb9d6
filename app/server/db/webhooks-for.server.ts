import { type SQL, sql } from "drizzle-orm";
import { webhookEndpoints } from "#app/server/db/schema/webhooks.server.ts";

/** Rows that an event writes for each webhook when it happens. */
export const ROWS_PER_EVENT = 2;

/** SQL for how many webhooks are told of an event: as many as the triggers in the migrations record it for. */
export function webhooksFor(event: string): SQL<number> {
  const { is_on, off_reason, events } = webhookEndpoints;
  return sql<number>`(SELECT count(*) FROM ${webhookEndpoints}
    WHERE (${is_on} OR ${off_reason} = 'gone') AND instr(${events}, ${`"${event}"`}))`;
}
