import { createExecutionContext, env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { applyProviderEvent, type ProviderEvent } from "#app/email/provider-events.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { recordEntryChange } from "#app/server/db/record-entry-change.server.ts";
import { letterRecipients } from "#app/server/db/schema/letters.server.ts";
import { unsuppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { addByHand } from "#app/waitlist/entries/add-by-hand.server.ts";
import { correctEntry } from "#app/waitlist/entries/correct-entry.server.ts";
import { enqueueDataLink, findEntry, noteOnEntry, setAnswers } from "#app/waitlist/entries/entries.server.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import type { Intent } from "#app/waitlist/my-data/entry-view.ts";
import { changeOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";
import { createAppContext } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";

/** What is written: by name, about which of the list's people, and with which of the possible values. */
export interface ListWrite {
  name: string;
  person: number;
  value: number;
}

/** The provider refuses some addresses for good. */
const EMAIL = {
  async send({ to }: EmailMessageBuilder) {
    if (String(to).startsWith("refused"))
      throw Object.assign(new Error("hard_bounce"), { code: "E_RECIPIENT_SUPPRESSED" });
  },
} as unknown as SendEmail;

/**
 * Everything that programs, visitors, owners and the email provider can do to the list of a site.
 *
 * @param key of the API, which may write
 */
export function listWrites(key: string, overrides: Partial<Env & { CONFIRM_ADDRESSES: string }> = {}) {
  const bindings = { ...env, ...unlimitedRates, EMAIL, ...overrides };
  const site = apiSite(bindings);
  const db = openDb(bindings.DB);
  const app = () => createAppContext(bindings, createExecutionContext(), added);
  const now = () => Date.now();

  async function api(method: string, path: string, body?: object): Promise<void> {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await site.request(`/api/v1${path}`, init);
    if (response.status >= 500) throw new Error(`${method} ${path}: ${await response.text()}`);
  }

  async function signUp(email: string, via?: string): Promise<void> {
    const fields = { email, utm_source: "feed", ...(via && { via }) };
    const { status } = await site.post("/api/signup", fields, { "CF-Connecting-IP": "203.0.113.9" });
    if (status >= 500) throw new Error(`sign-up: ${status}`);
  }

  const own = async (id: number, intent: Intent) =>
    changeOwnEntry(app(), await signDataToken(id, now(), env.LINK_SECRET), intent);

  /** About the last email to someone, whether or not it is known; or about one that no longer is. */
  async function report(kind: ProviderEvent["kind"], { id, email: recipient }: Person, isKnown: boolean) {
    const found = await bindings.DB.prepare("SELECT id FROM email_outbox WHERE entry_id = ? ORDER BY created_at DESC")
      .bind(id)
      .first<{ id: string }>();
    const about = isKnown ? found && { emailId: found.id } : { emailId: "gone" };
    await applyProviderEvent(app(), { id: crypto.randomUUID(), kind, about, recipient });
  }

  /** About the last letter to someone, if there is one. */
  async function reportLetter(kind: ProviderEvent["kind"], { id: entryId, email: recipient }: Person) {
    const found = await bindings.DB.prepare(
      "SELECT key FROM letters JOIN letter_recipients ON letter_id = id WHERE entry_id = ? ORDER BY id DESC",
    )
      .bind(entryId)
      .first<{ key: string }>();
    if (found === null) return;
    await applyProviderEvent(app(), {
      id: crypto.randomUUID(),
      kind,
      about: { letter: found.key, entryId },
      recipient,
    });
  }

  const consent = { at: "2026-10-05T09:30:00Z", note: "At the autumn fair." };
  const fresh = (value: number) => `${value % 9 === 0 ? "refused" : "new"}${value}@town${value}.example`;
  const someAnswers = (value: number) => ({
    town: ["York", "Ely", null][value % 3] ?? null,
    role: value % 2 === 0 ? null : "host",
  });
  const note = (value: number) => ["Two stalls", "Three stalls", null][value % 3] ?? null;

  /** About people who are on the list. */
  const onPeople: Record<string, (person: Person, value: number) => Promise<unknown>> = {
    "add again by API": ({ email }) => api("POST", "/entries", { email, consent, send_email: true }),
    "note by API": ({ id }, value) => api("PATCH", `/entries/${id}`, { note: note(value) }),
    "answer by API": ({ id }, value) => api("PATCH", `/entries/${id}`, { answers: someAnswers(value) }),
    "correct the address by API": ({ id }, value) => api("PATCH", `/entries/${id}`, { email: fresh(value) }),
    "unsubscribe by API": ({ id }) => api("POST", `/entries/${id}/unsubscribe`),
    "erase by API": ({ id }) => api("DELETE", `/entries/${id}`),
    "sign up again": ({ email }) => signUp(email),
    confirm: async ({ id }) => {
      const entry = await findEntry(db, id);
      const after = added.entryHooks.onConfirmed?.(db, { entryId: id, now: now(), milestones: [] });
      await confirmEntry(db, id, now(), { addressChangedAt: entry?.address_changed_at ?? null, after });
    },
    answer: ({ id }, value) => setAnswers(db, id, someAnswers(value), now()),
    unsubscribe: ({ id }) => own(id, "unsubscribe"),
    "never email": ({ id }) => own(id, "never"),
    rejoin: ({ id }) => own(id, "rejoin"),
    "erase oneself": ({ id }) => own(id, "erase"),
    "ask for a link": ({ id }) => enqueueDataLink(db, id, now()),
    "note by an owner": ({ id }, value) => noteOnEntry(db, id, note(value), now()),
    "correct by an owner": async ({ id }, value) => {
      const entry = await findEntry(db, id);
      if (entry !== null) await correctEntry(app(), entry, { email: fresh(value), answers: someAnswers(value) });
    },
    "lift a suppression": async ({ email }) => {
      const lifted = await unsuppress(db, await keyedHash("address:v1", email, env.HASH_KEY));
      if (lifted !== null) await recordEntryChange(db, sql`email = ${email}`);
    },
    "erase by an owner": ({ id }) => eraseEntry(db, id, now()),
    invite: ({ id }) =>
      bindings.DB.prepare("UPDATE waitlist_emails SET invited_at = ? WHERE invited_at IS NULL AND id = ?")
        .bind(now(), id)
        .run(),
    "bounce for good": (person, value) => report("hard-bounce", person, value % 3 > 0),
    "bounce softly": (person, value) => report("soft-bounce", person, value % 3 > 0),
    "get a letter": async ({ id }) => {
      const recipient = { letter_id: await storeLetter(), position: 1, entry_id: id, state: "sent" } as const;
      await db.insert(letterRecipients).values(recipient);
    },
    "bounce a letter for good": (person) => reportLetter("hard-bounce", person),
    "bounce a letter softly": (person) => reportLetter("soft-bounce", person),
    "refuse a letter": (person) => reportLetter("failed", person),
    "complain about a letter": (person) => reportLetter("complaint", person),
    complain: (person, value) => report("complaint", person, value % 3 > 0),
    "sign up as a friend": async ({ id }, value) => signUp(fresh(value), await encodeCode(id, env.HASH_KEY)),
  };

  /** About people who are not on the list yet, most of them. */
  const onNobody: Record<string, (value: number) => Promise<unknown>> = {
    "use the key": () => api("GET", "/key"),
    "add by API": (value) => api("POST", "/entries", { email: fresh(value), consent, send_email: value % 2 === 0 }),
    "add by an owner": (value) =>
      addByHand(app(), {
        ...{ email: fresh(value), source: "owner", answers: null, sendsEmail: false },
        consent: { at: now(), note: consent.note },
      }),
    "sign up": (value) => signUp(fresh(value)),
    // With the time at which they joined elsewhere.
    import: (value) =>
      bindings.DB.prepare(
        "INSERT INTO waitlist_emails (email, source, metadata, created_at, import_id) VALUES (?, 'list', '{}', ?, 1) ON CONFLICT DO NOTHING",
      )
        .bind(fresh(value), Date.parse(consent.at) + value)
        .run(),
  };

  return {
    names: [...Object.keys(onPeople), ...Object.keys(onNobody)],
    /** Does it, if there is such a person. */
    async write({ name, person, value }: ListWrite): Promise<void> {
      await onNobody[name]?.(value);
      const people = await bindings.DB.prepare("SELECT id, email FROM waitlist_emails ORDER BY id").all<Person>();
      const found = people.results[person % Math.max(people.results.length, 1)];
      if (found !== undefined) await onPeople[name]?.(found, value);
    },
  };
}

type Person = { id: number; email: string };

/** @param names of writes */
export function anyWrite(names: string[]): fc.Arbitrary<ListWrite> {
  return fc.record({ name: fc.constantFrom(...names), person: fc.nat(9), value: fc.nat(30) });
}
