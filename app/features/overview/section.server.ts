import { changeStep } from "#app/features/overview/first-steps.server.tsx";
import { showGroups } from "#app/features/overview/origins.server.tsx";
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
    { method: "get", path: "/groups", handler: showGroups },
    { method: "post", path: "/stats", handler: renewOverview },
    { method: "post", path: "/steps", handler: changeStep },
    { method: "post", path: "/outbox/retry", handler: retryDeadEmails },
    { method: "post", path: "/outbox/try", handler: tryEmails },
    { method: "post", path: "/outbox/release", handler: releaseEmails },
  ],
  outcomes: {
    "dismiss-step": "The step is not shown any more.",
    "restore-step": "The step is shown again.",
  },
};
