/**
 * The product: change this file first when you fork the site, then run `npm run generate:images`. Pages, emails, the
 * manifest and the tests read it. docs/make-it-yours.md has the other steps.
 */

const name = "Stallwright";

/** The two sides of the market. `label` and `title` stand alone, the other words within sentences. */
const host = { one: "host", many: "hosts", label: "event hosts", title: "Event Hosts" } as const;
const stallholder = { one: "stallholder", many: "stallholders", label: "stallholders", title: "Stallholders" } as const;

export const site = {
  name,
  /** Who is behind the product, for search engines. */
  organisation: name,
  tagline: "Where craft stalls and good events find each other",
  description: `${name} will match ${host.label} with craft ${stallholder.many} by date, distance and what each of them needs. Join the waitlist and help shape it.`,
  host,
  stallholder,
  /** What people on the waitlist are called. */
  pioneer: { one: "Pioneer", many: "Pioneers" },
  /** The launch, as pages and emails name it after "launches" or "aim to open". */
  launch: "in beta at the end of 2025",
  /** The last day of that launch, as YYYY-MM-DD: `npm run deploy` warns once it has passed. */
  launchDate: "2025-12-31",
} as const;

export interface Milestone {
  /** A period as text, not a day. */
  date: string;
  title: string;
  /** One sentence. */
  description: string;
  status: "completed" | "inProgress" | "upcoming";
}

/** The roadmap, oldest first. */
export const milestones: readonly Milestone[] = [
  {
    date: "Aug-Oct 2024",
    title: "Development commences",
    description: "Work on the platform begins, built from the ground up for craft events.",
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
    description: `The waitlist opens, so that you can join as a ${site.pioneer.one} and shape what comes next.`,
    status: "completed",
  },
  {
    date: "Feb-Mar 2025",
    title: "Continued matching development",
    description: "Matching learns to tell a stall that suits your event from one that is merely free that day.",
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
