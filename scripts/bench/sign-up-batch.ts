import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";

/** One statement of a batch. Parameters that differ between sign-ups are placeholders. */
export interface Statement {
  sql: string;
  parameters: (Parameter | { each: "email" | "uuid" })[];
}

type Parameter = string | number | null;

const EMAIL = "recorded@waitlist-site.example";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Records the statements of a sign-up from the site's use case, so that no measurement falls behind the site. */
export async function recordSignUp(): Promise<Statement[]> {
  const recorded: Statement[] = [];
  const recorder = {
    prepare: (sql: string) => ({
      bind: (...parameters: Parameter[]) => ({ sql, parameters: parameters.map(toPlaceholder) }),
    }),
    async batch(statements: Statement[]) {
      recorded.push(...statements);
      return statements.map(() => ({ success: true, meta: {}, results: [{ id: 1, status: "active" }] }));
    },
  };
  await addEntry(openDb(recorder as unknown as Parameters<typeof openDb>[0]), {
    email: EMAIL,
    source: "landing_page",
    columns: {},
    // A UUID becomes a placeholder, so that every sign-up has a mailbox of its own, as on the site.
    mailboxHash: crypto.randomUUID(),
    now: Date.now(),
  });
  return recorded;
}

function toPlaceholder(value: Parameter): Statement["parameters"][number] {
  if (value === EMAIL) return { each: "email" };
  return typeof value === "string" && UUID.test(value) ? { each: "uuid" } : value;
}
