import type { RunningSite } from "#scripts/lib/running-site.ts";
import { type Exchange, insist } from "#scripts/soak/insist.ts";

interface Visit {
  kind: "new" | "duplicate" | "invalid" | "return";
  email: string;
  /** A different client address for every ten visits, to stay below the rate limit even with retries. */
  client: string;
  /** Whether the page requests the welcome email; false for visitors who leave first. */
  requestsEmail: boolean;
}

/** Generates visits: one in ten is a duplicate in different case, one in twenty is invalid. */
export function visits(count: number): Visit[] {
  return Array.from({ length: count }, (_, n) => {
    if (n % 20 === 7) return visit(n, "invalid", `visitor${n}@example`);
    // Duplicates the previous visitor, who is new and may be signing up at the same moment.
    if (n % 10 === 3) return visit(n, "duplicate", `Visitor${n - 1}@EXAMPLE.com`);
    return visit(n, "new", `visitor${n}@example.com`);
  });
}

/** Visits of people who were here before, each twice, in an order that separates the two. */
export function returns(emails: string[]): Visit[] {
  return [...emails, ...emails].map((email, n) => visit(n, "return", email));
}

function visit(n: number, kind: Visit["kind"], email: string): Visit {
  const network = kind === "return" ? "203.0" : `198.${18 + Math.floor(n / 655_360)}`;
  const client = `${network}.${Math.floor(n / 2_560) % 256}.${Math.floor(n / 10) % 256}`;
  return { kind, email, client, requestsEmail: n % 2 === 0 };
}

/** Signs up, retrying like a person; every second visit then requests the welcome email, as the page does. */
export async function signUp(visit: Visit, site: () => Promise<RunningSite>): Promise<Exchange> {
  const { kind, email, client, requestsEmail } = visit;
  const headers = { "Content-Type": "application/json", "CF-Connecting-IP": client };
  const init = { method: "POST", headers, body: JSON.stringify({ email }) };
  const reply = await insist(site, "/api/signup", init);
  if (requestsEmail) {
    const { url } = await site();
    await fetch(`${url}/api/send-welcome`, init)
      .then((response) => response.arrayBuffer())
      .catch(() => {});
  }
  return { kind, email: email.toLowerCase(), ...reply };
}
