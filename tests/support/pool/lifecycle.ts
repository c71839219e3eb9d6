import fc from "fast-check";
import { LEASE } from "#app/email/limits.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { requeueWelcome } from "#app/email/requeue.server.ts";
import type { DeliveryDeps } from "#app/email/sender.server.ts";
import type { EmailKind } from "#app/server/db/schema/email.server.ts";
import { confirmEntry, enqueueReminders } from "#app/waitlist/confirmation/confirmation.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseExpired } from "#app/waitlist/entries/erase-entries.server.ts";
import type { Intent } from "#app/waitlist/my-data/entry-view.ts";
import { changeOwnEntry, requestNewLink } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken } from "#app/waitlist/my-data/token.server.ts";

/* What people, the owner, the cron job and the provider do, for the property test of the lifecycle. */

const HALF_DAY = 12 * 3_600_000;
export const DAY = 2 * HALF_DAY;
export const WEEK = 7 * DAY;

const events = ["hard-bounce", "soft-bounce", "complaint", "failed"] as const;

export type EventKind = (typeof events)[number];

/**
 * `crash` is a sender that claims an email and is killed; `expire` erases entries that were not confirmed in time; events
 * are about any earlier email, and `repeat` delivers an earlier event again.
 */
const actions = [
  ...(["sign up", "request welcome", "sweep", "crash", "remind", "expire"] as const),
  ...(["confirm", "unsubscribe", "rejoin", "never", "erase", "request link"] as const),
  ...(["owner unsubscribes", "owner resends", "repeat"] as const),
  ...events,
];

export type ActionName = (typeof actions)[number];

export interface Action {
  name: ActionName;
  /** Index of the person. */
  person: number;
  /** Picks the email or the event. */
  pick: number;
}

/** Concurrent actions, and the pause after them (milliseconds). */
interface Round {
  actions: Action[];
  pause: number;
}

/** Weighted towards one person and the actions that race. */
const anyAction: fc.Arbitrary<Action> = fc.record({
  name: fc.oneof(
    fc.constantFrom(...actions),
    {
      weight: 2,
      arbitrary: fc.constantFrom<ActionName>("request welcome", "sweep", "unsubscribe", "rejoin", "confirm", "sign up"),
    },
    fc.constantFrom<ActionName>("hard-bounce", "complaint", "never", "repeat", "rejoin"),
  ),
  person: fc.constantFrom(0, 0, 0, 1),
  pick: fc.nat(99),
});
const anyRound: fc.Arbitrary<Round> = fc.record({
  actions: fc.array(anyAction, { minLength: 1, maxLength: 5 }),
  pause: fc.constantFrom(0, 1, 60_000, LEASE, HALF_DAY, 3 * DAY, WEEK - 1, WEEK, 15 * DAY),
});
const firstRound: Round = { actions: [{ name: "sign up", person: 0, pick: 0 }], pause: 0 };

export const anyScenario = fc.record({
  rounds: fc.array(anyRound, { minLength: 2, maxLength: 9 }).map((rounds) => [firstRound, ...rounds]),
  failures: fc.infiniteStream(fc.boolean()),
  /** Events that arrive before an email is recorded as sent. */
  early: fc.infiniteStream(
    fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.constantFrom<EventKind>(...events)),
  ),
  /** Whether each sign-up has to be confirmed, where the site's setting changes. */
  mustConfirm: fc.oneof(fc.constant([true]), fc.constant([false]), fc.constant([true, false])),
});

export type Scenario = typeof anyScenario extends fc.Arbitrary<infer T> ? T : never;

export interface Entry {
  id: number;
  email: string;
  status: "active" | "unsubscribed";
  confirm_by: number | null;
  confirmed_at: number | null;
}

/** What an entry's emails depend on. */
export function stateOf(entry: Entry | undefined) {
  if (entry === undefined) return "no entry";
  if (entry.status === "unsubscribed") return "unsubscribed";
  return confirmationOf(entry) === "unconfirmed" ? "unconfirmed" : "listed";
}

export const leaving: ActionName[] = ["unsubscribe", "never", "complaint", "owner unsubscribes"];

/** For each kind of email the state that it fits, and the concurrent actions that lead to it. */
export const fitting: Partial<Record<EmailKind, { state: ReturnType<typeof stateOf>; after: ActionName[] }>> = {
  welcome: { state: "listed", after: ["rejoin", "confirm"] },
  rejoin: { state: "unsubscribed", after: leaving },
  confirm: { state: "unconfirmed", after: [] },
  "confirm-reminder": { state: "unconfirmed", after: [] },
};

/** Performs the actions that need no model. `changed` says whether they changed anything, if they can tell. */
export async function perform(deps: DeliveryDeps, name: ActionName, entryId: number, address: string) {
  const { db, emailContext } = deps;
  const now = deps.now();
  const { linkSecret, hashKey } = emailContext;
  const own = { db, linkSecrets: [linkSecret], hashKey, mustConfirm: false, entryHooks: {}, now: deps.now };
  const token = () => signDataToken(entryId, now, linkSecret);
  const change = async (intent: Intent) => {
    const outcome = await changeOwnEntry(own, await token(), intent);
    return outcome.kind === "done" && outcome.changed;
  };
  switch (name) {
    case "unsubscribe":
    case "rejoin":
    case "never":
    case "erase":
      return change(name);
    case "request link":
      return (await requestNewLink(own, await token())).kind === "done";
    case "confirm":
      return (await confirmEntry(db, entryId, now)) !== null;
    case "remind":
      return (await enqueueReminders(db, now)) > 0;
    case "expire":
      return (await eraseExpired(db, now, { unconfirmed: true })) > 0;
    case "owner unsubscribes":
      return unsubscribeEntry(db, entryId, now, "owner");
    case "owner resends":
      return (await requeueWelcome(db, entryId, now)) === "queued";
    case "crash": {
      const only = { email: address };
      return (await claimDue(db, { now, limit: 1, perHour: 1_000_000, owners: [], only })).length > 0;
    }
    default:
      throw new Error(`no such action: ${name}`);
  }
}
