/* In a module of its own: every page's script holds the policies' records, and nothing else about them. */

export interface PolicyDate {
  /** `YYYY-MM-DD` */
  iso: string;
  text: string;
}

export const privacyChanged: PolicyDate = { iso: "2026-11-22", text: "22 November 2026" };
export const cookiePolicyChanged: PolicyDate = { iso: "2026-11-22", text: "22 November 2026" };
