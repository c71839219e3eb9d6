import {
  cookiePolicyChanged,
  copiesDisclosed,
  countDisclosed,
  type PolicyDate,
  privacyRewritten,
} from "#app/features/legal/page.ts";
import { site } from "#app/site.ts";
import { fair, letters, referrals, series, visits } from "#app/switches.ts";

export const privacyUpdated: PolicyDate = { iso: "2025-02-04", text: "4 Feb 2025" };
export const cookiePolicyUpdated: PolicyDate = { iso: "2025-02-06", text: "6 Feb 2025" };

/** What has changed in a policy since its date of last update. */
export interface PolicyChange extends PolicyDate {
  what: string;
}

/** Newest first. */
export const privacyChanges: PolicyChange[] = [
  ...(copiesDisclosed === null
    ? []
    : [
        {
          ...copiesDisclosed,
          what: "this policy now says how long we know which entries have changed or were erased, so that other programs of ours that have a copy of the waitlist can correct it.",
        },
      ]),
  ...(countDisclosed === null
    ? []
    : [
        {
          ...countDisclosed,
          what: `this policy now says that we may show how many people are on the waitlist and, if we ask, how many of them are ${site.host.many} or ${site.stallholder.many}.`,
        },
      ]),
  {
    ...privacyRewritten,
    what: `this policy now lists every kind of data in a waitlist entry, including answers to our questions, if we ask any; names the company that sends our email; says what each analytics service receives;${visits ? " explains how we count visits without cookies;" : ""}${referrals ? " says what we store about personal links;" : ""}${letters && series ? " explains follow-up emails, if we send any;" : ""}${fair ? " says what a tablet at a fair stores;" : ""} and covers lists filled in elsewhere, bounces, reports of spam and the page about your entry.`,
  },
];

/** Newest first. */
export const cookiePolicyChanges: PolicyChange[] = [
  {
    ...cookiePolicyChanged,
    what: "this policy now says what Cloudflare Web Analytics receives without cookies, and what happens under Global Privacy Control.",
  },
];

/** Maximum retention, counted from the day the data arrived. */
export const retention = {
  analyticsMonths: 26,
  supportInquiryYears: 2,
} as const;

export const deadlines = {
  rightsRequest: "one month",
  /** Article 33 of the UK and the EU GDPR. */
  breachNotificationHours: 72,
  inquiryBusinessDays: 5,
} as const;
