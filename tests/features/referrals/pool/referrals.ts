import { env } from "cloudflare:test";
import { decideReferrals } from "#app/features/referrals/decide.server.ts";
import { referralHooks } from "#app/features/referrals/entry-hooks.server.ts";
import { hashPrivateDomain } from "#app/features/referrals/private-domain.server.ts";
import { recordReferral } from "#app/features/referrals/record.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { readFriends } from "#app/waitlist/my-data/friends.server.ts";
import { changeOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { addEntry, type NewEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { db, rows } from "#tests/support/pool/start.ts";
import { sampleMilestones } from "#tests/support/sample-milestones.ts";

const DAY = 24 * 3_600_000;

/** A waitlist whose people bring friends, with a clock; by default where `CONFIRM_ADDRESSES` is on. */
export function referralHarness({ mustConfirm = true, milestones = sampleMilestones } = {}) {
  const clock = { now: Date.UTC(2026, 10, 21) };

  /** Joins through the link of the entry with an id, if one is given. Returns what came of it. */
  async function enter(typed: string, referrerId: number | null = null, more: Partial<NewEntry> = {}) {
    const email = normaliseEmail(typed) ?? "";
    const mailboxHash = await hashMailbox(email, env.HASH_KEY);
    const addressHash = await keyedHash("address:v1", email, env.HASH_KEY);
    const domainHash = await hashPrivateDomain(email, env.HASH_KEY);
    const afterEntry = referrerId === null ? null : recordReferral(email, referrerId, domainHash);
    const values = { email, source: "landing_page", columns: {}, mailboxHash, addressHash, mustConfirm, afterEntry };
    return addEntry(db, { ...values, now: clock.now, ...more });
  }

  async function join(...given: Parameters<typeof enter>) {
    const added = await enter(...given);
    if (added.kind !== "new") throw new Error(added.kind);
    return added.id;
  }

  const confirm = (id: number) => {
    const given = { entryId: id, now: clock.now, milestones };
    return confirmEntry(db, id, clock.now, { after: mustConfirm ? referralHooks.onConfirmed(db, given) : [] });
  };

  return {
    db,
    clock,
    enter,
    join,
    confirm,
    /** Comes back by the link of their own. */
    async rejoin(id: number) {
      const own = { db, linkSecrets: [env.LINK_SECRET], hashKey: env.HASH_KEY, mustConfirm, now: () => clock.now };
      const token = await signDataToken(id, clock.now, env.LINK_SECRET);
      await changeOwnEntry({ ...own, entryHooks: referralHooks }, token, "rejoin");
    },
    /** Joins, and confirms the address where that is asked for. */
    async bring(...given: Parameters<typeof enter>) {
      const id = await join(...given);
      if (mustConfirm) await confirm(id);
      return id;
    },
    /** Waits, with all emails sent meanwhile, and decides as the cron job does. */
    async pass(milliseconds = DAY, { isSent = true } = {}) {
      clock.now += milliseconds;
      if (isSent) await env.DB.exec("UPDATE email_outbox SET done_at = created_at WHERE dead_at IS NULL");
      return decideReferrals(db, clock.now, { mustConfirm, milestones, mayWrite: 900 });
    },
    async friends(id: number) {
      const { joined, counted } = await readFriends(db, id);
      return { joined, counted };
    },
    /** The ruling on each referral. */
    rulings: async () => (await rows<{ ruling: string | null }>("referrals")).map(({ ruling }) => ruling),
    milestoneEmails: async () =>
      (await rows<{ kind: string; entry_id: number; data: string }>("email_outbox"))
        .filter(({ kind }) => kind === "milestone")
        .map(({ entry_id, data }) => [entry_id, JSON.parse(data).friends]),
    reached: async () =>
      (await rows<{ entry_id: number; friends: number }>("reached_milestones")).map(({ entry_id, friends }) => [
        entry_id,
        friends,
      ]),
  };
}
