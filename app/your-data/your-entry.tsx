import type { ReactNode } from "react";
import type { Intent } from "#app/your-data/own-entry.server.ts";
import "#app/your-data/your-data.css";

export type EntryView = { kind: "bad-link" } | { kind: "gone" } | { kind: "active" | "unsubscribed"; masked: string };

interface YourEntryProps {
  view: EntryView;
  /** What has just been asked for, and whether it was so already. */
  done: { intent: Intent; changed: boolean } | null;
  /** Where the button for the data posts. */
  dataPath: string;
}

const answers: Record<Intent, { changed: string; already: string }> = {
  unsubscribe: { changed: "You are off the list.", already: "You were off the list already." },
  rejoin: { changed: "You are back on the list.", already: "You were on the list already." },
  erase: { changed: "Your entry has been erased.", already: "Your entry had been erased already." },
};

/** What the reader of a mail can do about their own entry. Every change is a button, for mail scanners open links. */
export function YourEntry({ view, done, dataPath }: YourEntryProps) {
  return (
    <main id="main" className="prose your-entry">
      <h1>Your entry</h1>
      {done === null ? null : (
        <p className="your-entry-answer" role="status">
          {answers[done.intent][done.changed ? "changed" : "already"]}
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
