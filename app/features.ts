import type { Feature } from "#app/feature.ts";
import { api } from "#app/features/api/feature.ts";
import { blog } from "#app/features/blog/feature.ts";
import { embed } from "#app/features/embed/feature.ts";
import { entries } from "#app/features/entries/feature.ts";
import { fair } from "#app/features/fair/feature.ts";
import { importFeature } from "#app/features/import/feature.ts";
import { legal } from "#app/features/legal/feature.ts";
import { letters } from "#app/features/letters/feature.ts";
import { links } from "#app/features/links/feature.ts";
import { log } from "#app/features/log/feature.ts";
import { notifications } from "#app/features/notifications/feature.ts";
import { overview } from "#app/features/overview/feature.ts";
import { pictures } from "#app/features/pictures/feature.ts";
import { referrals } from "#app/features/referrals/feature.ts";
import { roadmap } from "#app/features/roadmap/feature.ts";
import { settings } from "#app/features/settings/feature.ts";
import { survey } from "#app/features/survey/feature.ts";
import { visits } from "#app/features/visits/feature.ts";
import { webhooks } from "#app/features/webhooks/feature.ts";
import { wordings } from "#app/features/wordings/feature.ts";
import * as switches from "#app/switches.ts";

/**
 * The features of this site, for the build and the Worker. Their order is that of the owner's navigation and of the steps of
 * the cron job. Only the Worker and `routes.ts` import it: what others need of a feature, they are handed.
 */
export const features: readonly Feature[] = [
  ...(switches.roadmap ? [roadmap] : []),
  ...(switches.survey ? [survey] : []),
  legal,
  ...(switches.blog ? [blog] : []),
  notifications,
  overview,
  entries,
  wordings,
  ...(switches.letters ? [letters] : []),
  pictures,
  importFeature,
  links,
  ...(switches.referrals ? [referrals] : []),
  ...(switches.api ? [api] : []),
  ...(switches.webhooks ? [webhooks] : []),
  ...(switches.embed ? [embed] : []),
  ...(switches.fair ? [fair] : []),
  ...(switches.visits ? [visits] : []),
  settings,
  log,
];
