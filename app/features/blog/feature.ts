import type { Feature } from "#app/feature.ts";

export const blog: Feature = {
  name: "blog",
  routes: [{ path: "/blog/pictures/:name", file: "features/blog/blog-picture.ts", isBare: true }],
  server: () => import("#app/features/blog/feature.server.ts"),
};
