import type { FeatureServer } from "#app/feature.ts";
import { blogDeps } from "#app/features/blog/posts.server.ts";
import { heavyPictures, readBlogStatus } from "#app/features/blog/status.server.ts";

export const server: FeatureServer = {
  health: (app) => readBlogStatus(blogDeps(app)),
  sections: [{ section: "blog", routes: [], attention: ({ var: { app } }) => heavyPictures(blogDeps(app)) }],
};
