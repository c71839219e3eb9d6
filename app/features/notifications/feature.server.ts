import type { FeatureServer } from "#app/feature.ts";
import { enqueueNotifications } from "#app/features/notifications/notifications.server.ts";

export const server: FeatureServer = {
  firstSteps: { enqueueNotifications },
};
