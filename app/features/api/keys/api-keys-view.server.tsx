import type { ApiKey } from "#app/features/api/keys/keys.server.ts";
import { apiScopes, MAX_KEY_NAME_LENGTH, type readKey } from "#app/features/api/keys/scopes.ts";
import { Button, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Choice, Field, Problem } from "#app/owner/ui/field.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";

interface ApiKeysProps {
  keys: ApiKey[];
  revoked: ApiKey[];
  /** A key that was not made; null without one. */
  typed: ReturnType<typeof readKey> | null;
  timeZone: string;
  siteUrl: string;
}

/** The keys of the API, and a form that makes one. */
export function apiKeysView({ keys, revoked, typed, timeZone, siteUrl }: ApiKeysProps) {
  return (
    <Page title="API" section="api-keys">
      <Outcome />
      <p className="lead">
        Let another program, such as Zapier, n8n or your CRM, read or change the list. It needs a key from this page.
      </p>
      <p>
        <a className="quiet-link" href={`${siteUrl}/api/v1`}>
          API reference (for developers)
        </a>
      </p>
      <Section id="keys" title="Keys">
        {keys.length === 0 ? <p className="none">No keys yet.</p> : <Keys keys={keys} timeZone={timeZone} />}
      </Section>
      <Section id="new" title="Make a key">
        <NewKey typed={typed} />
      </Section>
      {revoked.length === 0 ? null : (
        <Section id="revoked" title="Revoked keys">
          <Revoked keys={revoked} timeZone={timeZone} />
        </Section>
      )}
    </Page>
  );
}

type KeysProps = Pick<ApiKeysProps, "keys" | "timeZone">;

function Keys({ keys, timeZone }: KeysProps) {
  return (
    <Table
      className="cards api-keys"
      labelledBy="keys"
      columns={[
        { name: "Name", kind: "words", cell: ({ name }) => name },
        { name: "Can", cell: ({ scopes }) => <Scopes scopes={scopes} /> },
        { name: "Created", cell: ({ created_at }) => formatTime(created_at, timeZone) },
        { name: "Last used", cell: lastUsed },
        { name: "Revoke", cell: (key) => <Revoke {...key} /> },
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

function Scopes({ scopes }: Pick<ApiKey, "scopes">) {
  return scopes.map((scope) => <div key={scope}>{apiScopes[scope]}</div>);
}

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

function NewKey({ typed }: Pick<ApiKeysProps, "typed">) {
  return (
    <form className="form" method="post" action="/owner/api-keys">
      <Field
        name="name"
        label="Name"
        hint="The program that will use the key. Use one key per program, so that you can revoke each separately."
        maxLength={MAX_KEY_NAME_LENGTH}
        required
        value={typed?.name}
        problem={typed?.problems.name}
      />
      <div>
        <Choice name="scopes" legend="What it can do" type="checkbox" options={apiScopes} value={typed?.scopes ?? []} />
        <Problem id="scopes-problem">{typed?.problems.scopes}</Problem>
      </div>
      <Button label="Make a key" />
    </form>
  );
}

function Revoked({ keys, timeZone }: KeysProps) {
  return (
    <Table
      className="cards"
      labelledBy="revoked"
      columns={[
        { name: "Name", kind: "words", cell: ({ name }) => name },
        { name: "Last used", cell: lastUsed },
        { name: "Revoked", cell: ({ revoked_at: at }) => (at === null ? "" : formatTime(at, timeZone)) },
      ]}
      rows={keys}
      rowKey={({ id }) => id}
    />
  );
}
