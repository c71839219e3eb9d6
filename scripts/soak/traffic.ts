/** One request of a soak, as a visitor would send it. */
export interface Visit {
  kind: "new" | "duplicate" | "invalid";
  email: string;
  /** A client address of its own for every ten visits, tries after a kill included, or the rate limit would answer for the database. */
  client: string;
  /** The page asks for the welcome mail; whoever has left by then does not. */
  asksForEmail: boolean;
}

/** A fixed number of visits: one in ten a duplicate in other letter case, one in twenty invalid. */
export function visits(count: number): Visit[] {
  return Array.from({ length: count }, (_, n) => ({
    ...visitor(n),
    client: client(Math.floor(n / 10)),
    asksForEmail: n % 2 === 0,
  }));
}

function visitor(n: number): Pick<Visit, "kind" | "email"> {
  if (n % 20 === 7) return { kind: "invalid", email: `visitor${n}@example` };
  // The visitor before is a new one, and may be on the way at the same moment.
  if (n % 10 === 3) return { kind: "duplicate", email: `Visitor${n - 1}@EXAMPLE.com` };
  return { kind: "new", email: `visitor${n}@example.com` };
}

function client(n: number): string {
  return `198.${18 + Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}`;
}
