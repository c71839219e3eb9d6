import type { PageRecord } from "#app/server/page-record.ts";
import { site } from "#app/site.ts";

export const landingPage = {
  path: "/",
  title: `${site.name}: ${site.tagline}`,
  description: site.description,
  navigation: { header: "Home" },
  styles: "features/landing/critical.css",
  cacheable: true,
} satisfies PageRecord;
