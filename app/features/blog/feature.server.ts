import type { FeatureServer } from "#app/feature.ts";
import { blogDeps } from "#app/features/blog/posts.server.ts";
import { readBlogStatus } from "#app/features/blog/status.server.ts";

export const server: FeatureServer = {
  health: (app) => readBlogStatus(blogDeps(app)),
};
