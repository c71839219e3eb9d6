import { landingPage } from "#app/features/landing/page.ts";
import { cookiePolicyPage, privacyPage } from "#app/features/legal/page.ts";
import { roadmapPage } from "#app/features/roadmap/page.ts";
import { surveyPage } from "#app/features/survey/page.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import * as switches from "#app/switches.ts";

/** The pages that the header and the footer link to, in this order. Every hydrated page downloads their records. */
export const linkedPages: readonly PageRecord[] = [
  landingPage,
  ...(switches.roadmap ? [roadmapPage] : []),
  ...(switches.survey ? [surveyPage] : []),
  privacyPage,
  cookiePolicyPage,
];
