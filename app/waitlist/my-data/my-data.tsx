import type { ReactNode } from "react";
import { site } from "#app/site.ts";
import type { Intent } from "#app/waitlist/my-data/own-entry.server.ts";

export type EntryView = { kind: "bad-link" } | { kind: "gone" } | { kind: "active" | "unsubscribed"; masked: string };

interface YourEntryProps {
  view: EntryView;
  /** What has just been done, in words. */
  answer: string | null;
  /** Where the button for the data posts. */
  dataPath: string;
}

const answers: Record<Intent, { leadsTo: EntryView["kind"]; done: string; already: string }> = {
  unsubscribe: {
    leadsTo: "unsubscribed",
    done: "You are off the list.",
    already: "You were off the list already.",
  },
  rejoin: { leadsTo: "active", done: "You are back on the list.", already: "You were on the list already." },
  erase: { leadsTo: "gone", done: "Your entry has been erased.", already: "Your entry had been erased already." },
};

/** The answer that a page's address asks for, as `?done=erase`, unless the entry is not what it says. */
export function flashMessage(search: URLSearchParams, kind: EntryView["kind"]): string | null {
  for (const how of ["done", "already"] as const) {
    const answer = answers[search.get(how) as Intent];
    if (answer?.leadsTo === kind) return answer[how];
  }
  return null;
}

/** What the reader of a mail can do about their own entry. Every change is a button, for mail scanners open links. */
export function MyData({ view, answer, dataPath }: YourEntryProps) {
  return (
    <main id="main" className="prose your-entry">
      <title>{`Your entry | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1>Your entry</h1>
      {answer === null ? null : (
        <p className="your-entry-answer" role="status">
          {answer}
        </p>
      )}
      {view.kind === "bad-link" ? <BadLink /> : null}
      {view.kind === "gone" ? <Gone /> : null}
      {view.kind === "active" || view.kind === "unsubscribed" ? <Choices view={view} dataPath={dataPath} /> : null}
    </main>
  );
}

function BadLink() {
  return (
    <p className="lead">
      This link is not complete. Please open it from the mail once more, or copy all of it; some mail programs break
      long links in two.
    </p>
  );
}

function Gone() {
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
