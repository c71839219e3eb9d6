import { COMMAND_LINE, type LoggedAction } from "#app/owner/log/log.server.ts";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { formatNumber, formatTime, ownerActions } from "#app/owner/ui/labels.ts";
import type { Owner } from "#app/server/owners.server.ts";

interface LogProps {
  /** Newest first. */
  actions: LoggedAction[];
  hasOlder: boolean;
  /** Whether these are the newest ones. */
  isFirst: boolean;
  timeZone: string;
  /** Who looks at the log, and when their current sessions began (milliseconds since 1970). */
  owner: Pick<Owner, "email">;
  sessions: number[];
}

export function logView({ actions, hasOlder, isFirst, timeZone, owner, sessions }: LogProps): OwnerView {
  const last = actions.at(-1);
  return {
    title: "Log",
    section: "log",
    body: (
      <main id="main" className="page owner">
        <h1>Log</h1>
        <Sessions owner={owner} sessions={sessions} timeZone={timeZone} />
        <h2>Actions</h2>
        <p>Who did what on these pages and on the command line, in the last 12 months.</p>
        {actions.length === 0 ? (
          <p className="owner-none">No actions to show.</p>
        ) : (
          <LogTable actions={actions} timeZone={timeZone} />
        )}
        {isFirst && !hasOlder ? null : (
          <nav className="owner-paging" aria-label="Pages">
            {isFirst ? null : <a href="/owner/log">Newest</a>}
            {hasOlder && last ? <a href={`/owner/log?before=${last.id}`}>Older</a> : null}
          </nav>
        )}
      </main>
    ),
  };
}

function Sessions({ owner, sessions, timeZone }: Pick<LogProps, "owner" | "sessions" | "timeZone">) {
  const [first] = sessions;
  const since = first === undefined ? "" : `since ${formatTime(first, timeZone)}`;
  return (
    <form className="log-sessions" method="post" action="/owner/sign-out-everywhere">
      <p>
        You are signed in as <strong>{owner.email}</strong>
        {sessions.length > 1 ? ` in ${sessions.length} browsers, the first ${since}` : ` ${since}`}.
      </p>
      <button className="button button-quiet" type="submit">
        Sign out everywhere
      </button>
    </form>
  );
}

function LogTable({ actions, timeZone }: Pick<LogProps, "actions" | "timeZone">) {
  return (
    <table className="owner-table log-table">
      <caption>{`Times in ${timeZone}, newest first`}</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col">Who</th>
        </tr>
      </thead>
      <tbody>
        {actions.map((logged) => (
          <tr key={logged.id}>
            <td className="log-time">
              <time dateTime={new Date(logged.created_at).toISOString()}>
                {formatTime(logged.created_at, timeZone)}
              </time>
            </td>
            <td className="words">
              {ownerActions[logged.action] ?? logged.action}
              <Details {...logged} />
            </td>
            <td className="words log-actor">{logged.actor === COMMAND_LINE ? "Command line" : logged.actor}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What numbers in details count, for one. */
const one: Record<string, string> = { people: "person", emails: "email", rows: "row", entries: "entry" };

/** What an action can be about, and the action that leaves no page of it. */
const subjects = [
  { key: "entryId", name: "entry", path: "/owner/entries", endedBy: "erase" },
  { key: "importId", name: "import", path: "/owner/import", endedBy: "discard-import" },
  { key: "letterId", name: "letter", path: "/owner/letters", endedBy: "delete-letter" },
] as const;

/** `: entry 12, 400 rows, format json` */
function Details({ action, details }: Pick<LoggedAction, "action" | "details">) {
  const { entryId, importId, letterId, ...others } = details;
  const texts = Object.entries(others).map(([name, value]) =>
    typeof value === "number"
      ? `${formatNumber(value)} ${value === 1 ? (one[name] ?? name) : name}`
      : `${name} ${value}`,
  );
  const subject = subjects.find(({ key }) => details[key] !== undefined);
  if (subject === undefined && texts.length === 0) return null;
  const id = subject && details[subject.key];
  const text = subject && `${subject.name} ${id}`;
  return (
    <>
      {": "}
      {subject === undefined || subject.endedBy === action ? text : <a href={`${subject.path}/${id}`}>{text}</a>}
      {subject === undefined || texts.length === 0 ? "" : ", "}
      {texts.join(", ")}
    </>
  );
}
