import { createExecutionContext, env } from "cloudflare:test";
import { claimDue } from "#app/email/outbox.server.ts";
import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import { entryTemplates } from "#app/email/render-email.server.ts";
import {
  type BatchGroup,
  type DeliveryDeps,
  recordAttempts,
  type SenderRun,
  sendDueEmails,
} from "#app/email/sender.server.ts";
import { type PlanLimits, planLimits, RUN_TIME } from "#app/server/config/plan-limits.ts";
import { openDb } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import type { EmailKind } from "#app/server/db/schema/email.server.ts";
import type { Mailer, EmailMessage as Message, ProviderMailer } from "#app/server/mailer.server.ts";
import { site } from "#app/site.ts";
import { confirmEntry, enqueueReminders } from "#app/waitlist/confirmation/confirmation.server.ts";
import { eraseExpired } from "#app/waitlist/entries/erase-entries.server.ts";
import { addEntry, type NewEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { refusalOf, type StrictAccount } from "#tests/support/pool/email-rules.ts";
import { execute, rows } from "#tests/support/pool/start.ts";
import { createAppContext } from "#worker/app-context.ts";
import { countSubrequests } from "#worker/count-subrequests.ts";

interface BindingOptions extends StrictAccount {
  /** How many of the first sends fail, and with which code. */
  failures?: number;
  code?: string;
}

/**
 * The platform's local email binding, which refuses what the real one refuses. Its first sends may fail; it records the
 * others, and their recipients.
 */
export function emailBinding({ failures = 0, code = "E_DELIVERY_FAILED", ...account }: BindingOptions = {}) {
  const accepted: string[] = [];
  const sent: EmailMessageBuilder[] = [];
  let left = failures;
  const refuse = (message: string, code: string) => Object.assign(new Error(message), { code });
  const binding: SendEmail = {
    async send(message: EmailMessage | EmailMessageBuilder) {
      if (left > 0) {
        left -= 1;
        throw refuse(`cannot deliver to ${String(message.to)}`, code);
      }
      const refusal = refusalOf(message as EmailMessageBuilder, account, accepted.length);
      if (refusal !== null) {
        const own = refusal === "E_RECIPIENT_SUPPRESSED" ? account.suppression : undefined;
        throw refuse(own ?? `refused for ${String(message.to)}`, refusal);
      }
      const result = await env.EMAIL.send(message as EmailMessageBuilder);
      accepted.push(String(message.to));
      sent.push(message as EmailMessageBuilder);
      return result;
    },
  };
  return { binding, accepted, sent };
}

export const emailContext = {
  siteUrl: env.SITE_URL,
  replyTo: env.CONTACT_EMAIL,
  linkSecret: env.LINK_SECRET,
  hashKey: env.HASH_KEY,
  ownerEmails: [],
  ownerTimeZone: "UTC",
  controller: { name: env.CONTROLLER_NAME, address: env.CONTROLLER_ADDRESS },
};

/** Sends due emails as a run of the cron job does, which counts what is made. */
export function sendAll<Deps extends DeliveryDeps>(
  deps: Deps,
  subrequests = planLimits.paid.subrequests,
  groups?: (deps: Deps, run: SenderRun) => AsyncIterable<BatchGroup>,
) {
  const run = { subrequests, until: deps.now() + RUN_TIME };
  const counted = countSubrequests(deps, (number) => {
    run.subrequests -= number;
  });
  return sendDueEmails(counted, run, groups?.(counted, run));
}

/** Email delivery on the real database, with a controllable clock, and what the account has accepted. */
export function outboxHarness({
  account = {} as BindingOptions,
  /** In place of `account`. */
  binding = undefined as SendEmail | undefined,
  sender = "pioneers@waitlist-site.example" as string | null,
  emailsPerHour = 500,
  ownerEmail = null as string | null,
  /** In place of `ownerEmail`. */
  ownerEmails = undefined as string[] | undefined,
  ownerTimeZone = "UTC",
  d1 = env.DB,
  mustConfirm = false,
} = {}) {
  const clock = { now: Date.UTC(2026, 10, 21) };
  const source = "landing_page";
  const db = openDb(d1);
  const { accepted, sent, ...own } = emailBinding(account);
  const deps: DeliveryDeps & { plan: PlanLimits } = {
    db,
    mailer: sender === null ? null : cloudflareMailer(binding ?? own.binding, sender),
    emailsPerHour,
    turnstile: null,
    plan: planLimits.paid,
    emailContext: {
      ...emailContext,
      ownerEmails: ownerEmails ?? (ownerEmail === null ? [] : [ownerEmail]),
      ownerTimeZone,
    },
    now: () => clock.now,
  };
  return {
    clock,
    db,
    deps,
    accepted,
    sent,
    join: (email: string, checks: Pick<NewEntry, "mailboxHash" | "network" | "verified"> = {}) =>
      addEntry(db, { email, source, columns: {}, now: clock.now, mustConfirm, verified: true, ...checks }),
    /** Claims one email, as a sender does before it crashes. */
    claim: () => claimDue(db, { now: clock.now, limit: 1, perHour: emailsPerHour, owners: [] }),
    /** Sends due emails, as the cron job does. */
    sweep: () => sendAll(deps),
  };
}

/** A waitlist and its emails, by default where `CONFIRM_ADDRESSES` is on. */
export function confirmationHarness(options: Parameters<typeof outboxHarness>[0] = {}) {
  const outbox = outboxHarness({ mustConfirm: true, ...options });
  const now = () => outbox.clock.now;
  return {
    outbox,
    now,
    join: (email = "ada@example.com") => outbox.join(email),
    /** With a link that was emailed while the address was the one of that time. */
    confirm: (id = 1, addressChangedAt: number | null = null) =>
      confirmEntry(outbox.db, id, now(), { addressChangedAt }),
    /** The first entry's row. */
    entry: async () => (await rows("waitlist_emails"))[0],
    /** Each email as its kind, with a plus if it was sent. */
    async emails() {
      const emails = await rows<{ kind: string; done_at: number | null }>("email_outbox");
      return emails.map(({ kind, done_at }) => (done_at === null ? "" : "+") + kind);
    },
    /** Waits, and runs the steps of the cron job. */
    async pass(milliseconds: number) {
      outbox.clock.now += milliseconds;
      const reminders = await enqueueReminders(outbox.db, now());
      const { sent } = await sendAll(outbox.deps);
      const erased = await eraseExpired(outbox.db, now(), { unconfirmed: true });
      return { reminders, sent, erased };
    },
  };
}

export const OWNER = "owner@waitlist-site.example";

/** The outbox harness with the owners' mailboxes. While `state.failing`, sending fails, to all or to one address. */
export function ownerHarness({ timeZone = "Europe/London", owners = [OWNER], emailsPerHour = 500 } = {}) {
  const emails: EmailMessageBuilder[] = [];
  const state: { failing: boolean | string } = { failing: false };
  const binding = {
    async send(email: EmailMessageBuilder) {
      if (state.failing === true || state.failing === email.to) throw new Error(`no mailbox ${String(email.to)}`);
      if (owners.includes(String(email.to))) emails.push(email);
    },
  } as unknown as SendEmail;
  const outbox = outboxHarness({ binding, emailsPerHour, ownerEmails: owners, ownerTimeZone: timeZone });

  return {
    ...outbox,
    state,
    /** Subjects and recipients of the emails to the owners, oldest first. */
    subjects: () => emails.map(({ subject }) => subject?.replace(`${site.name}: `, "")),
    recipients: () => emails.map(({ to }) => String(to)),
    texts: () => emails.map(({ text }) => text ?? ""),
    lastText: () => emails.at(-1)?.text ?? "",
    setTime(time: string) {
      outbox.clock.now = Date.parse(time);
    },
    /** Marks a number of queued emails dead. */
    async markDead(limit: number, reason: EmailReason = "address-refused") {
      const { now } = outbox.clock;
      const claims = await claimDue(outbox.db, { now, limit, perHour: 500, owners: [] });
      const dead = claims.map(({ id }) => ({ id, state: "dead" as const, reason }));
      await recordAttempts(outbox.db, claims, dead, now);
    },
    /** Sets a day's number of blocked attempts. */
    setBlocked: (day: string, count: number) =>
      execute("INSERT OR REPLACE INTO blocked_attempts (day, reason, count) VALUES (?, 'honeypot', ?)", day, count),
  };
}

const NOTHING_ADDED = { entryHooks: {}, collections: [], health: {} };

/** The context of a run of the cron job, on the test database unless another is given. */
export function scheduledApp(now: number, { binding = emailBinding().binding, vars = {}, d1 = env.DB } = {}) {
  const app = createAppContext({ ...env, ...vars, DB: d1, EMAIL: binding }, createExecutionContext(), NOTHING_ADDED);
  return { ...app, now: () => now };
}

/**
 * A mailer that counts the emails submitted to it, and those it accepted by recipient.
 *
 * @param refusal why it permanently refuses the others; if not given, they can be retried
 */
export function countingMailer(accepts: (nth: number) => boolean = () => true, refusal?: EmailReason) {
  const accepted = new Map<string, number>();
  const counted = { submitted: 0, accepted };
  const mailer: ProviderMailer = {
    provider: "A test",
    description: "A test",
    keyLifetime: 0,
    async send({ to }) {
      counted.submitted += 1;
      if (!accepts(counted.submitted)) {
        if (refusal !== undefined) return { state: "permanent", reason: refusal, detail: "out of order" };
        return { state: "unknown", reason: "unreachable", detail: "out of order" };
      }
      accepted.set(to, (accepted.get(to) ?? 0) + 1);
      return { state: "sent" };
    },
  };
  return { mailer, counted };
}

export type RecordedEmail = ReturnType<typeof parse> & {
  /** Its id in the outbox. */
  id: string;
  to: string;
  accepted: boolean;
};

/**
 * A mailer that records the emails submitted to it.
 *
 * @param onSend called before each email is accepted; if it rejects, the email is not accepted and its outcome unknown
 */
export function emailRecorder(onSend: (email: RecordedEmail) => Promise<void>) {
  const recorded: RecordedEmail[] = [];
  const mailer: Mailer = {
    keyLifetime: 0,
    async send(message, id) {
      const record = { id, ...parse(message), to: message.to, accepted: false };
      recorded.push(record);
      try {
        await onSend(record);
      } catch (error) {
        return { state: "unknown", reason: "unreachable", detail: String(error) };
      }
      record.accepted = true;
      return { state: "sent" };
    },
  };
  return { mailer, recorded };
}

/** Reads an email's kind and entry id from its subject and link. */
function parse({ subject, text }: Message) {
  const kind = kindsBySubject.get(subject);
  if (kind === undefined) throw new Error(`no email to an entry has the subject ${JSON.stringify(subject)}`);
  const id = /\/(?:your-data|confirm)\/([0-9a-z]+)[-.]/.exec(text)?.[1] ?? "";
  return { kind, entryId: Number.parseInt(id, 36) };
}

const links = { siteUrl: "", dataUrl: "", confirmUrl: "", unsubscribeUrl: "" };

const kindsBySubject = new Map(
  Object.entries(entryTemplates).map(([kind, template]) => [
    template({ ...links, controller: { name: "", address: "" } }).subject,
    kind as EmailKind,
  ]),
);
