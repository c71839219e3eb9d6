import type { ReferralList } from "#app/features/referrals/owner/referrals.server.ts";

/** What the URL of the page says: which list it shows, and the pages of its lists, from 1 on. */
export interface ReferralsState {
  list: ReferralList;
  page: number;
  /** Whose friends it shows; null for everyone's. */
  of: number | null;
  /** The hash of the domain whose friends it shows; null for any. */
  domain: string | null;
  /** Of the milestones. */
  reached: number;
}

/** A path with the state: the page itself, or what its forms post to. */
export function withReferralsState(
  path: string,
  { list, page, of, domain, reached }: ReferralsState,
  done?: string,
): string {
  const search = new URLSearchParams();
  if (list !== "to-check") search.set("list", list);
  if (page > 1) search.set("page", String(page));
  if (of !== null) search.set("of", String(of));
  if (domain !== null) search.set("domain", domain);
  if (reached > 1) search.set("reached", String(reached));
  if (done !== undefined) search.set("done", done);
  return search.size === 0 ? path : `${path}?${search}`;
}

export function entryLink(entry: number, email: string, id?: string) {
  return (
    <a id={id} href={`/owner/entries/${entry}`}>
      {email}
    </a>
  );
}
