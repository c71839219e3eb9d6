import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import type { Shared } from "#tests/support/browser/test.ts";

/** Settings of sites that the tests of several files share. */
export const siteVars = {
  plain: {},
  /** With every optional link, and where addresses are confirmed. */
  dressed: {
    CONFIRM_ADDRESSES: "on",
    SURVEY_URL: "https://forms.example/survey",
    SUPPORT_URL: "https://coffee.example/us",
    FACEBOOK_URL: "https://facebook.example/us",
  },
  launched: { LAUNCH_URL: "https://app.market.example/welcome" },
};

/** The worker's site of a kind; the plain one is the fixture `site`. */
export function sharedSite(shared: Shared, kind: keyof typeof siteVars): Promise<RunningSite> {
  return kind === "plain" ? shared("site", startSite) : shared(kind, () => startSite({ vars: siteVars[kind] }));
}
