/** One request of a soak, as a visitor would send it. */
export interface Visit {
  kind: "new" | "duplicate" | "invalid" | "return";
  email: string;
  /** A different client address for every ten visits, to stay below the rate limit even with retries. */
  client: string;
  /** Whether the page requests the welcome email; false for visitors who leave first. */
  requestsEmail: boolean;
}

/** Generates visits: one in ten is a duplicate in different case, one in twenty is invalid. */
export function visits(count: number): Visit[] {
  return Array.from({ length: count }, (_, n) => ({
    ...visitor(n),
    client: client(Math.floor(n / 10)),
    requestsEmail: n % 2 === 0,
  }));
}

/** Visits of people who were here before, each twice, in an order that separates the two. */
export function returns(emails: string[]): Visit[] {
  return [...emails, ...emails].map((email, n) => ({
    kind: "return",
    email,
    client: `203.0.${Math.floor(n / 2_560) % 256}.${Math.floor(n / 10) % 256}`,
    requestsEmail: n % 2 === 0,
  }));
}

function visitor(n: number): Pick<Visit, "kind" | "email"> {
  if (n % 20 === 7) return { kind: "invalid", email: `visitor${n}@example` };
  // Duplicates the previous visitor, who is new and may be signing up at the same moment.
  if (n % 10 === 3) return { kind: "duplicate", email: `Visitor${n - 1}@EXAMPLE.com` };
  return { kind: "new", email: `visitor${n}@example.com` };
}

function client(n: number): string {
  return `198.${18 + Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}`;
}
