import { sweepOutbox } from "#app/email/deliver.server.ts";
import { confirmEntry, enqueueReminders } from "#app/waitlist/confirmation.server.ts";
import { eraseExpired } from "#app/waitlist/erase-entries.server.ts";
import { rows } from "#tests/support/pool/database.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

/** A waitlist and its emails, by default where `CONFIRM_ADDRESSES` is on. */
export function confirmationHarness(options: Parameters<typeof outboxHarness>[0] = {}) {
  const outbox = outboxHarness({ mustConfirm: true, ...options });
  const now = () => outbox.clock.now;
  return {
    outbox,
    now,
    join: (email = "ada@example.com") => outbox.join(email),
    confirm: (id = 1) => confirmEntry(outbox.db, id, now()),
    /** The first entry's row. */
    entry: async () => (await rows("waitlist_emails"))[0],
    /** Each email as its kind, with a plus if it was sent. */
    async emails() {
      const emails = await rows<{ kind: string; sent_at: number | null }>("email_outbox");
      return emails.map(({ kind, sent_at }) => (sent_at === null ? "" : "+") + kind);
    },
    /** Waits, and runs the steps of the cron job. */
    async pass(milliseconds: number) {
      outbox.clock.now += milliseconds;
      const reminders = await enqueueReminders(outbox.db, now());
      const { sent } = await sweepOutbox(outbox.deps);
      const erased = await eraseExpired(outbox.db, now(), { unconfirmed: true });
      return { reminders, sent, erased };
    },
  };
}
