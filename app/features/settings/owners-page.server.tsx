import { and, gt, inArray, type SQL, sql } from "drizzle-orm";
import { OWNERS_PATH } from "#app/features/settings/restore-owner.server.ts";
import { ownersBy, ownerVariable, saveSettings } from "#app/features/settings/save-settings.server.ts";
import { fieldOf, readRow, SETTINGS_PATH } from "#app/features/settings/settings.server.ts";
import { forgettingScript } from "#app/owner/editor/writing-form.server.tsx";
import { recordStatement } from "#app/owner/log.server.ts";
import { refuse } from "#app/owner/sign-in/guards.server.tsx";
import { deleteCookie } from "#app/owner/sign-in/session.server.ts";
import { Actions, Button, ButtonForm, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { addressField, Field } from "#app/owner/ui/field.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Advanced, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { clearSearch } from "#app/owner/ui/search-cookie.server.ts";
import { readOwnerAddresses } from "#app/server/config/config-values.server.ts";
import type { SettingName, StoredSettings } from "#app/server/config/settings.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerSessions } from "#app/server/db/schema/owner.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { ownerId } from "#app/server/owners.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { INVALID_EMAIL } from "#app/waitlist/sign-up/messages.ts";

const PATH = OWNERS_PATH;

/** @param typed an address that was refused */
export async function showOwners(c: OwnerContext, typed?: { email: string; problem: string }) {
  const { db, now, timeZone } = c.var.app;
  const { stored } = await readRow(db);
  const owners = ownersBy(c, stored);
  const sessions = await sessionsOf(db, owners, now());
  const deployed = readOwnerAddresses(ownerVariable(c));
  const former = readOwnerAddresses(stored.OWNERS_REMOVED);
  if (typed !== undefined) c.status(422);
  return c.render(
    <Page title="Owners" section="settings" back={{ href: SETTINGS_PATH, name: "All settings" }}>
      <Outcome />
      <p className="lead">
        Owners can do everything on these pages, and get the notifications. Each signs in with a link by email. Whenever
        one is added or removed, all of them get an email about it, including the one who is removed.
      </p>
      <Table
        className="cards middle"
        caption="Who can sign in"
        columns={[
          { name: "Owner", kind: "words", cell: (email) => (email === c.var.owner.email ? `${email} (you)` : email) },
          { name: "From", cell: (email) => (deployed.includes(email) ? "Deployed with the site" : "Added here") },
          {
            name: "Signed in since",
            cell: (email) =>
              (sessions.get(email) ?? []).length === 0
                ? "Not signed in"
                : sessions.get(email)?.map((at) => <div key={at}>{formatTime(at, timeZone)}</div>),
          },
          {
            name: "Change",
            cell: (email) => (
              <OwnerActions
                email={email}
                isSelf={email === c.var.owner.email}
                isOnly={owners.length === 1}
                isSignedIn={(sessions.get(email) ?? []).length > 0}
              />
            ),
          },
        ]}
        rows={owners}
        rowKey={(email) => email}
      />
      <Section id="add" title="Add an owner">
        <form className="form narrow" method="post" action={PATH}>
          <Field
            name="email"
            label="Email address"
            hint="Check it twice: anyone who reads this mailbox can do everything that you can."
            value={typed?.email}
            problem={typed?.problem}
            {...addressField}
            required
          />
          <Button label="Add this owner" value="add" />
        </form>
      </Section>
      {former.length === 0 ? null : (
        <Section id="former" title="Removed owners">
          <p>They cannot sign in, even if the site is deployed with their address.</p>
          <Table
            className="cards middle"
            labelledBy="former"
            columns={[
              {
                name: "Address",
                kind: "words",
                cell: (email) => <span id={`former-${former.indexOf(email)}`}>{email}</span>,
              },
              {
                name: "Change",
                cell: (email) => (
                  <ButtonForm
                    action={PATH}
                    hidden={{ email }}
                    value="add"
                    label="Add again"
                    describedBy={`former-${former.indexOf(email)}`}
                  />
                ),
              },
            ]}
            rows={former}
            rowKey={(email) => email}
          />
        </Section>
      )}
      <Advanced>
        if no one can sign in any more, the command <code>npm run owner -- sign-in</code> prints a sign-in link, and
        with <code>--restore</code> it takes back a removed owner. A new address in OWNER_EMAIL gets in, too.
      </Advanced>
    </Page>,
  );
}

interface OwnerActionsProps {
  email: string;
  isSelf: boolean;
  isOnly: boolean;
  isSignedIn: boolean;
}

function OwnerActions({ email, isSelf, isOnly, isSignedIn }: OwnerActionsProps) {
  return (
    <Actions>
      {isSignedIn ? (
        <Confirm
          question="Sign out"
          kind="quiet"
          action={isSelf ? "/owner/sign-out-everywhere" : PATH}
          hidden={{ email }}
          value="sign-out"
          label={isSelf ? "Sign out everywhere" : `Sign out ${email}`}
          text={`In every browser, at once. Links that were emailed before no longer work. ${isSelf ? "You" : "They"} can sign in again with a new one.`}
        />
      ) : null}
      {isOnly ? (
        <p className="hint">The last owner cannot be removed.</p>
      ) : (
        <Confirm
          question="Remove"
          action={PATH}
          hidden={{ email }}
          value="remove"
          label={isSelf ? "Remove myself" : `Remove ${email}`}
          text={`${isSelf ? SELF : OTHER} API keys, forms on other sites and devices for fairs that ${isSelf ? "you" : "they"} have set up go on working.`}
        />
      )}
    </Actions>
  );
}

const SELF =
  "You remove yourself. You are signed out at once, and only another owner can let you in again. You still get an email that says so.";
const OTHER = "They are signed out at once and cannot sign in any more. They get an email that says so.";

export function changeOwners(c: OwnerContext): Response | Promise<Response> {
  return runIntent(c, { add: addOwner, remove: removeOwner, "sign-out": signOutOwner, save: leaveUnchanged });
}

/** The page of earlier versions offers to bring one back. Owners are added and removed one by one, so that no one slips in. */
function leaveUnchanged(c: OwnerContext) {
  return c.redirect(`${PATH}?done=one-by-one`, 303);
}

async function addOwner(c: OwnerContext): Promise<Response> {
  const typed = fieldText(c.var.form, "email");
  const email = normaliseEmail(typed);
  if (email === null) return showOwners(c, { email: typed, problem: INVALID_EMAIL });
  const outcome = await changeList(c, (lists, deployed) => {
    const removed = lists.removed.filter((one) => one !== email);
    const added = deployed.includes(email) || lists.added.includes(email) ? lists.added : [...lists.added, email];
    return { added, removed };
  });
  return outcome === "refused" ? refuse(c, "session") : c.redirect(`${PATH}?done=${outcome}`, 303);
}

async function removeOwner(c: OwnerContext): Promise<Response> {
  const { app, owner, form } = c.var;
  const email = normaliseEmail(form.get("email")) ?? "";
  const id = await ownerId(email);
  const outcome = await changeList(
    c,
    ({ added, removed }, _deployed, owners) =>
      owners.includes(email)
        ? { added: added.filter((one) => one !== email), removed: [...removed, email] }
        : { added, removed },
    {
      values: ({ NOTIFICATIONS_OFF: off }) => (off === undefined ? {} : { NOTIFICATIONS_OFF: withoutOwner(off, id) }),
      also: (isUnchanged) => [
        ...endSessions(id, app.now(), isUnchanged),
        sql`DELETE FROM email_outbox WHERE dedupe_key = ${`sign-in:${id}`} AND ${isUnchanged}`,
      ],
    },
  );
  if (outcome === "refused") return refuse(c, "session");
  if (email !== owner.email || outcome !== "owners-changed") return c.redirect(`${PATH}?done=${outcome}`, 303);
  return respondRemoved(c);
}

function withoutOwner(off: string, id: string): string | null {
  const others = off.split(",").filter((one) => !one.endsWith(`:${id}`));
  return others.join(",") || null;
}

/** What the browser keeps for an owner goes as well. */
async function respondRemoved(c: OwnerContext) {
  const { script, policy } = await forgettingScript();
  c.header("Set-Cookie", deleteCookie(c.var.app));
  clearSearch(c);
  return c.render(
    <Page title="You are no longer an owner" className="prose" head={script}>
      <p className="lead">You are signed out in every browser. Only another owner can let you in again.</p>
    </Page>,
    { policy },
  );
}

async function signOutOwner(c: OwnerContext): Promise<Response> {
  const { app, owner, form } = c.var;
  const email = normaliseEmail(form.get("email")) ?? "";
  const id = await ownerId(email);
  const now = app.now();
  const hasSession = sql`EXISTS (SELECT 1 FROM owner_sessions WHERE owner_id = ${id} AND expires_at > ${now})`;
  const isOpen = sql`(${hasSession} OR EXISTS (SELECT 1 FROM owner_sign_in_tokens
    WHERE owner_id = ${id} AND used_at IS NULL AND expires_at > ${now}))`;
  const record = recordStatement({ by: owner.email, action: "sign-out-owner", details: { owner: email } }, now, isOpen);
  await runBatch(app.db, [record, ...endSessions(id, now, sql`true`)]);
  return c.redirect(`${PATH}?done=owner-signed-out`, 303);
}

/** Ends all sessions of an owner, and makes links void that were not used. */
function endSessions(id: string, now: EpochMillis, condition: SQL): SQL[] {
  return [
    sql`DELETE FROM owner_sessions WHERE owner_id = ${id} AND ${condition}`,
    sql`UPDATE owner_sign_in_tokens SET used_at = ${now} WHERE owner_id = ${id} AND used_at IS NULL AND ${condition}`,
  ];
}

interface Lists {
  /** Besides those that the site was deployed with. */
  added: string[];
  removed: string[];
}

/** What else the same batch changes. */
interface Beside {
  values: (stored: StoredSettings) => Partial<Record<SettingName, string | null>>;
  also: (isUnchanged: SQL) => SQL[];
}

/**
 * Adds an owner to the present ones, or removes one. Of two changes at the same time, the second sees the first; an owner who
 * was removed by it changes nothing.
 */
async function changeList(
  c: OwnerContext,
  change: (lists: Lists, deployed: string[], owners: string[]) => Lists,
  beside?: Beside,
): Promise<"owners-changed" | "unchanged" | "last-owner" | "refused"> {
  const row = await readRow(c.var.app.db);
  const { stored } = row;
  const owners = ownersBy(c, stored);
  if (!owners.includes(c.var.owner.email)) return "refused";
  const lists = { added: readOwnerAddresses(stored.OWNERS_ADDED), removed: readOwnerAddresses(stored.OWNERS_REMOVED) };
  const deployed = readOwnerAddresses(ownerVariable(c));
  const typed = change(lists, deployed, owners);
  const values = { OWNERS_ADDED: typed.added.join(", ") || null, OWNERS_REMOVED: typed.removed.join(", ") || null };
  const next = ownersBy(c, {
    ...stored,
    OWNERS_ADDED: values.OWNERS_ADDED ?? "",
    OWNERS_REMOVED: values.OWNERS_REMOVED ?? "",
  });
  if (next.length === 0) return "last-owner";
  if (next.join() === owners.join() && typed.removed.join() === lists.removed.join()) return "unchanged";
  const fields = ({ added, removed }: Lists) => [
    [fieldOf("OWNERS_ADDED"), added.join(", ")] as [string, string],
    [fieldOf("OWNERS_REMOVED"), removed.join(", ")] as [string, string],
  ];
  const isSaved = await saveSettings(c, row, {
    path: PATH,
    present: fields(lists),
    typed: fields(typed),
    values: { ...values, ...beside?.values(stored) },
    changes: [{ name: "OWNERS_ADDED", label: "Owners", from: owners.join(", "), to: next.join(", ") }],
    ...(beside === undefined ? {} : { also: beside.also }),
  });
  return isSaved ? "owners-changed" : changeList(c, change, beside);
}

/** When the sessions of each address began. */
async function sessionsOf(db: Db, owners: string[], now: EpochMillis): Promise<Map<string, EpochMillis[]>> {
  const ids = await Promise.all(owners.map(async (email) => [email, await ownerId(email)] as const));
  const { owner_id, expires_at, created_at } = ownerSessions;
  const found = await db
    .select({ owner_id, created_at })
    .from(ownerSessions)
    .where(
      and(
        inArray(
          owner_id,
          ids.map(([, id]) => id),
        ),
        gt(expires_at, now),
      ),
    )
    .orderBy(created_at);
  return new Map(
    ids.map(([email, id]) => [email, found.filter((one) => one.owner_id === id).map((one) => one.created_at)]),
  );
}
