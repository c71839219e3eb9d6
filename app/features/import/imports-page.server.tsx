import { and, desc, eq, gt, inArray, isNotNull, ne, or, sql } from "drizzle-orm";
import {
  ImportError,
  MAX_ROWS,
  MAX_UPLOAD_SIZE,
  readCsv,
  type Separator,
  separators,
} from "#app/features/import/file/read-csv.server.ts";
import { type Import, listImports, stageImport } from "#app/features/import/imports.server.ts";
import { OTHER_STATEMENTS, percentDone } from "#app/features/import/progress-page.server.tsx";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Advanced, Page, Section } from "#app/owner/ui/page.server.tsx";
import { type ImportState, imports } from "#app/server/db/schema/imports.server.ts";
import type { Millis } from "#app/server/time/units.ts";

const LISTED_IMPORTS = 20;

/** Stores the uploaded file; adds no entries. */
export async function uploadFile(c: OwnerContext) {
  const { db, plan, now } = c.var.app;
  const file = c.var.form.get("file");
  // Browsers send an empty name if no file was chosen.
  if (!(file instanceof File) || file.name === "") return showImports(c, "Choose a file.");
  try {
    const separator = Object.keys(separators).find((known) => known === c.var.form.get("separator"));
    const read = await readCsv(new Uint8Array(await file.arrayBuffer()), separator as Separator | undefined);
    if (read.chunks.length > plan.subrequests - OTHER_STATEMENTS) throw new ImportError(tooManyChunks);
    return c.redirect(`/owner/import/${await stageImport(db, read, { fileName: file.name, now: now() })}`, 303);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return showImports(c, error.message);
  }
}

const COMMAND = "Use the command line: npm run owner -- import FILE --remote";

const tooManyChunks = `The file is too large for this site. Split it, and import the parts one after the other.\nAdvanced: the free Workers plan takes no more here. ${COMMAND}`;

export function refuseLargeFile(c: OwnerContext) {
  const megabytes = MAX_UPLOAD_SIZE / 1_000_000;
  return showImports(
    c,
    `The file is larger than ${megabytes} MB. Split it, and import the parts one after the other.\nAdvanced: the command line takes larger files. ${COMMAND}`,
  );
}

/** @param error why a file cannot be imported */
export async function showImports(c: OwnerContext, error: string | null = null) {
  const { db, timeZone, plan } = c.var.app;
  const earlier = await listImports(db, LISTED_IMPORTS);
  if (error !== null) c.status(422);
  return c.render(
    <Page title="Import" section="import" heading="Import people">
      <p className="lead">
        Add people who joined elsewhere, such as on a list at a fair. No one is added before you have seen what would
        happen and confirmed it.
      </p>
      <form className="form" method="post" action="/owner/import" encType="multipart/form-data">
        <Field
          name="file"
          label="CSV file"
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          required
          problem={error === null ? null : error.replace(/$|(?=\n)/, " Nothing was stored.")}
        />
        <Field
          name="separator"
          label="The columns are separated by"
          hint="Change this only if the columns on the next page are wrong."
          options={{ "": "Find out", ...separators }}
        />
        <Button label="Upload and choose columns" />
      </form>
      <Section id="requirements" title="What the file needs">
        <ul>
          <li>One column with the email addresses. All others are optional.</li>
          <li>People who agreed to get email. You record when and how they agreed.</li>
          <li>{`At most ${formatNumber(MAX_ROWS)} people and ${MAX_UPLOAD_SIZE / 1_000_000} MB.`}</li>
          <li>Files that this site exported can be imported as they are.</li>
        </ul>
        <Advanced>
          {plan.jobsOfEachKind === 1 ? "the free Workers plan allows little CPU time per request. " : null}
          For larger files, use the command line: <code>npm run owner -- import FILE --remote</code>
        </Advanced>
      </Section>
      {earlier.length === 0 ? null : (
        <Section id="earlier" title="Imports">
          <Table
            className="cards"
            caption="Newest first. A file that is not confirmed is deleted after a day."
            columns={[
              {
                name: "File",
                kind: "words",
                cell: ({ id, state, file_name }) =>
                  state === "receiving" ? file_name : <a href={`/owner/import/${id}`}>{file_name}</a>,
              },
              { name: "Uploaded", cell: ({ created_at }) => formatTime(created_at, timeZone) },
              { name: "State", cell: stateOf },
              { name: "Added", kind: "number", cell: ({ added }) => formatNumber(added) },
            ]}
            rows={earlier}
            rowKey={({ id }) => id}
          />
        </Section>
      )}
    </Page>,
  );
}

const states: Record<ImportState, string> = {
  receiving: "Upload not finished",
  staged: "Not checked yet",
  checked: "Not confirmed yet",
  running: "Running",
  done: "Done",
  stopped: "Stopped",
};

function stateOf(found: Import): string {
  return found.state === "running" ? `${states.running}: ${percentDone(found)}% done` : states[found.state];
}

/** How long rows that were left out are worth a mention. */
const RECENT: Millis = 7 * 24 * 3_600_000;

/** Imports that stopped by themselves, and recent ones that left rows out. */
export async function importsInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { id, file_name, state, stop_reason, finished_at, report } = imports;
  const leftOut = sql<number>`coalesce(${report} ->> 'leftOut', 0)`;
  const hasStopped = and(eq(state, "stopped"), ne(stop_reason, "owner"));
  const isRecent = and(eq(state, "done"), isNotNull(finished_at), gt(finished_at, c.var.app.now() - RECENT));
  const found = await c.var.app.db
    .select({ id, file_name, state, leftOut })
    .from(imports)
    .where(and(inArray(state, ["stopped", "done"]), or(hasStopped, and(isRecent, sql`${leftOut} > 0`))))
    .orderBy(desc(id))
    .limit(3);
  return found.map((one) => ({
    text:
      one.state === "stopped"
        ? `The import of ${one.file_name} has stopped before its end.`
        : `The import of ${one.file_name} left ${counted(one.leftOut, "row", "rows")} out.`,
    action: { label: "See what to fix", about: `in ${one.file_name}`, href: `/owner/import/${one.id}` },
  }));
}
