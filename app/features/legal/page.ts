import type { PageRecord } from "#app/server/page-record.ts";
import { site } from "#app/site.ts";
import { api, pioneerCount, product } from "#app/switches.ts";

/* Every page's script holds this: the policies' records, and nothing else about them. */

export interface PolicyDate {
  /** `YYYY-MM-DD` */
  iso: string;
  text: string;
}

export const privacyRewritten: PolicyDate = { iso: "2026-11-22", text: "22 Nov 2026" };
/** Null where the number of people on the waitlist is not shown. */
export const countDisclosed: PolicyDate | null =
  pioneerCount && product ? { iso: "2026-11-30", text: "30 Nov 2026" } : null;
/** Null where no other program can read the list. */
export const copiesDisclosed: PolicyDate | null = api ? { iso: "2026-11-30", text: "30 Nov 2026" } : null;
export const cookiePolicyChanged: PolicyDate = { iso: "2026-11-22", text: "22 Nov 2026" };

export const privacyPage = {
  path: "/privacy",
  title: `Privacy policy | ${site.name}`,
  description: `What ${site.name} stores about you, why, for how long, and how to see, correct or erase it.`,
  lastModified: (copiesDisclosed ?? countDisclosed ?? privacyRewritten).iso,
  navigation: { footer: "Privacy policy" },
  styles: "features/legal/critical.css",
  cacheable: true,
} satisfies PageRecord;

export const cookiePolicyPage = {
  path: "/cookie-policy",
  title: `Cookie policy | ${site.name}`,
  description: `Which cookies ${site.name} can set, what each is for, how long it lasts, and how to refuse it.`,
  lastModified: cookiePolicyChanged.iso,
  navigation: { footer: "Cookie policy" },
  styles: "features/legal/critical.css",
  cacheable: true,
} satisfies PageRecord;
