import { decisionStatements } from "#app/features/referrals/decide.server.ts";
import { hashPrivateDomain } from "#app/features/referrals/private-domain.server.ts";
import { recordReferral } from "#app/features/referrals/record.server.ts";
import type { EntryHooks } from "#app/server/context.ts";
import { decodeCode } from "#app/waitlist/entries/entry-code.server.ts";

/** Records through whose link an entry joined, and decides whether it counts once its address is confirmed. */
export const referralHooks: Required<EntryHooks> = {
  async onSignUp({ email, via, hashKey }) {
    const referrerId = await decodeCode(via, hashKey);
    if (referrerId === null) return null;
    return recordReferral(email, referrerId, await hashPrivateDomain(email, hashKey));
  },
  onConfirmed: (db, confirmed) => [...decisionStatements(db, { ...confirmed, isConfirmed: true })],
};
