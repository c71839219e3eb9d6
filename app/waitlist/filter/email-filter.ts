import { type EmailReason, emailReasons, emailReasonText } from "#app/server/db/email-reasons.ts";

export interface EmailFilter {
  /** `unknown`: the provider never confirmed it. `dead` without a reason leaves those out. */
  state: "sent" | "waiting" | "dead" | "unknown";
  /** Why the email is in this state; null before the first attempt, undefined for any reason. */
  reason?: EmailReason | null;
}

/** The same words as for the recipients of a letter. */
export const emailStates: Record<EmailFilter["state"], string> = {
  sent: "Sent",
  waiting: "Waiting",
  dead: "Failed",
  unknown: "Unknown",
};

/** What the list offers besides the states: reasons that trying again does not help. */
const offeredReasons = [
  "address-refused",
  "soft-bounces",
  "complaint",
  "never",
  "blocked",
  "international-address",
  "example-address",
  "rejected",
] as const satisfies EmailReason[];

/** A filter as a value of the list's URL: `dead`, `dead.complaint` or `waiting.none`. */
export function emailFilterValue({ state, reason }: EmailFilter): string {
  return reason === undefined ? state : `${state}.${reason ?? "none"}`;
}

export function parseEmailFilter(value: string): EmailFilter | undefined {
  const [state = "", reason, ...rest] = value.split(".");
  if (!Object.hasOwn(emailStates, state) || rest.length > 0) return undefined;
  const filter = { state: state as EmailFilter["state"] };
  if (reason === undefined) return filter;
  if (reason === "none") return { ...filter, reason: null };
  return isEmailReason(reason) ? { ...filter, reason } : undefined;
}

export function isEmailReason(reason: string | null): reason is EmailReason {
  return reason !== null && Object.hasOwn(emailReasons, reason);
}

export function emailFilterOptions(current: string): Record<string, string> {
  const offered = offeredReasons.map((reason): EmailFilter => ({ state: "dead", reason }));
  const filters: EmailFilter[] = [
    { state: "sent" },
    { state: "waiting" },
    { state: "dead" },
    ...offered,
    { state: "unknown" },
  ];
  const chosen = parseEmailFilter(current);
  if (chosen !== undefined && filters.every((filter) => emailFilterValue(filter) !== current)) filters.push(chosen);
  return Object.fromEntries(filters.map((filter) => [emailFilterValue(filter), describe(filter)]));
}

function describe({ state, reason }: EmailFilter): string {
  return reason === undefined
    ? emailStates[state]
    : `${emailStates[state]}: ${emailReasonText(reason) ?? NOT_ATTEMPTED}`;
}

export const NOT_ATTEMPTED = "No attempt yet";
