import type { Milestone } from "#app/site.ts";

/** Visible labels; icon and colour only repeat them. */
export const statusText: Record<Milestone["status"], string> = {
  completed: "Completed",
  inProgress: "In progress",
  upcoming: "Upcoming",
};
