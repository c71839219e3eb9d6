import { type RouteConfig, route } from "@react-router/dev/routes";

export default [
  route("/", "routes/home.tsx"),
  route("/survey", "routes/survey.tsx"),
  route("/roadmap", "routes/roadmap.tsx"),
  route("/privacy", "routes/privacy.tsx"),
  route("/cookie-policy", "routes/cookie-policy.tsx"),

  route("/your-data/:token", "routes/your-data.tsx"),
  route("/your-data/:token/export", "routes/your-data-export.ts"),
  route("/your-data/:token/unsubscribe", "routes/your-data-one-click.ts"),
  route("/blog/pictures/:name", "routes/blog-picture.ts"),

  route("/sitemap.xml", "routes/sitemap.ts"),
  route("/robots.txt", "routes/robots.ts"),
  route("/llms.txt", "routes/llms.ts"),
  route("/healthcheck", "routes/healthcheck.ts"),

  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
