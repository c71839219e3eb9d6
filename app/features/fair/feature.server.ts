import type { FeatureServer } from "#app/feature.ts";
import { fairJobs } from "#app/features/fair/add-due.server.ts";
import { closeDevices } from "#app/features/fair/close-devices.server.ts";
import { fairSection } from "#app/features/fair/owner/section.server.ts";
import { fairHeaders } from "#app/features/fair/routes/headers.server.ts";
import { when } from "#app/server/cron.ts";
import { isMiddleRunOfHour } from "#app/server/time/calendar.ts";

export const server: FeatureServer = {
  sections: [fairSection],
  headers: { path: "/fair/*", middleware: fairHeaders },
  // The form, and what tablets send. Loaded with the first request, so that the Worker's start-up stays small.
  mount(app) {
    for (const path of ["/fair", "/fair/form.js", "/fair/service-worker.js", "/fair/manifest.webmanifest"]) {
      app.get(path, async (c) => {
        const { respondWithFile } = await import("#app/features/fair/routes/pages.server.ts");
        return respondWithFile(c);
      });
    }
    for (const path of ["/fair/arm", "/fair/sign-ups"]) {
      app.all(path, async (c) => {
        const { fairApi } = await import("#app/features/fair/routes/api.server.ts");
        return fairApi.fetch(c.req.raw, { ...c.env, app: c.var.app });
      });
    }
  },
  jobs: [fairJobs],
  steps: { closeTablets: when(isMiddleRunOfHour, ({ db, now }) => closeDevices(db, now())) },
};
