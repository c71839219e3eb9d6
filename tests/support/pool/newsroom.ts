import { env } from "cloudflare:test";
import { claimDue, markFailed } from "#app/email/outbox.server.ts";
import { deliverNotices } from "#app/email/owner-notices.server.ts";
import { oweNews } from "#app/owner/news.server.ts";
import { postOffice } from "#tests/support/pool/post-office.ts";

export const OWNER = "owner@stallwright.example";

/** A post office whose mail to the owner is read, with the cron trigger's part in it; `refusing` mail is not taken. */
export function newsroom({ timeZone = "Europe/London", owner = OWNER as string | null } = {}) {
  const letters: EmailMessageBuilder[] = [];
  const state = { refusing: false };
  const binding = {
    async send(mail: EmailMessageBuilder) {
      if (state.refusing) throw new Error(`no mailbox ${String(mail.to)}`);
      if (mail.to === OWNER) letters.push(mail);
    },
  } as unknown as SendEmail;
  const office = postOffice({ binding, ownerEmail: owner });
  const deps = { ...office.deps, ownerTimeZone: timeZone };

  return {
    ...office,
    state,
    /** Subjects of the mail that the owner got, oldest first. */
    subjects: () => letters.map(({ subject }) => subject?.replace(/^\w+: /, "")),
    texts: () => letters.map(({ text }) => text ?? ""),
    last: () => letters.at(-1)?.text ?? "",
    at(time: string) {
      office.clock.now = Date.parse(time);
    },
    /** What the cron trigger does for the owner. */
    async news() {
      await oweNews(deps);
      await deliverNotices(deps);
    },
    /** Gives up so many mails of those that wait. */
    async bury(mails: number, reason = "no such mailbox") {
      for (const mail of await claimDue(office.db, { now: office.clock.now, limit: mails, perHour: 500 })) {
        await markFailed(office.db, mail, { reason, permanent: true }, office.clock.now);
      }
    },
    /** Counts refused tries on a day, as the gate does. */
    async block(day: string, count: number) {
      await env.DB.prepare("INSERT OR REPLACE INTO blocked_attempts VALUES (?, 'honeypot', ?)").bind(day, count).run();
    },
  };
}
