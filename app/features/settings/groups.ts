import { capacityPerHour } from "#app/email/backlog.server.ts";
import { closingPreview, openingPreview, type Preview } from "#app/features/settings/launch-preview.server.tsx";
import { launchUrlProblem } from "#app/server/config/config.server.ts";
import type { SettingName } from "#app/server/config/settings.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { survey } from "#app/switches.ts";

/** Settings that are changed together, by a form of their own. */
export interface SettingGroup {
  /** Its page, below `/owner/settings`. */
  path: string;
  title: string;
  lead: string;
  fields: readonly SettingField[];
  /** What to show before a change is saved; null if it needs no look. */
  preview?: (from: SettingTextsByName, to: SettingTextsByName) => Preview | null;
}

type SettingTextsByName = Readonly<Partial<Record<SettingName, string>>>;

export interface SettingField {
  name: SettingName;
  label: string;
  /** Of the form. */
  hint?: string;
  /** What it can be, in words by value. */
  options?: Readonly<Record<string, string>>;
  /** Of a text area: its lines. */
  rows?: number;
  kind?: "address" | "url" | "number" | "date" | "photo";
  suggestions?: () => string[];
  /** What is wrong with a value that could be stored, as a sentence. */
  problem?: (text: string, app: Pick<AppContext, "plan" | "config">) => string | null;
  /** What people read where there is none. */
  none: string;
}

type GroupName = "launch" | "founder" | "signUps" | "contact" | "emailsAndTime" | "links";

/** The groups with a form of one kind. Others have a page of their own. */
export const groups: Record<GroupName, SettingGroup> = {
  launch: {
    path: "launch",
    title: "Launch",
    lead: "When the product opens, and where it is once it has.",
    fields: [
      {
        name: "LAUNCH_SENTENCE",
        label: "When it opens, as a sentence",
        hint: "The landing page, the roadmap and the welcome email say it. Leave it empty to say nothing.",
        none: "Nothing is said",
      },
      {
        name: "LAUNCH_DATE",
        label: "The last day on which that is true",
        hint: "After this day, emails leave the sentence out and your overview reminds you.",
        kind: "date",
        none: "No day",
      },
      {
        name: "LAUNCH_URL",
        label: "The address of your product, once it is open",
        hint: "A button to it replaces the sign-up forms. You see what changes before it does.",
        kind: "url",
        problem: (text, { config }) => {
          const problem = launchUrlProblem(text, config.SITE_URL);
          return problem === null ? null : `This ${problem}.`;
        },
        none: "Not open yet",
      },
    ],
    preview({ LAUNCH_URL: from = "" }, { LAUNCH_URL: to = "" }) {
      if ((from === "") === (to === "")) return null;
      return to === "" ? closingPreview : openingPreview(to);
    },
  },
  founder: {
    path: "founder",
    title: "Founder",
    lead: "Who is behind the site, with a note to visitors. The landing page shows both, beside the photograph if there is one. Name and photograph sign public letters too.",
    fields: [
      { name: "FOUNDER_NAME", label: "Name", none: "No note is shown" },
      {
        name: "FOUNDER_NOTE",
        label: "Note",
        hint: "About two lines. A line break is kept.",
        rows: 3,
        none: "No note is shown",
      },
      { name: "FOUNDER_PHOTO", label: "Photograph", kind: "photo", none: "No photograph" },
    ],
  },
  signUps: {
    path: "sign-ups",
    title: "Sign-ups",
    lead: "What happens when someone enters an address.",
    fields: [
      {
        name: "CONFIRM_ADDRESSES",
        label: "Ask people to confirm their address",
        hint: "If yes, new people get an email that asks them to confirm, and nothing else until they do. People who are on the list already are not asked. Rewards for friends need this: without it, friends are counted, but no one reaches a reward. If you switch it off, people who were asked still have to confirm.",
        options: { on: "Yes", off: "No" },
        none: "No",
      },
      {
        name: "DISPOSABLE",
        label: "Throwaway addresses",
        hint: "Addresses of services that give out mailboxes for minutes. If you refuse them, people are asked for another address.",
        options: { mark: "Mark them on the list", refuse: "Refuse them" },
        none: "Mark them on the list",
      },
      {
        name: "DISPOSABLE_ALLOWED",
        label: "Domains that are never treated as throwaway",
        hint: "Separated by commas, such as example.com.",
        none: "Only the built-in exceptions",
      },
    ],
  },
  contact: {
    path: "contact",
    title: "Contact",
    lead: "Who answers for the site, and where people reach you.",
    fields: [
      { name: "CONTACT_EMAIL", label: "Contact address", kind: "address", none: "" },
      {
        name: "REPLY_TO",
        label: "Where replies to emails go",
        kind: "address",
        none: "The contact address",
      },
      {
        name: "CONTROLLER_NAME",
        label: "Who is responsible for visitors’ data",
        hint: "The name of the person or company, for the privacy policy and every email.",
        none: "",
      },
      { name: "CONTROLLER_ADDRESS", label: "Postal address", rows: 3, none: "" },
    ],
  },
  emailsAndTime: {
    path: "emails-and-time",
    title: "Emails and time",
    lead: "How many emails go out, and the time zone of these pages.",
    fields: [
      {
        name: "MAIL_PER_HOUR",
        label: "Emails an hour, at most",
        hint: "Others wait. Raise it in steps, at most doubled in a day: mailbox providers distrust a sender that suddenly sends much more.",
        kind: "number",
        problem: (text, app) => {
          const most = capacityPerHour(app);
          return text === "" || Number(text) <= most
            ? null
            : `The site can send at most ${most.toLocaleString("en-GB")} emails an hour.`;
        },
        none: "500",
      },
      {
        name: "OWNER_TIME_ZONE",
        label: "Time zone of these pages and of your notifications",
        suggestions: () => Intl.supportedValuesOf("timeZone"),
        none: "UTC",
      },
    ],
  },
  links: {
    path: "links",
    title: "Links",
    lead: "Pages elsewhere that the site links to.",
    fields: [
      ...(survey
        ? [
            {
              name: "SURVEY_URL",
              label: "Survey",
              kind: "url",
              none: "The survey page says that it opens soon",
            } satisfies SettingField,
          ]
        : []),
      { name: "SUPPORT_URL", label: "Support, such as buy me a coffee", kind: "url", none: "Left out" },
      { name: "FACEBOOK_URL", label: "Facebook", kind: "url", none: "Left out" },
    ],
  },
};
