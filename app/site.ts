/**
 * The product: change this file first when you fork the site, then run `npm run generate:images`. Pages, emails, the
 * manifest and the tests read it. docs/make-it-yours.md has the other steps.
 */

const name = "Stallwright";

/** The two sides of the market. `role`, `label` and `title` stand alone; `one`, with its article, and `many` fit sentences. */
const host = {
  one: "a host",
  many: "hosts",
  role: "Event host",
  label: "event hosts",
  title: "Event Hosts",
} as const;
const stallholder = {
  one: "a stallholder",
  many: "stallholders",
  role: "Stallholder",
  label: "stallholders",
  title: "Stallholders",
} as const;

export const site = {
  name,
  tagline: "Where craft stalls and good events find each other",
  description: `${name} will match ${host.label} with craft ${stallholder.many} by date, distance and what each of them needs. Join the waitlist and help shape it.`,
  host,
  stallholder,
  /** What people on the waitlist are called. */
  pioneer: { one: "a Pioneer", many: "Pioneers" },
} as const;

/** A question with `answers` is answered by choosing one of them, one without them by a text of up to 120 characters. */
export interface Question {
  /**
   * Names the question in the database, in exports and in addresses: small letters, digits and underscores. Never
   * change it, and never take one that a question had before.
   */
  key: string;
  /** Its name on the owner's pages. */
  label: string;
  /** What people read. */
  wording: string;
  /** Two to eight texts by key. Keys are like those of questions; answers that are stored keep theirs. */
  answers?: Readonly<Record<string, string>>;
}

/**
 * What people are asked after they have joined, and on the page of their entry: none to five questions. Letters can greet
 * their readers with the answers. The owner's list and overview divide people by `role`, wherever it stands, or without it by
 * the first question. For a first name, add:
 *
 *     { key: "first_name", label: "First name", wording: "What should we call you?" },
 */
export const questions: readonly Question[] = [
  {
    key: "role",
    label: "Role",
    wording: `Are you ${host.one} or ${stallholder.one}?`,
    answers: { host: host.role, stallholder: stallholder.role, both: "Both", curious: "Just curious" },
  },
];

/**
 * What the owner's list calls the people who gave an answer to a question, by the keys of both. Answers that are missing
 * here are called by their own text. A ticket names the side of those who gave one of these answers, and of those who
 * gave the answer `both`.
 */
export const answerGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: { host: capitalised(host.many), stallholder: capitalised(stallholder.many) },
};

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// Below: what only the server and the scripts need, and browsers need not download.

/**
 * The last day of the launch below, as YYYY-MM-DD. Once it has passed, `npm run deploy` and the owner's overview say so, and
 * emails and llms.txt no longer name it.
 * Null: the site says nothing about when it launches.
 */
export const launchDate: string | null = "2025-12-31";

/** When it launches, as a sentence. The roadmap has the way there. */
export const launchSentence: string | null =
  launchDate === null ? null : "We’re aiming to launch in beta at the end of 2025.";

/** Who is behind this, and a note of about two lines to visitors; a line break in it is kept. */
export interface Founder {
  name: string;
  note: string;
  /** A square photograph in `public/`, by its path: `/founder.jpg`. At most 60 KB and 320 pixels wide. */
  photo?: string;
}

/** Null: no note. */
export const founder: Founder | null = null;

/** What someone gets who has brought so many friends. */
export interface Milestone {
  /** How many have to count. Never change it once the site is public: add another one. */
  friends: number;
  /** What it is, as part of a sentence: `a free stall fee at your first fair`. */
  reward: string;
}

/**
 * What people get for the friends who join through their personal link, fewest friends first. None: there is only the
 * link and the number of friends. docs/referrals.md says how to choose them. For example:
 *
 *     { friends: 3, reward: "a free stall fee at your first fair" },
 */
export const milestones: readonly Milestone[] = [];

/** Who is behind the product, for search engines. */
export const organisation = name;

/** What the site says once `LAUNCH_URL` is set, in place of the invitation to join. */
export const launched = {
  description: `${name} matches ${host.label} with craft ${stallholder.many} by date, distance and what each of them needs. It’s open now.`,
  lead: `${name} is open. It matches ${host.label} with craft ${stallholder.many}.`,
  button: `Open ${name}`,
  /** In the header, which has little room on a phone. */
  shortButton: "Get started",
  note: "The waitlist is closed. If you’re on it, we’ll keep you posted. Unsubscribe any time.",
} as const;
