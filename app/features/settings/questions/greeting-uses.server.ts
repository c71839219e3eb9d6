import type { Db } from "#app/server/db/client.server.ts";
import { runNamed } from "#app/server/db/sql-batch.server.ts";

/**
 * How many texts that will still be sent greet their readers with the answer to a question, by its key: letters, follow-ups
 * and the words of the welcome email.
 */
export async function greetingUses(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const text = `WITH texts (text) AS (
      SELECT subject || preview_line || body FROM letters WHERE step_id IS NULL AND state NOT IN ('stopped', 'finished')
      UNION ALL SELECT subject || preview_line || body FROM series_steps
      UNION ALL SELECT subject || heading || body FROM email_wordings
    )
    SELECT value AS key, count(*) AS texts FROM json_each(:keys), texts
    WHERE instr(replace(text, ' ', ''), '{{' || value || '|') > 0 GROUP BY value`;
  const found = await runNamed<{ key: string; texts: number }>(db, { text, values: { keys: JSON.stringify(keys) } });
  return new Map(found.map(({ key, texts }) => [key, texts]));
}
