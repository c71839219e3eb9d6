import { MAX_OF_ONE_DOMAIN } from "#app/features/referrals/decide.server.ts";
import type { Ruling } from "#app/server/db/schema/referrals.server.ts";

export const rulings: Record<Ruling, string> = {
  counted: "Counted",
  settled: "Counted, but not towards a milestone: the address was not confirmed",
  accepted: "Accepted by an owner",
  "one-domain": `Waits for you: ${MAX_OF_ONE_DOMAIN} people with addresses at the same domain count already`,
  throwaway: "Not counted: throwaway address",
  "own-mailbox": "Not counted: the referrer’s own mailbox",
  "known-mailbox": "Not counted: this mailbox joined before, or has counted already",
  left: "Not counted: left within a day",
  bounced: "Not counted: an email to them bounced",
  refused: "Refused by an owner",
};

export const UNDECIDED =
  "Not decided yet. This happens once they confirm their address, or after a day if they need not.";
