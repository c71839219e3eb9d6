import { and, desc, eq, gt, lt } from "drizzle-orm";
import { COMMAND_LINE } from "#app/owner/log.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { type LogSubject, type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Page } from "#app/owner/ui/page.server.tsx";
import type { AppContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerLog, ownerSessions } from "#app/server/db/schema/owner.server.ts";
import type { Owner } from "#app/server/owners.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { activeFilters, parseEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";

const PAGE_SIZE = 50;

export async function showLog(c: OwnerContext) {
  const { app, owner } = c.var;
  const { db, timeZone } = app;
  const before = parseId(c.req.query("before"));
  const [{ actions, hasOlder }, sessions] = await Promise.all([
    readLog(db, { before, limit: PAGE_SIZE }),
    listSessions(app, owner),
  ]);
  const subjects = await nameSubjects(
    db,
    c.var.sections.flatMap(({ subject }) => subject ?? []),
    actions,
  );
  const last = actions.at(-1);
  return c.render(
    <Page title="Log" section="log">
      <Sessions owner={owner} sessions={sessions} timeZone={timeZone} />
      <h2>Actions</h2>
      <p>Who did what on these pages and on the command line, in the last 12 months.</p>
      {actions.length === 0 ? (
        <p className="none">No actions to show.</p>
      ) : (
        <Table
          className="cards plain log-table"
          caption={`Times in ${timeZone}, newest first`}
          columns={[
            {
              name: "When",
              cell: ({ created_at: at }) => (
                <time dateTime={new Date(at).toISOString()}>{formatTime(at, timeZone)}</time>
              ),
            },
            { name: "What", kind: "words", cell: (logged) => <Action {...logged} subjects={subjects} /> },
            { name: "Who", kind: "words", cell: ({ actor }) => (actor === COMMAND_LINE ? "Command line" : actor) },
          ]}
          rows={actions}
          rowKey={({ id }) => id}
        />
      )}
      <Paging
        links={{
          Newest: before === undefined ? null : "/owner/log",
          Older: hasOlder && last && `/owner/log?before=${last.id}`,
        }}
      />
    </Page>,
  );
}

interface SessionsProps {
  owner: Owner;
  sessions: EpochMillis[];
  timeZone: string;
}

function Sessions({ owner, sessions, timeZone }: SessionsProps) {
  const [first] = sessions;
  const since = first === undefined ? "" : `since ${formatTime(first, timeZone)}`;
  const where = sessions.length > 1 ? `in ${sessions.length} browsers, the first ${since}` : since;
  return (
    <ButtonForm
      className="panel row spread log-sessions"
      action="/owner/sign-out-everywhere"
      text={
        <>
          You are signed in as <strong>{owner.email}</strong> {where}.
        </>
      }
      label="Sign out everywhere"
    />
  );
}

/** The filter of a URL in words: `Source: Main form; Status: Active`. */
function filterText(search: string): string {
  const texts = activeFilters(parseEntryFilter(new URLSearchParams(search)).filter).map(({ text }) => text);
  return texts.length === 0 ? search : texts.join("; ");
}

/** The words of all actions, also of features that are switched off. */
export const actionWords: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob("/app/{features,owner}/*/actions.ts", { eager: true, import: "actions" })),
);

/** What numbers in details count, for one. */
const one: Record<string, string> = {
  people: "person",
  emails: "email",
  rows: "row",
  entries: "entry",
  friends: "friend",
  rewards: "reward",
  events: "event",
  days: "day",
};

type LoggedAction = typeof ownerLog.$inferSelect;

type NamedSubject = LogSubject & { known?: Map<number, string> };

/** The subjects with the names of those that some actions are about. */
function nameSubjects(db: Db, subjects: LogSubject[], actions: LoggedAction[]): Promise<NamedSubject[]> {
  return Promise.all(
    subjects.map(async (subject) => {
      const ids = [...new Set(actions.flatMap(({ details }) => details[subject.key] ?? []).map(Number))];
      if (subject.names === undefined || ids.length === 0) return subject;
      return { ...subject, known: await subject.names(db, ids) };
    }),
  );
}

/** Characters of a name in the log. */
const MAX_NAME_LENGTH = 80;

/** `letter 12`, or `“Doors open” (letter 12)` if it has a name. */
function textOf({ name, known }: NamedSubject, id: string | number | undefined): string {
  const called = known?.get(Number(id)) ?? "";
  if (called === "") return `${name} ${id}`;
  const shown = called.length > MAX_NAME_LENGTH ? `${called.slice(0, MAX_NAME_LENGTH - 1)}…` : called;
  return `“${shown}” (${name} ${id})`;
}

/** `Exported entries: entry 12, 400 rows, format json` */
function Action({ action, details, subjects }: LoggedAction & { subjects: NamedSubject[] }) {
  const subject = subjects.find(({ key }) => details[key] !== undefined);
  const texts = Object.entries(details)
    .filter(([name]) => name !== subject?.key)
    .map(([name, value]) =>
      typeof value === "number"
        ? `${formatNumber(value)} ${value === 1 ? (one[name] ?? name) : name}`
        : `${name} ${name === "filter" ? filterText(value) : value}`,
    );
  const name = actionWords[action] ?? action;
  if (subject === undefined && texts.length === 0) return name;
  const id = subject && details[subject.key];
  const text = subject && textOf(subject, id);
  // What its section cannot name is gone.
  const isGone = subject?.endedBy === action || subject?.known?.has(Number(id)) === false;
  return (
    <>
      {`${name}: `}
      {subject === undefined || isGone ? text : <a href={`${subject.path}/${id}`}>{text}</a>}
      {subject === undefined || texts.length === 0 ? "" : ", "}
      {texts.join(", ")}
    </>
  );
}

/** A page of the log, newest first: the entries before an id, or the newest. */
export async function readLog(db: Db, { before, limit }: { before?: number | undefined; limit: number }) {
  const found = await db
    .select()
    .from(ownerLog)
    .where(before === undefined ? undefined : lt(ownerLog.id, before))
    .orderBy(desc(ownerLog.id))
    .limit(limit + 1);
  return { actions: found.slice(0, limit), hasOlder: found.length > limit };
}

/** When an owner's current sessions began. */
async function listSessions({ db, now }: AppContext, owner: Owner): Promise<EpochMillis[]> {
  const { owner_id, expires_at, created_at } = ownerSessions;
  const sessions = await db
    .select({ created_at })
    .from(ownerSessions)
    .where(and(eq(owner_id, owner.id), gt(expires_at, now())))
    .orderBy(created_at);
  return sessions.map((session) => session.created_at);
}
