import { Webhook } from "standardwebhooks";
import { CHALLENGE_FIELD } from "#app/server/abuse/challenge-field.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";

/** The site that runs now: another one after a restart. */
export type CurrentSite = () => Promise<RunningSite>;

/** What a request is about. */
export interface Subject {
  /** A visit; the use of a link in an email; or an event's type, such as `email.bounced`. */
  kind: "new" | "duplicate" | "return" | "flood" | "left" | "never" | "erased" | `email.${string}`;
  email: string;
}

/** A request, repeated until the site replied, and its reply. */
export interface Exchange extends Subject {
  status: number;
  body: string;
  /** Requests that were lost before. */
  failedRequests: number;
  /** When the first request was sent, and when the reply arrived (milliseconds since 1970). */
  sentAt: number;
  at: number;
}

/** Requests that fail before it gives up. */
const MAX_FAILURES = 10;

/**
 * What Wrangler's proxy responds with when its connection to the runtime is closed while it sends a request: both close
 * idle connections after five seconds. https://github.com/cloudflare/workers-sdk/issues/14641
 */
const LOST_CONNECTION = "Network connection lost";

/** Posts to the site. Repeats a request that was lost on its way, or because the runtime was killed, and no other failure. */
export async function insist(site: CurrentSite, about: Subject, path: string, init: RequestInit): Promise<Exchange> {
  const sentAt = Date.now();
  for (let failedRequests = 0; ; failedRequests += 1) {
    const asked = site();
    const { url } = await asked;
    try {
      const response = await fetch(url + path, { method: "POST", redirect: "manual", ...init });
      const [{ status }, body] = [response, await response.text()];
      // Wrangler responds with 500 for a runtime that dies; the site is replaced before that.
      const isLost = (status >= 500 && site() !== asked) || (status === 500 && body.includes(LOST_CONNECTION));
      if (isLost && failedRequests < MAX_FAILURES) continue;
      return { ...about, status, body, failedRequests, sentAt, at: Date.now() };
    } catch (error) {
      if (failedRequests >= MAX_FAILURES) throw error;
    }
  }
}

/** Generates visits. One in ten duplicates the previous one, in different case and perhaps at the same moment. */
export function visits(count: number): Subject[] {
  return Array.from({ length: count }, (_, n) =>
    n % 10 === 3
      ? { kind: "duplicate", email: `Visitor${n - 1}@EXAMPLE.com` }
      : { kind: "new", email: `visitor${n}@example.com` },
  );
}

/** Visits of people who were here before, each twice, in an order that separates the two. */
export function returns(emails: string[]): Subject[] {
  return [...emails, ...emails].map((email) => ({ kind: "return", email }));
}

/** Visits from one network. */
export function flood(count: number): Subject[] {
  return Array.from({ length: count }, (_, n) => ({ kind: "flood", email: `flood${n}@example.com` }));
}

/** The number in a person's address. */
export function numberOf(email: string): number {
  return Number(/\d+/.exec(email)?.[0]);
}

/** A person's IP address. Those of a flood are in one /48, in which no /56 reaches its own limit. */
export function clientOf(email: string): string {
  const number = numberOf(email);
  if (email.startsWith("flood")) return `2001:db8:f:${(number % 256).toString(16).padStart(2, "0")}00::1`;
  return `10.${Math.floor(number / 65_536) % 256}.${Math.floor(number / 256) % 256}.${number % 256}`;
}

/** Signs up, retrying like a person; every second person then requests the welcome email, as the page does. */
export async function signUp(site: CurrentSite, { kind, email }: Subject): Promise<Exchange> {
  const headers = { "Content-Type": "application/json", "CF-Connecting-IP": clientOf(email) };
  const init = { headers, body: JSON.stringify({ email, [CHALLENGE_FIELD]: "solved" }) };
  const about = { kind, email: email.toLowerCase() };
  const exchange = await insist(site, about, "/api/signup", init);
  if (numberOf(email) % 2 === 0) await insist(site, about, "/api/send-welcome", init);
  return exchange;
}

export const WEBHOOK_SECRET = "whsec_dGhlIHNpZ25pbmcgc2VjcmV0IG9mIHRoZSBzb2Fr";

/**
 * Reports an event as Resend does: signed, repeated until there is a response, and twice under one id.
 *
 * @param emailId the value of the tag `email_id`
 */
export function sendWebhook(site: CurrentSite, about: Subject, emailId = ""): Promise<Exchange[]> {
  const id = `msg_${crypto.randomUUID()}`;
  const now = new Date();
  const created_at = now.toISOString();
  const bounce = { type: "Permanent", subType: "General", message: "" };
  const data = { created_at, to: [about.email], tags: { email_id: emailId }, bounce };
  const body = JSON.stringify({ type: about.kind, created_at, data });
  const headers = {
    "Content-Type": "application/json",
    "svix-id": id,
    "svix-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "svix-signature": new Webhook(WEBHOOK_SECRET).sign(id, now, body),
  };
  const post = () => insist(site, about, "/api/webhooks/resend", { headers, body });
  return Promise.all([post(), post()]);
}
