/** One request of a soak, as a visitor would send it. */
export interface Visit {
  kind: "new" | "duplicate" | "invalid";
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

function visitor(n: number): Pick<Visit, "kind" | "email"> {
  if (n % 20 === 7) return { kind: "invalid", email: `visitor${n}@example` };
  // Duplicates the previous visitor, who is new and may be signing up at the same moment.
  if (n % 10 === 3) return { kind: "duplicate", email: `Visitor${n - 1}@EXAMPLE.com` };
  return { kind: "new", email: `visitor${n}@example.com` };
}

function client(n: number): string {
  return `198.${18 + Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}`;
}
