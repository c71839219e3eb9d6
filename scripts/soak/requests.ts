import { Webhook } from "standardwebhooks";
import { CHALLENGE_FIELD } from "#app/waitlist/abuse/challenge-field.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";

/** The site that runs now: another one after a restart. */
export type CurrentSite = () => Promise<RunningSite>;

/** What a request is about. */
interface Subject {
  /** A visit; the use of a link in an email; or an event's type, such as `email.bounced/Transient`. */
  kind: Visit["kind"] | "left" | "never" | "erased" | `${string}.${string}`;
  email: string;
  /** Whether it is an event with a wrong signature. */
  forged?: boolean;
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

interface Visit {
  kind: "new" | "duplicate" | "invalid" | "return" | "flood";
  email: string;
  /** The number of the visit. */
  n: number;
}

/** Generates visits: one in ten is a duplicate in different case, one in twenty is invalid. */
export function visits(count: number): Visit[] {
  return Array.from({ length: count }, (_, n) => {
    if (n % 20 === 7) return { n, kind: "invalid", email: `visitor${n}@example` };
    // Duplicates the previous visitor, who is new and may be signing up at the same moment.
    if (n % 10 === 3) return { n, kind: "duplicate", email: `Visitor${n - 1}@EXAMPLE.com` };
    return { n, kind: "new", email: `visitor${n}@example.com` };
  });
}

/** Visits of people who were here before, each twice, in an order that separates the two. */
export function returns(emails: string[]): Visit[] {
  return [...emails, ...emails].map((email, n) => ({ n, kind: "return", email }));
}

/** Visits from one network. */
export function flood(count: number): Visit[] {
  return Array.from({ length: count }, (_, n) => ({ n, kind: "flood", email: `flood${n}@example.com` }));
}

/** The IP address of a visit: another one for every ten, to stay below the rate limit even with retries. */
function clientFor({ kind, n }: Visit): string {
  // One /48, in which no /56 reaches its own limit.
  if (kind === "flood") return `2001:db8:f:${(n % 256).toString(16)}${(n % 256).toString(16).padStart(2, "0")}::1`;
  const network = kind === "return" ? "203.0" : `198.${18 + Math.floor(n / 655_360)}`;
  return `${network}.${Math.floor(n / 2_560) % 256}.${Math.floor(n / 10) % 256}`;
}

/** The IP address at which people use the links in their emails. */
export function clientOf(email: string): string {
  const number = Number(/\d+/.exec(email)?.[0] ?? 0);
  return `10.${Math.floor(number / 65_536) % 256}.${Math.floor(number / 256) % 256}.${number % 256}`;
}

/** Signs up, retrying like a person; every second visit then requests the welcome email, as the page does. */
export async function signUp(site: CurrentSite, visit: Visit): Promise<Exchange> {
  const { kind, email, n } = visit;
  const headers = { "Content-Type": "application/json", "CF-Connecting-IP": clientFor(visit) };
  const init = { method: "POST", headers, body: JSON.stringify({ email, [CHALLENGE_FIELD]: "solved" }) };
  const exchange = await insist(site, { kind, email: email.toLowerCase() }, "/api/signup", init);
  if (n % 2 === 0) {
    const { url } = await site();
    const response = await fetch(`${url}/api/send-welcome`, init).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
  }
  return exchange;
}

export const WEBHOOK_SECRET = "whsec_dGhlIHNpZ25pbmcgc2VjcmV0IG9mIHRoZSBzb2Fr";

const WRONG_SECRET = "whsec_dGhlIHNlY3JldCBvZiBzb21lYm9keSBlbHNlIQ==";

/**
 * Reports an event as Resend does: signed, repeated until there is a response, and twice under one id.
 *
 * @param emailId the value of the tag `email_id`
 * @param atOnce whether both requests are sent at the same time
 */
export async function sendWebhook(
  site: CurrentSite,
  about: Subject,
  emailId: string | null,
  atOnce: boolean,
): Promise<Exchange[]> {
  // With the bounce's type, if it is not permanent: `email.bounced/Transient`.
  const [type = "", bounceType = "Permanent"] = about.kind.split("/");
  const id = `msg_${crypto.randomUUID()}`;
  const now = new Date();
  const created_at = now.toISOString();
  const bounce = type === "email.bounced" ? { bounce: { type: bounceType, subType: "General", message: "" } } : {};
  const data = { created_at, to: [about.email], tags: { email_id: emailId ?? "" }, ...bounce };
  const body = JSON.stringify({ type, created_at, data });
  const headers = {
    "Content-Type": "application/json",
    "svix-id": id,
    "svix-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "svix-signature": new Webhook(about.forged ? WRONG_SECRET : WEBHOOK_SECRET).sign(id, now, body),
  };
  const post = () => insist(site, about, "/api/webhooks/resend", { headers, body });
  return atOnce ? Promise.all([post(), post()]) : [await post(), await post()];
}
