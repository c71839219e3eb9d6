import { cookiePolicyChanged } from "#app/features/legal/change-dates.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import { site } from "#app/site.ts";

export const cookiePolicyPage = {
  path: "/cookie-policy",
  title: `Cookie policy | ${site.name}`,
  description: `Which cookies ${site.name} can set, what each is for, how long it lasts, and how to refuse it.`,
  lastModified: cookiePolicyChanged.iso,
  navigation: { footer: "Cookie policy" },
  styles: "features/legal/critical.css",
  cacheable: true,
} satisfies PageRecord;
