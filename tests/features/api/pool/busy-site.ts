import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { vi } from "vitest";
import { applyProviderEvent, type ProviderEvent } from "#app/email/provider-events.server.ts";
import { startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { sendWebhooks } from "#app/features/webhooks/deliver.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { DAY } from "#app/server/time/units.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { correctEntry } from "#app/waitlist/entries/correct-entry.server.ts";
import { type Entry, findEntry, noteOnEntry, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/filters.server.ts";
import { countEntries, newestEntry } from "#app/waitlist/filter/list-entries.server.ts";
import type { Intent } from "#app/waitlist/my-data/entry-view.ts";
import { changeOwnAnswers, changeOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { playD1Clock } from "#tests/features/api/pool/d1-clock.ts";
import type { SeededRandom } from "#tests/features/api/pool/seeded-random.ts";
import { startUndo, startUnsubscribing } from "#tests/features/entries/pool/unsubscribe-many.ts";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { db, execute } from "#tests/support/pool/start.ts";
import { sampleMilestones } from "#tests/support/sample-milestones.ts";
import { createAppContext } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";
import { runScheduled } from "#worker/scheduled.ts";

/** Ids of entries that much happens to: the same people change several times. */
const BUSY_PEOPLE = 60;

/** Where the people who joined earlier come from: `list_0` and so on. The first ones are unconfirmed, or confirmed. */
const LISTS = 40;

/** Those of them who bring friends. */
const REFERRERS = 12;

/** People whose entries become too old, or were not confirmed in time, on the first day. */
export const EXPIRING = 60;

/** The provider refuses some addresses for good. */
const EMAIL = {
  async send({ to }: EmailMessageBuilder) {
    if (String(to).startsWith("refused"))
      throw Object.assign(new Error("hard_bounce"), { code: "E_RECIPIENT_SUPPRESSED" });
  },
} as unknown as SendEmail;

const bindings = {
  ...unlimitedRates,
  EMAIL,
  CONFIRM_ADDRESSES: "on",
  WORKERS_PLAN: "paid",
  MAIL_PER_HOUR: "100000",
} as Partial<Env>;

/** A site on which much happens, by the clock of the test, which D1 has too: on the pages, in emails, by owners and in the cron job. */
export async function busySite(random: SeededRandom, start: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  const setD1Clock = await playD1Clock(start);
  const site = apiSite(bindings);
  const imports = importHarness(env.DB, Date.now);
  let people = 0;

  /** Never back. */
  async function setTime(now: number) {
    vi.setSystemTime(Math.max(now, Date.now()));
    await setD1Clock(Date.now());
  }

  const app = () => createAppContext({ ...env, ...bindings }, createExecutionContext(), added);

  async function findPerson(condition = "true"): Promise<Entry | null> {
    const from = random.chance(0.4) ? random.below(BUSY_PEOPLE) : random.below(await newestEntry(db));
    const { results } = await env.DB.prepare(
      `SELECT id FROM waitlist_emails WHERE id >= ? AND ${condition} ORDER BY id LIMIT 1`,
    )
      .bind(from)
      .all<{ id: number }>();
    return results[0] === undefined ? null : findEntry(db, results[0].id);
  }

  /** The last change on record, and the newest entry. */
  const lastChange = async () =>
    JSON.stringify(
      await env.DB.prepare("SELECT (SELECT max(at) FROM entry_changes), (SELECT max(id) FROM waitlist_emails)").raw(),
    );

  /** @returns whether anything of the list has changed */
  async function hasChanged(make: () => Promise<unknown>): Promise<boolean> {
    const before = await lastChange();
    await make();
    return (await lastChange()) !== before;
  }

  async function withPerson(change: (entry: Entry) => Promise<unknown>, condition?: string): Promise<void> {
    const entry = await findPerson(condition);
    if (entry !== null) await change(entry);
  }

  const own = async (entry: Entry, intent: Intent) =>
    changeOwnEntry(app(), await signDataToken(entry.id, Date.now(), env.LINK_SECRET), intent);

  const report = (event: Omit<ProviderEvent, "id">) => applyProviderEvent(app(), { id: crypto.randomUUID(), ...event });

  /** About an email that was sent, if there is one. */
  async function bounce(kind: "hard-bounce" | "soft-bounce") {
    const { results } = await env.DB.prepare(
      `SELECT email_outbox.id, email FROM email_outbox JOIN waitlist_emails ON waitlist_emails.id = entry_id
       WHERE email_outbox.done_at IS NOT NULL ORDER BY entry_id LIMIT 1 OFFSET ?`,
    )
      .bind(random.below(200))
      .all<{ id: string; email: string }>();
    const [found] = results;
    if (found !== undefined) await report({ kind, about: { emailId: found.id }, recipient: found.email });
  }

  const newAddress = (name: string) => {
    people += 1;
    return `${random.chance(0.05) ? "refused" : name}${people}@market${people}.org`;
  };

  async function signUp() {
    const via = random.chance(0.5) ? await encodeCode(1 + random.below(REFERRERS), env.HASH_KEY) : null;
    const fields = { email: newAddress("new"), utm_source: random.pick(["feed", "flyer"]), ...(via && { via }) };
    const client = { "CF-Connecting-IP": `203.0.${random.below(256)}.${random.below(256)}` };
    const { status } = await site.post("/api/signup", fields, client);
    if (status !== 201) throw new Error(`sign-up: ${status}`);
  }

  async function confirm(entry: Entry) {
    const after = added.entryHooks.onConfirmed?.(db, {
      entryId: entry.id,
      now: Date.now(),
      milestones: sampleMilestones,
    });
    await confirmEntry(db, entry.id, Date.now(), { addressChangedAt: entry.address_changed_at, after });
  }

  const isUnconfirmed = "status = 'active' AND confirm_by IS NOT NULL AND confirmed_at IS NULL";
  const answers = () => ({ town: random.pick(["York", "Usk", "Ely"]), tent: random.pick(["yes", null]) });

  /** What happens to single people, by name. */
  const changes: Record<string, () => Promise<unknown>> = {
    "sign up": signUp,
    confirm: () => withPerson(confirm, isUnconfirmed),
    "confirm at once": () => withPerson(confirm, `${isUnconfirmed} AND created_at >= ${start}`),
    answer: () =>
      withPerson(async ({ id }) =>
        changeOwnAnswers(app(), await signDataToken(id, Date.now(), env.LINK_SECRET), answers()),
      ),
    leave: () => withPerson((entry) => own(entry, "unsubscribe"), "status = 'active'"),
    "ask for no email": () => withPerson((entry) => own(entry, "never"), "status = 'active'"),
    rejoin: () => withPerson((entry) => own(entry, "rejoin"), "status = 'unsubscribed'"),
    "erase oneself": () => withPerson((entry) => own(entry, "erase")),
    complain: () =>
      withPerson(({ email }) => report({ kind: "complaint", about: null, recipient: email }), "status = 'active'"),
    "bounce for good": () => bounce("hard-bounce"),
    "bounce softly": () => bounce("soft-bounce"),
    // The email is forgotten by now, or the event does not name it.
    "bounce late": () =>
      withPerson(({ email }) => report({ kind: "hard-bounce", about: null, recipient: email }), "status = 'active'"),
    "be unsubscribed": () => withPerson(({ id }) => unsubscribeEntry(db, id, Date.now(), "owner"), "status = 'active'"),
    "get a note": () => withPerson(({ id }) => noteOnEntry(db, id, `Note ${random.below(1_000)}`, Date.now())),
    "get another address": () =>
      withPerson(
        (entry) => correctEntry(app(), entry, { email: newAddress("moved"), answers: {} }),
        "status = 'active'",
      ),
    "be erased": () => withPerson(({ id }) => eraseEntry(db, id, Date.now())),
  };
  const often = [
    "sign up",
    "sign up",
    "confirm at once",
    "confirm at once",
    "confirm",
    "answer",
    "get a note",
    "rejoin",
  ];
  const done = new Map<string, number>();

  return {
    setTime,
    /** How often each change was made. */
    done,
    changes: Object.keys(changes),
    /** Adds people who joined earlier: some expire on the first day, and some were sent an email. */
    async addPeople(count: number) {
      const rows = await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const email = `person${index + 1}@town${index + 1}.org`;
          const createdAt =
            index >= count - EXPIRING
              ? start - 730 * DAY + (index % 24) * (DAY / 24)
              : start - 29 * DAY + index * 1_000;
          return [email, await keyedHash("address:v1", email, env.HASH_KEY), createdAt, index % LISTS];
        }),
      );
      for (let at = 0; at < count; at += 2_000)
        await execute(
          `INSERT INTO waitlist_emails (email, address_hash, source, metadata, created_at, consent_at, confirm_by, confirmed_at)
          SELECT value ->> 0, value ->> 1, 'list_' || (value ->> 3), '{}', value ->> 2, value ->> 2,
            iif(value ->> 3 < 20, value ->> 2, NULL), iif(value ->> 3 < 10, value ->> 2, NULL) FROM json_each(?)`,
          JSON.stringify(rows.slice(at, at + 2_000)),
        );
      await execute(
        `INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, next_attempt_at, created_at, first_attempt_at, done_at)
        SELECT 'welcome-' || id, id, 'welcome', 'welcome:' || id, 1, 1, 1, created_at, created_at FROM waitlist_emails WHERE id <= 300`,
      );
    },
    hasChanged,
    /** Makes one random change. @returns whether anything changed */
    async change(): Promise<boolean> {
      const name = random.chance(0.6) ? random.pick(often) : random.pick(Object.keys(changes));
      await setTime(Date.now() + random.below(1_500));
      const isChanged = await hasChanged(async () => changes[name]?.());
      if (isChanged) done.set(name, (done.get(name) ?? 0) + 1);
      return isChanged;
    },
    async cron() {
      const execution = createExecutionContext();
      await runScheduled(createAppContext({ ...env, ...bindings }, execution, added));
      await waitOnExecutionContext(execution);
    },
    sendWebhooks: () => sendWebhooks(app()),
    /** Imports a file, in which some people of the list have opted out. The cron job does it. @returns its id */
    async import(count: number) {
      const rows = Array.from({ length: count }, (_, index) =>
        index % 3 === 0
          ? `person${1_000 + index}@town${1_000 + index}.org,unsubscribed,,2026-10-05`
          : `imported${index}@list.org,active,Ely,2026-10-05`,
      );
      const checked = await imports.check(`email,status,town,joined\n${rows.join("\n")}\n`, {
        fill: true,
        welcome: true,
      });
      await imports.confirm(checked.id);
      return checked.id;
    },
    undoImport: (id: number) => startUnsubscribing({ imported: id, untouched: true }, Date.now()),
    unsubscribeMany: (selection: EntrySelection) => startUnsubscribing(selection, Date.now()),
    undo: (id: number) => startUndo(id, Date.now()),
    async eraseMany(selection: EntrySelection) {
      const expected = await countEntries(db, { ...selection, now: Date.now() });
      const newestEntryId = await newestEntry(db);
      const started = { kind: "erase", selection, newestEntryId, expected, now: Date.now() } as const;
      return startBulkAction(db, started);
    },
    /** As a letter does that is an invitation. */
    invite: (upTo: number) =>
      execute("UPDATE waitlist_emails SET invited_at = ? WHERE invited_at IS NULL AND id <= ?", Date.now(), upTo),
  };
}
