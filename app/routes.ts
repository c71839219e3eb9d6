import { basename, extname } from "node:path";
import { layout, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";
import type { FeatureRoute } from "./feature.ts";
import { features } from "./features.ts";

/** Tokens are case-sensitive, and code that checks these paths relies on their exact case. */
const exact = { caseSensitive: true };

const ofFeatures = features.flatMap(({ routes = [] }) => routes);

/** Its id is the file's name, since every page downloads the ids. */
function toRoute({ path, file, isBare: _, ...options }: FeatureRoute): RouteConfigEntry {
  return route(path, file, { id: basename(file, extname(file)), ...options });
}

export default [
  layout("routes/layout.tsx", [
    route("/", "routes/home.tsx"),
    ...ofFeatures.filter(({ isBare }) => !isBare).map(toRoute),

    route("/your-data/:token", "routes/my-data.tsx", exact),
    route("/your-data/:token/export", "routes/my-data-export.ts", exact),
    route("/unsubscribe/:token", "routes/unsubscribe.tsx", exact),
    route("/unsubscribe/:token/one-click", "routes/one-click-unsubscribe.ts", exact),
    route("/confirm/:token", "routes/confirm.tsx", exact),

    route("*", "routes/not-found.tsx"),
  ]),

  ...ofFeatures.filter(({ isBare }) => isBare).map(toRoute),
  route("/sitemap.xml", "routes/sitemap.ts"),
  route("/robots.txt", "routes/robots.ts"),
  route("/llms.txt", "routes/llms.ts"),
  route("/.well-known/security.txt", "routes/security-txt.ts"),
  route("/healthcheck", "routes/healthcheck.ts"),
] satisfies RouteConfig;
