import { privacyChanged } from "#app/features/legal/change-dates.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import { site } from "#app/site.ts";

export const privacyPage = {
  path: "/privacy",
  title: `Privacy policy | ${site.name}`,
  description: `What ${site.name} stores about you, why, for how long, and how to see, correct or erase it.`,
  lastModified: privacyChanged.iso,
  navigation: { footer: "Privacy policy" },
  styles: "features/legal/critical.css",
  cacheable: true,
} satisfies PageRecord;
