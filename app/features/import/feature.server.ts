import type { FeatureServer } from "#app/feature.ts";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import { deleteOldImports } from "#app/features/import/imports.server.ts";
import { importSection } from "#app/features/import/section.server.ts";
import { when } from "#app/server/cron.ts";
import { logInfo } from "#app/server/log.ts";
import { isLastRunOfHour } from "#app/server/time/calendar.ts";

export const server: FeatureServer = {
  sections: [importSection],
  jobs: [importJobs],
  steps: {
    forgetImports: when(isLastRunOfHour, async ({ db, now }) => {
      const deleted = await deleteOldImports(db, now());
      if (deleted > 0) logInfo("imports-deleted", { imports: deleted });
    }),
  },
};
