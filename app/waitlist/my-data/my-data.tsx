import type { ReactNode } from "react";
import { site } from "#app/site.ts";
import { ConsentDetails, type ConsentRecord } from "#app/waitlist/my-data/consent-record.tsx";
import type { Intent } from "#app/waitlist/my-data/own-entry.server.ts";

export type EntryView = { kind: "bad-link" } | { kind: "gone" } | { kind: "active" | "unsubscribed"; masked: string };

interface MyDataProps {
  view: EntryView;
  /** The result of the last change. */
  message: string | null;
  /** What is on record about the consent; null without an entry. */
  record: ConsentRecord | null;
  /** Where the export button posts. */
  dataPath: string;
}

const messages: Record<Intent, { expected: EntryView["kind"]; done: string; already: string }> = {
  unsubscribe: {
    expected: "unsubscribed",
    done: "You are off the list.",
    already: "You were off the list already.",
  },
  rejoin: { expected: "active", done: "You are back on the list.", already: "You were on the list already." },
  erase: { expected: "gone", done: "Your entry has been erased.", already: "Your entry had been erased already." },
};

/** The message for a query such as `?done=erase`; null if the entry's state contradicts it. */
export function flashMessage(search: URLSearchParams, kind: EntryView["kind"]): string | null {
  for (const outcome of ["done", "already"] as const) {
    const message = messages[search.get(outcome) as Intent];
    if (message?.expected === kind) return message[outcome];
  }
  return null;
}

/** A subscriber's view of their entry. Changes are buttons, because email scanners open links. */
export function MyData({ view, message, record, dataPath }: MyDataProps) {
  return (
    <main id="main" className="prose your-entry">
      <title>{`Your entry | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1>Your entry</h1>
      {message === null ? null : (
        <p className="your-entry-answer" role="status">
          {message}
        </p>
      )}
      {view.kind === "bad-link" ? <BadLink /> : null}
      {view.kind === "gone" ? <Gone /> : null}
      {view.kind === "active" || view.kind === "unsubscribed" ? <Choices view={view} dataPath={dataPath} /> : null}
      {record === null ? null : <ConsentDetails record={record} />}
    </main>
  );
}

export function BadLink() {
  return (
    <p className="lead">
      This link is not complete. Please open it from the mail once more, or copy all of it; some mail programs break
      long links in two.
    </p>
  );
}

export function Gone() {
  return <p className="lead">There is nothing here about you any more. The link in the mail leads nowhere else.</p>;
}

function Choices({ view, dataPath }: { view: { kind: "active" | "unsubscribed"; masked: string }; dataPath: string }) {
  const active = view.kind === "active";
  return (
    <>
      <p className="lead">
        <strong>{view.masked}</strong> {active ? "is on the waitlist." : "is not on the waitlist any more."}
      </p>
      <ul className="your-entry-choices">
        {active ? (
          <Choice intent="unsubscribe" label="Unsubscribe" text="No more mail. We remember that you have left." />
        ) : (
          <Choice intent="rejoin" label="Put me back" text="You hear of the launch again." />
        )}
        <Choice action={dataPath} label="Show my data" text="All that we keep about you, as JSON." />
        <Choice
          intent="erase"
          label="Erase me"
          text="Your entry and all that hangs on it are removed at once, for good."
        />
      </ul>
    </>
  );
}

function Choice({ label, text, intent, action }: { label: string; text: ReactNode; intent?: Intent; action?: string }) {
  return (
    <li>
      <form method="post" action={action}>
        <button className="button button-quiet" name="intent" value={intent} type="submit">
          {label}
        </button>
      </form>
      <p>{text}</p>
    </li>
  );
}
