import { site } from "#app/site.ts";

export type MilestoneStatus = "completed" | "inProgress" | "upcoming";

export interface RoadmapMilestone {
  /** A period as text, not a day. */
  date: string;
  title: string;
  description: string;
  status: MilestoneStatus;
}

/** Visible labels; icon and colour only repeat them. */
export const statusText: Record<MilestoneStatus, string> = {
  completed: "Completed",
  inProgress: "In progress",
  upcoming: "Upcoming",
};

/** The roadmap, oldest first. The last milestone is the launch that app/site.ts names. */
export const roadmapMilestones: readonly RoadmapMilestone[] = [
  {
    date: "Aug-Oct 2024",
    title: "Development commences",
    description: "Work begins on a platform designed from the ground up for craft events.",
    status: "completed",
  },
  {
    date: "Nov-Dec 2024",
    title: "Matching system early development",
    description: "Availability, travel distance and requirements become the three criteria for a match.",
    status: "completed",
  },
  {
    date: "Feb 2025",
    title: "Early access program launch",
    description: `The waitlist opens, so that you can join as ${site.pioneer.one} and shape what comes next.`,
    status: "completed",
  },
  {
    date: "Feb-Mar 2025",
    title: "Continued matching development",
    description: "Matching goes beyond free dates to stalls that suit your event.",
    status: "inProgress",
  },
  {
    date: "Rest of Q2 2025",
    title: "Referral program and event booking",
    description: "Book a pitch, from first message to final agreement, and earn rewards for the people you refer.",
    status: "upcoming",
  },
  {
    date: "Q3 2025",
    title: "Document management, chat and notifications, safety and security",
    description: "Documents, messages and reminders come together, visible only to the people who need them.",
    status: "upcoming",
  },
  {
    date: "End of Q4 2025",
    title: "Beta launch",
    description: `${site.pioneer.many} come in first, to find, book and trade at real events.`,
    status: "upcoming",
  },
];
