import { landingPage } from "#app/features/landing/page.ts";
import { cookiePolicyPage } from "#app/features/legal/cookie-policy-page.ts";
import { privacyPage } from "#app/features/legal/privacy-page.ts";
import { roadmapPage } from "#app/features/roadmap/page.ts";
import { surveyPage } from "#app/features/survey/page.ts";
import * as switches from "#app/switches.ts";
import type { PageRecord } from "#app/ui/page-record.ts";

/** The pages that the header and the footer link to, in this order. Every hydrated page downloads their records. */
export const linkedPages: readonly PageRecord[] = [
  landingPage,
  ...(switches.roadmap ? [roadmapPage] : []),
  ...(switches.survey ? [surveyPage] : []),
  privacyPage,
  cookiePolicyPage,
];

/** The links of the header or the footer. */
export function linksIn(place: keyof PageRecord["navigation"]) {
  return linkedPages.flatMap(({ path, navigation }) => {
    const name = navigation[place];
    return name === undefined ? [] : [{ to: path, name }];
  });
}

/** The absolute URL of a page on the canonical host. */
export function pageUrl(siteUrl: string, { path }: { path: string }): string {
  return `${siteUrl}${path}`;
}
