/** What the policies promise. The retention times are limits that a clean-up job can enforce. */

/** A day as a policy prints it. */
export interface PolicyDate {
  /** `YYYY-MM-DD` */
  iso: string;
  text: string;
}

export const privacyUpdated: PolicyDate = { iso: "2025-02-04", text: "4 Feb 2025" };
export const cookiePolicyUpdated: PolicyDate = { iso: "2025-02-06", text: "6 Feb 2025" };

/** The longest that each kind of data is kept, counted from the day it came in. */
export const retention = {
  analyticsMonths: 26,
  supportInquiryYears: 2,
} as const;

/** The longest that anybody waits for us. */
export const deadlines = {
  rightsRequest: "one month",
  /** Article 33 of the UK and the EU GDPR. */
  breachNoticeHours: 72,
  inquiryBusinessDays: 5,
} as const;
