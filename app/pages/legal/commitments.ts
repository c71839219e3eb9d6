/** Commitments that the policies state. */

/** A date as policies print it. */
export interface PolicyDate {
  /** `YYYY-MM-DD` */
  iso: string;
  text: string;
}

export const privacyUpdated: PolicyDate = { iso: "2025-02-04", text: "4 Feb 2025" };
export const cookiePolicyUpdated: PolicyDate = { iso: "2025-02-06", text: "6 Feb 2025" };

/** Maximum retention, counted from the day the data arrived. */
export const retention = {
  analyticsMonths: 26,
  supportInquiryYears: 2,
} as const;

/** Maximum response times. */
export const deadlines = {
  rightsRequest: "one month",
  /** Article 33 of the UK and the EU GDPR. */
  breachNotificationHours: 72,
  inquiryBusinessDays: 5,
} as const;
