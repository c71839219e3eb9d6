import { layout, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";
import * as switches from "./switches.ts";

/** Tokens are case-sensitive, and code that checks these paths relies on their exact case. */
const exact = { caseSensitive: true };

export default [
  layout("routes/layout.tsx", [
    route("/", "routes/home.tsx"),
    ...only(switches.survey, route("/survey", "features/survey/survey.tsx")),
    ...only(switches.roadmap, route("/roadmap", "features/roadmap/roadmap.tsx")),
    route("/privacy", "features/legal/privacy.tsx"),
    route("/cookie-policy", "features/legal/cookie-policy-route.tsx"),
    ...only(
      switches.letters,
      route("/letters", "features/letters/public/letters.tsx"),
      route("/letters/:id", "features/letters/public/letter.tsx"),
    ),
    ...only(switches.letters, route("/letters/page/:number", "features/letters/public/letters.tsx", { id: "letters" })),

    ...only(switches.embed, route("/api/embed", "features/embed/embed.tsx", exact)),

    route("/your-data/:token", "routes/my-data.tsx", exact),
    route("/your-data/:token/export", "routes/my-data-export.ts", exact),
    route("/unsubscribe/:token", "routes/unsubscribe.tsx", exact),
    route("/unsubscribe/:token/one-click", "routes/one-click-unsubscribe.ts", exact),
    route("/confirm/:token", "routes/confirm.tsx", exact),

    route("*", "routes/not-found.tsx"),
  ]),

  ...only(switches.blog, route("/blog/pictures/:name", "features/blog/blog-picture.ts")),
  ...only(switches.referrals, route("/qr/:name", "features/referrals/qr-code.ts")),
  ...only(switches.letters, route("/letters/feed.xml", "features/letters/public/letters-feed.ts")),
  ...only(switches.letters, route("/letters/:id/pictures/:name", "features/letters/public/letter-picture.ts")),
  route("/sitemap.xml", "routes/sitemap.ts"),
  route("/robots.txt", "routes/robots.ts"),
  route("/llms.txt", "routes/llms.ts"),
  route("/.well-known/security.txt", "routes/security-txt.ts"),
  route("/healthcheck", "routes/healthcheck.ts"),
] satisfies RouteConfig;

/** Routes of a feature: none if it is switched off. */
function only(isOn: boolean, ...routes: RouteConfigEntry[]): RouteConfigEntry[] {
  return isOn ? routes : [];
}
