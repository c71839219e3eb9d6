import type { ReferralList } from "#app/features/referrals/owner/decisions.server.ts";
import { parseId } from "#app/owner/ui/owner-context.ts";

/** What the URL of the page says: which list it shows, and the pages of its lists, from 1 on. */
export interface ReferralsState {
  list: ReferralList;
  page: number;
  /** Whose friends it shows; null for everyone's. */
  of: number | null;
  /** Of the milestones. */
  reached: number;
}

export function readReferralsState(search: URLSearchParams): ReferralsState {
  return {
    list: search.get("list") === "counted" ? "counted" : "to-check",
    page: Math.max(1, parseId(search.get("page")) ?? 1),
    of: parseId(search.get("of")) ?? null,
    reached: Math.max(1, parseId(search.get("reached")) ?? 1),
  };
}

/** A path with the state: the page itself, or what its forms post to. */
export function withReferralsState(path: string, { list, page, of, reached }: ReferralsState, done?: string): string {
  const search = new URLSearchParams();
  if (list !== "to-check") search.set("list", list);
  if (page > 1) search.set("page", String(page));
  if (of !== null) search.set("of", String(of));
  if (reached > 1) search.set("reached", String(reached));
  if (done !== undefined) search.set("done", done);
  return search.size === 0 ? path : `${path}?${search}`;
}
