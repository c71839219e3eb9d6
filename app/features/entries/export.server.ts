import { selectionDetails } from "#app/features/entries/list-state.ts";
import { CSV_BOM, csvLine, escapeFormulas, type Separator } from "#app/owner/ui/csv.ts";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { suppressedHashes } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { logInfo } from "#app/server/log.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { referrals } from "#app/switches.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { type EntryColumn, entryColumns } from "#app/waitlist/entries/entry-columns.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/filters.server.ts";
import { type SelectedEntry, selectedEntries } from "#app/waitlist/filter/list-entries.server.ts";
import { answerTo, askedQuestions } from "#app/waitlist/questions/questions.server.ts";

export interface ExportDeps {
  db: Db;
  /** Empty: only stored hashes are known. */
  hashKey: string;
  now: () => EpochMillis;
}

/** Streams the selected entries as CSV, with one page in memory at a time. */
export function streamExport(deps: ExportDeps, selection: EntrySelection, name: ExportFormatName) {
  return streamText(exportText(deps, selection, name), "export-failed");
}

async function* exportText(deps: ExportDeps, selection: EntrySelection, name: ExportFormatName) {
  // Fixed at the start, even if a question is added during the export.
  const format = exportFormats()[name];
  let count = 0;
  yield format.header();
  for await (const page of exportedEntries(deps, selection)) {
    count += page.length;
    yield page.map(format.row).join("");
  }
  logInfo("list-exported", { entries: count, format: name });
}

/**
 * The selected entries, page by page, and which of their addresses get no email: those that bounced, reported spam or
 * asked for none. They are left out if the entries are people who may get email.
 */
export async function* exportedEntries(
  { db, hashKey, now }: ExportDeps,
  selection: EntrySelection,
): AsyncGenerator<ExportedEntry[]> {
  const suppressed = await suppressedHashes(db, now());
  // An entry without its hash is older than that column.
  const hashOf = async ({ address_hash, email }: Entry) =>
    address_hash ?? (hashKey === "" ? "" : await keyedHash("address:v1", email, hashKey));
  const listed = async (entry: SelectedEntry) => ({
    ...entry,
    isSuppressed: suppressed.size > 0 && suppressed.has(await hashOf(entry)),
  });
  for await (const page of selectedEntries(db, selection)) {
    const entries = await Promise.all(page.map(listed));
    yield selection.mayGetEmail ? entries.filter(({ isSuppressed }) => !isSuppressed) : entries;
  }
}

/** What the owners' log says about an export. */
export function exportDetails(selection: EntrySelection, format: string): Record<string, string> {
  return { format, people: selection.mayGetEmail ? "may get email" : "all", ...selectionDetails(selection) };
}

export type ExportedEntry = SelectedEntry & { isSuppressed: boolean };

interface ExportColumn extends Pick<EntryColumn, "name" | "isTime"> {
  value: (entry: ExportedEntry) => ReturnType<EntryColumn["value"]>;
}

/** An import leaves out those about referrals. */
const exportColumns = perSettings((): readonly ExportColumn[] => [
  ...entryColumns(),
  ...(referrals
    ? [
        { name: "friends_counted", value: ({ friends_counted = 0 }: ExportedEntry) => friends_counted },
        { name: "milestone", value: ({ milestone = null }: ExportedEntry) => milestone },
      ]
    : []),
]);

interface ExportFormat {
  label: string;
  header: () => string;
  row: (entry: ExportedEntry) => string;
}

/** Characters of a member's note in Ghost. https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/server/data/schema/schema.js */
const MAX_GHOST_NOTE = 2_000;

/** Every column, for spreadsheets and for the import of this site. */
export const spreadsheetFormats = perSettings(() => ({
  csv: { label: "Comma", ...spreadsheet(",") },
  semicolon: { label: "Semicolon (Excel in German, French and many other languages)", ...spreadsheet(";") },
  tab: { label: "Tab", ...spreadsheet("\t") },
}));

/**
 * Columns that email services import as they are, with the page that documents their import. Values are not escaped, because
 * an address must arrive unchanged. There is no byte order mark: listmonk's parser refuses one before a quoted cell.
 */
export const serviceFormats = perSettings(({ questions }) => ({
  // Tags are separated by commas; dates are `YYYY-MM-DD`; text fields hold up to 255 bytes.
  mailchimp: {
    label: "Mailchimp",
    url: "https://mailchimp.com/help/format-guidelines-for-your-import-file/",
    ...columns({
      "Email Address": ({ email }) => email,
      Tags: (entry) => tagsOf(entry).join(", "),
      Joined: (entry) => isoTime(entry.created_at).slice(0, 10),
      Source: ({ source }) => source,
    }),
  },
  // Labels are separated by commas; times are ISO 8601. A longer note would keep its member out.
  ghost: {
    label: "Ghost",
    url: "https://ghost.org/help/import-members/",
    ...columns({
      email: ({ email }) => email,
      note: ({ owner_note }) => owner_note && Array.from(owner_note).slice(0, MAX_GHOST_NOTE).join(""),
      subscribed_to_emails: (entry) => entry.status === "active",
      labels: (entry) => tagsOf(entry).join(", "),
      created_at: (entry) => isoTime(entry.created_at),
    }),
  },
  // Columns other than the first two fill contact properties of that name, which have to exist.
  resend: {
    label: "Resend",
    url: "https://resend.com/docs/dashboard/contacts/add-contacts",
    ...columns({
      email: ({ email }) => email,
      unsubscribed: (entry) => entry.status !== "active",
      ...Object.fromEntries(
        questions.map((question) => [question.key, ({ answers }: Entry) => answerTo(question, answers)]),
      ),
      source: ({ source }) => source,
    }),
  },
  // An empty name becomes the part of the address before the at sign.
  listmonk: {
    label: "listmonk",
    url: "https://listmonk.app/docs/apis/import/",
    ...columns({
      email: ({ email }) => email,
      name: () => "",
      attributes: (entry) => {
        const { answers, source, utm_campaign, created_at } = entry;
        return JSON.stringify({ ...answers, source, utm_campaign, joined: isoTime(created_at) });
      },
    }),
  },
}));

export function exportFormats(): Record<ExportFormatName, ExportFormat> {
  return { ...spreadsheetFormats(), ...serviceFormats() };
}

export type ExportFormatName = keyof ReturnType<typeof spreadsheetFormats> | keyof ReturnType<typeof serviceFormats>;

export function isExportFormat(name: unknown): name is ExportFormatName {
  return typeof name === "string" && Object.hasOwn(exportFormats(), name);
}

/** Whether a format is for an email service, which gets only people who may get email. */
export function isServiceFormat(name: ExportFormatName): boolean {
  return Object.hasOwn(serviceFormats(), name);
}

/** The exported values of an entry by column name; times are ISO 8601 in UTC. */
export function exportedFields(
  entry: ExportedEntry,
  columns = exportColumns(),
): Record<string, ReturnType<EntryColumn["value"]>> {
  return Object.fromEntries(
    columns.map(({ name, value, isTime }) => {
      const stored = value(entry);
      return [name, isTime && typeof stored === "number" ? isoTime(stored) : stored];
    }),
  );
}

function spreadsheet(separator: Separator): Pick<ExportFormat, "header" | "row"> {
  const line = (cells: Parameters<typeof csvLine>[0]) => csvLine(cells.map(escapeFormulas), separator);
  const columns = exportColumns();
  return {
    header: () => CSV_BOM + line(columns.map(({ name }) => name)),
    row: (entry) => line(Object.values(exportedFields(entry, columns))),
  };
}

function columns(values: Record<string, EntryColumn["value"]>): Pick<ExportFormat, "header" | "row"> {
  return {
    header: () => csvLine(Object.keys(values)),
    row: (entry) => csvLine(Object.values(values).map((value) => value(entry))),
  };
}

/** Answers that were chosen, such as `role: host`, for lists that are separated by commas. */
function tagsOf({ answers }: Entry): string[] {
  const choices = askedQuestions().filter((question) => question.answers !== undefined);
  return choices.flatMap((question) => {
    const answer = answerTo(question, answers);
    return answer === null ? [] : [`${question.key}: ${answer}`];
  });
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
