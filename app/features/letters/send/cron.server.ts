import { sql } from "drizzle-orm";
import type { BatchGroup, SenderRun } from "#app/email/sender.server.ts";
import type { LetterDeps } from "#app/features/letters/send/due-batches.server.ts";
import { isSending } from "#app/features/letters/send/letters.server.ts";
import { createSeries, type SeriesDeps, seriesState } from "#app/features/letters/series/due-steps.server.ts";
import * as switches from "#app/switches.ts";

/**
 * The batches of letters and of the steps of the series, for the sender. What sends them is imported on demand: every run of
 * the cron job asks, with one statement, and few have one.
 */
export async function* letterBatches(
  app: LetterDeps & SeriesDeps,
  run: SenderRun,
): AsyncGenerator<BatchGroup, void, void> {
  const now = app.now();
  const [due] = await app.db.all<{ isDue: number; steps: string | null }>(sql`
    SELECT ${switches.series ? seriesState : sql`NULL`} AS steps, EXISTS (SELECT 1 FROM letters WHERE ${isSending}
      OR state = 'scheduled' AND scheduled_for <= ${now})
      OR EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'letter' AND until <= ${now}) AS isDue`);
  const series = switches.series ? createSeries(app, due?.steps ?? null) : undefined;
  if (due?.isDue !== 1 && !series?.isDue) return;
  const { dueBatches } = await import("#app/features/letters/send/due-batches.server.ts");
  yield* dueBatches({ ...app, series }, run);
}
