import type { PageRecord } from "#app/server/page-record.ts";
import { site } from "#app/site.ts";

export const surveyPage = {
  path: "/survey",
  title: `Survey | ${site.name}`,
  description: `Tell us what hosting events or trading at them is like for you, and shape what ${site.name} becomes.`,
  navigation: { header: "Survey", footer: "Survey" },
  styles: "features/survey/critical.css",
  cacheable: true,
} satisfies PageRecord;
