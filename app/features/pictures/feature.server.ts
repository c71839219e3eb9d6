import type { FeatureServer } from "#app/feature.ts";
import { deleteUnusedPictures } from "#app/owner/pictures/pictures.server.ts";
import { when } from "#app/server/cron.ts";
import { isQuarterOfDay } from "#app/server/time/calendar.ts";

export const server: FeatureServer = {
  headers: {
    path: "/pictures/*",
    // Email programs on the web show them on their own pages.
    async middleware(c, next) {
      await next();
      c.header("Cross-Origin-Resource-Policy", "cross-origin");
    },
  },
  mount(app) {
    app.get("/pictures/:name", async (c) => {
      const { servePicture } = await import("#app/features/pictures/serve-picture.server.ts");
      const { app } = c.var;
      const responses = await caches.open("pictures");
      return servePicture({ ...app, siteUrl: app.config.SITE_URL, responses }, c.req.raw);
    });
  },
  steps: {
    deleteUnusedPictures: when(isQuarterOfDay, ({ db, now }) => deleteUnusedPictures(db, now())),
  },
};
