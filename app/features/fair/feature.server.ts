import type { FeatureServer } from "#app/feature.ts";
import { fairJobs } from "#app/features/fair/add-due.server.ts";
import { closeDevices } from "#app/features/fair/devices.server.ts";
import { fairSection } from "#app/features/fair/owner/section.server.ts";
import { when } from "#app/server/cron.ts";
import { isMiddleRunOfHour } from "#app/server/time/calendar.ts";

export const server: FeatureServer = {
  sections: [fairSection],
  headers: {
    path: "/fair/*",
    // The form at fairs may keep the screen on, and is not for search engines.
    async middleware(c, next) {
      await next();
      c.header("X-Robots-Tag", "noindex");
      const policy = c.res.headers.get("Permissions-Policy");
      if (policy !== null)
        c.header("Permissions-Policy", policy.replace("screen-wake-lock=()", "screen-wake-lock=(self)"));
    },
  },
  // The form, and what tablets send. Loaded with the first request, so that the Worker's start-up stays small.
  mount(app) {
    for (const path of ["/fair", "/fair/form.js", "/fair/service-worker.js", "/fair/manifest.webmanifest"]) {
      app.get(path, async (c) => {
        const { respondWithFile } = await import("#app/features/fair/form/files.server.tsx");
        return respondWithFile(c);
      });
    }
    for (const path of ["/fair/arm", "/fair/sign-ups"]) {
      app.all(path, async (c) => {
        const { fairApi } = await import("#app/features/fair/api.server.ts");
        return fairApi.fetch(c.req.raw, { ...c.env, app: c.var.app });
      });
    }
  },
  jobs: [fairJobs],
  steps: { closeTablets: when(isMiddleRunOfHour, ({ db, now }) => closeDevices(db, now())) },
};
