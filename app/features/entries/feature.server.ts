import type { FeatureServer } from "#app/feature.ts";
import { deleteOldBulkActions, eraseUndoneImport } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { changeJobs } from "#app/features/entries/bulk/change-jobs.server.ts";
import { bulkSection } from "#app/features/entries/bulk/section.server.ts";
import { entriesSection } from "#app/features/entries/section.server.ts";
import { when } from "#app/server/cron.ts";
import { isLastRunOfHour } from "#app/server/time/calendar.ts";

export const server: FeatureServer = {
  sections: [entriesSection, bulkSection],
  jobs: [changeJobs],
  steps: {
    eraseUndoneImport: when(isLastRunOfHour, ({ db, now }) => eraseUndoneImport(db, now())),
    forgetBulkActions: when(isLastRunOfHour, ({ db, now }) => deleteOldBulkActions(db, now())),
  },
};
