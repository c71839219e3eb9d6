import { imports } from "#app/server/db/schema/imports.server.ts";
import { db, execute } from "#tests/support/pool/start.ts";
import { parts } from "#worker/features.ts";

/** Whether the site has the feature that works on imports. */
export const hasImports = parts.some(({ jobs = [] }) => jobs.some(({ kind }) => kind === "import"));

interface RunningImport {
  /** How many are added: `imported1@example.com` and so on. */
  people: number;
  /** Who has unsubscribed according to the file. */
  optedOut?: string[];
  now: number;
}

/** Starts an import that sends welcome emails, without the code of the feature. @returns its id */
export async function startImport({ people, optedOut = [], now }: RunningImport): Promise<number> {
  const added = Array.from({ length: people }, (_, nth) => `imported${nth + 1}@example.com`);
  const emails = [...optedOut, ...added];
  const rows = emails.map((email, nth) => [nth + 2, [email, nth < optedOut.length ? "unsubscribed" : "active"]]);
  const chunks = Array.from({ length: Math.ceil(rows.length / 1_000) }, (_, at) =>
    rows.slice(at * 1_000, (at + 1) * 1_000),
  );
  const consent = { consentDate: "2026-10-05", note: "Paper list" };
  const settings = { mapping: ["email", "status"], ...consent, timeZone: "UTC", monthFirst: false, welcome: true };
  const columns = ["email", "status"];
  const times = { created_at: now, checked_at: now, confirmed_at: now };
  const counts = { rows: rows.length, chunks: chunks.length };
  const started = { ...counts, ...times, state: "running" as const, settings: { ...settings, unsubscribe: true } };
  const [created] = await db
    .insert(imports)
    .values({ ...started, file_name: "list.csv", columns })
    .returning();
  const id = created?.id ?? 0;
  for (const [position, chunk] of chunks.entries())
    await execute("INSERT INTO import_chunks VALUES (?, ?, ?)", id, position, JSON.stringify(chunk));
  await execute(
    "INSERT INTO jobs (kind, subject, next_attempt_at, created_at) VALUES ('import', ?, ?, ?)",
    id,
    now,
    now,
  );
  return id;
}
