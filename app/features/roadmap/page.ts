import type { PageRecord } from "#app/server/page-record.ts";
import { site } from "#app/site.ts";

export const roadmapPage = {
  path: "/roadmap",
  title: `Roadmap | ${site.name}`,
  description: `What’s done, what we’re working on and what comes next on the way to the beta of ${site.name}.`,
  navigation: { header: "Roadmap", footer: "Roadmap" },
  styles: "features/roadmap/critical.css",
  cacheable: true,
} satisfies PageRecord;
