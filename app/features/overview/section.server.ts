import {
  releaseEmails,
  renewOverview,
  retryDeadEmails,
  showOverview,
  tryEmails,
} from "#app/features/overview/overview-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

export const overviewSection: OwnerSection = {
  section: "overview",
  link: { href: "/owner", name: "Overview" },
  routes: [
    { method: "get", path: "/", handler: showOverview },
    { method: "post", path: "/stats", handler: renewOverview },
    { method: "post", path: "/outbox/retry", handler: retryDeadEmails },
    { method: "post", path: "/outbox/try", handler: tryEmails },
    { method: "post", path: "/outbox/release", handler: releaseEmails },
  ],
};
