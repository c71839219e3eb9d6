import type { NamedSql } from "#app/server/db/sql-batch.server.ts";

/**
 * The statement that records through whose link an entry joined, for the batch of the sign-up: right after the one that
 * adds the entry. It adds a row for a code that is no one's too, since the statements after it rely on it to change as many
 * rows as the one before it.
 *
 * @param referrerId need not be an entry's
 */
export function recordReferral(email: string, referrerId: number, domainHash: string | null): NamedSql {
  const text = `INSERT INTO referrals (entry_id, referrer_id, domain_hash)
    SELECT id, (SELECT id FROM waitlist_emails AS referrer WHERE referrer.id = :referrer_id), :domain_hash
    FROM waitlist_emails
    WHERE email = :email AND changes() > 0`;
  return { text, values: { email, referrer_id: referrerId, domain_hash: domainHash } };
}
