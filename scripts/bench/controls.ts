import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { startControl } from "#scripts/bench/workers.ts";

/** The site's response, without the headers of the connection. */
export interface CapturedResponse {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

const CONNECTION_HEADERS = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

export async function capture(url: string, request: RequestInit = {}): Promise<CapturedResponse> {
  const response = await fetch(url, request);
  const headers = Array.from(response.headers).filter(([name]) => !CONNECTION_HEADERS.includes(name));
  return { status: response.status, headers, body: await response.text() };
}

/** Starts a bare Worker that returns one response, encoded once, to every request: the fastest a Worker can be. */
export function startBarePage({ status, headers, body }: CapturedResponse) {
  const script = `
    const body = new TextEncoder().encode(${JSON.stringify(body)});
    const init = ${JSON.stringify({ status, headers })};
    export default { fetch: () => new Response(body, init) };
  `;
  return startControl(script);
}

/**
 * Starts a bare Worker that runs the site's sign-up batch with the address it receives, without any checks. It returns
 * the same response each time.
 */
export async function startBareSignUp({ status, headers, body }: CapturedResponse) {
  const script = `
    const statements = ${JSON.stringify(await recordSignUp())};
    const body = ${JSON.stringify(body)};
    const init = ${JSON.stringify({ status, headers })};
    export default {
      async fetch(request, { DB }) {
        const { email } = await request.json();
        const each = { email: () => email, uuid: () => crypto.randomUUID() };
        const value = (parameter) => (parameter?.each ? each[parameter.each]() : parameter);
        await DB.batch(statements.map(({ sql, parameters }) => DB.prepare(sql).bind(...parameters.map(value))));
        return new Response(body, init);
      },
    };
  `;
  return startControl(script);
}

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
