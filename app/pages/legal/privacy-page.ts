import { privacyChanges } from "#app/pages/legal/commitments.ts";
import { site } from "#app/site.ts";
import type { PageRecord } from "#app/ui/page-record.ts";

export const privacyPage = {
  path: "/privacy",
  title: `Privacy policy | ${site.name}`,
  description: `What ${site.name} stores about you, why, for how long, and how to see, correct or erase it.`,
  lastModified: privacyChanges[0].iso,
  navigation: { footer: "Privacy policy" },
  styles: "pages/legal/critical.css",
  cacheable: true,
} satisfies PageRecord;
