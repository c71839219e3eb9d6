import type { FeatureServer } from "#app/feature.ts";
import { logSection } from "#app/features/log/section.server.ts";
import { deleteOldActions } from "#app/owner/log.server.ts";
import { isLastRunOfHour } from "#app/server/calendar.ts";
import { when } from "#app/server/cron.ts";

export const server: FeatureServer = {
  sections: [logSection],
  steps: { forgetActions: when(isLastRunOfHour, ({ db, now }) => deleteOldActions(db, now())) },
};
