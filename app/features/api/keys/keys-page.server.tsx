import {
  type ApiKey,
  createKey,
  listKeys,
  listRevokedKeys,
  MAX_KEYS,
  revokeKey,
} from "#app/features/api/keys/keys.server.ts";
import { apiScopes } from "#app/features/api/keys/scopes.ts";
import { Actions, Button, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { ChoiceField, Field, FieldProblem } from "#app/owner/ui/field.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { ApiScope } from "#app/server/db/schema/api-keys.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";

const TAKEN = "Another key has this name.";
const TOO_MANY = `There are ${MAX_KEYS} keys, which is the most. Revoke one first.`;

/** Characters. */
const MAX_NAME_LENGTH = 50;

/** @param typed a key that was not made */
export async function showKeys(c: OwnerContext, typed: TypedKey | null = null) {
  const { db, timeZone, emailContext } = c.var.app;
  const [keys, revoked] = await Promise.all([listKeys(db), listRevokedKeys(db)]);
  if (typed !== null) c.status(422);
  return c.render(
    <Page title="API" section="api-keys">
      <Outcome />
      <p className="lead">
        Let another program, such as Zapier, n8n or your CRM, read or change the list. It needs a key from this page.
      </p>
      <p>
        <a className="quiet-link" href={`${emailContext.siteUrl}/api/v1`}>
          API reference (for developers)
        </a>
      </p>
      <Section id="keys" title="Keys">
        {keys.length === 0 ? <p className="none">No keys yet.</p> : <Keys id="keys" keys={keys} timeZone={timeZone} />}
      </Section>
      <Section id="new" title="Make a key">
        <NewKey typed={typed} />
      </Section>
      {revoked.length === 0 ? null : (
        <Section id="revoked" title="Revoked keys">
          <Keys id="revoked" keys={revoked} timeZone={timeZone} />
        </Section>
      )}
    </Page>,
  );
}

/** Shows the new key in the response itself, the only page that does: it is stored nowhere, and in no URL. */
export async function addKey(c: OwnerContext) {
  const { db, now, emailContext } = c.var.app;
  const typed = readKey(c.var.form);
  const { name, scopes, problems } = typed;
  if (problems.name !== null || problems.scopes !== null) return showKeys(c, typed);
  const made = await createKey(db, { name, scopes }, now());
  if (made.kind !== "created")
    return showKeys(c, { ...typed, problems: { ...problems, name: made.kind === "taken" ? TAKEN : TOO_MANY } });
  await c.var.record("create-api-key", { key: String(made.id), name, scopes: scopes.join(", ") });
  return c.render(
    <Page title="New API key" section="api-keys" back={{ href: "/owner/api-keys", name: "Back to the keys" }}>
      <Message kind="success">{`The key “${name}” is ready.`}</Message>
      <Section id="key" title="Copy it now">
        <p>This page shows the key once. Only a hash is stored, so no one can show it again, not even you.</p>
        <code className="code-block">{made.key}</code>
        <p className="hint">
          Store it where your program stores its passwords. Anyone who has it can do what it allows, without signing in.
        </p>
      </Section>
      <Section id="try" title="Try it">
        <p>Run this command in a terminal, or give it to your developer. Never put the key in a web address.</p>
        <code className="code-block">{`curl -H "Authorization: Bearer ${made.key}" ${emailContext.siteUrl}/api/v1/key`}</code>
      </Section>
      <Actions>
        <ButtonLink label="I have copied the key" href="/owner/api-keys" />
      </Actions>
    </Page>,
  );
}

export async function changeKey(c: OwnerContext) {
  if (c.var.form.get("intent") !== "revoke") return badRequest(c);
  const revoked = await revokeKey(c.var.app.db, Number(c.req.param("id")), c.var.app.now());
  if (revoked === null) return c.redirect("/owner/api-keys?done=unchanged", 303);
  await c.var.record("revoke-api-key", { key: String(revoked.id), name: revoked.name });
  return c.redirect("/owner/api-keys?done=key-revoked", 303);
}

function readKey(form: FormData) {
  const name = fieldText(form, "name")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  const chosen = form.getAll("scopes");
  const scopes = (Object.keys(apiScopes) as ApiScope[]).filter((scope) => chosen.includes(scope));
  const problems = { name: nameProblem(name), scopes: scopes.length === 0 ? "Choose at least one." : null };
  return { name, scopes, problems };
}

type TypedKey = ReturnType<typeof readKey>;

function nameProblem(name: string): string | null {
  if (name === "") return "Give the key a name, such as the program that will use it.";
  if (name.length > MAX_NAME_LENGTH) return `Use at most ${MAX_NAME_LENGTH} characters.`;
  // The log shows names, and holds no addresses.
  return name.includes("@") ? "Leave out email addresses: the log shows this name." : null;
}

/** Those that work, or those that were revoked. */
function Keys({ id, keys, timeZone }: { id: "keys" | "revoked"; keys: ApiKey[]; timeZone: string }) {
  const last: Column<ApiKey> =
    id === "keys"
      ? { name: "Revoke", cell: (key) => <Revoke {...key} /> }
      : { name: "Revoked", cell: ({ revoked_at: at }) => formatTime(at ?? 0, timeZone) };
  return (
    <Table
      className="cards api-keys"
      labelledBy={id}
      columns={[
        { name: "Name", kind: "words", cell: ({ name }) => name },
        {
          name: "Can",
          cell: ({ scopes }) => scopes.map((scope) => apiScopes[scope] && <div key={scope}>{apiScopes[scope]}</div>),
        },
        { name: "Created", cell: ({ created_at }) => formatTime(created_at, timeZone) },
        { name: "Last used", cell: lastUsed },
        last,
      ]}
      rows={keys}
      rowKey={({ id }) => id}
    />
  );
}

function lastUsed({ last_used_day: day }: ApiKey): string {
  return day === null ? "Never" : dayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** `26 Nov 2026` */
const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

function Revoke({ id, name }: ApiKey) {
  return (
    <Confirm
      question="Revoke"
      label={`Revoke “${name}”`}
      value="revoke"
      action={`/owner/api-keys/${id}`}
      text="Programs that use it lose access at once. This cannot be undone."
    />
  );
}

function NewKey({ typed }: { typed: TypedKey | null }) {
  return (
    <form className="form" method="post" action="/owner/api-keys">
      <Field
        name="name"
        label="Name"
        hint="The program that will use the key. Use one key per program, so that you can revoke each separately."
        maxLength={MAX_NAME_LENGTH}
        required
        value={typed?.name}
        problem={typed?.problems.name}
      />
      <div>
        <ChoiceField
          name="scopes"
          legend="What it can do"
          type="checkbox"
          options={apiScopes as Record<ApiScope, string>}
          value={typed?.scopes ?? []}
        />
        <FieldProblem id="scopes-problem">{typed?.problems.scopes}</FieldProblem>
      </div>
      <Button label="Make a key" />
    </form>
  );
}
