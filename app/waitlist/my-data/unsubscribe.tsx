import { site } from "#app/site.ts";
import { BackHome } from "#app/ui/back-home.tsx";
import { useRootData } from "#app/ui/root-data.ts";
import type { EntryView } from "#app/waitlist/my-data/entry-view.ts";
import { BadLink, Gone } from "#app/waitlist/my-data/my-data.tsx";

interface UnsubscribeProps {
  view: EntryView;
  message: string | null;
}

/** The page behind an unsubscribe link, which can do nothing else. A button, because email scanners open links. */
export function Unsubscribe({ view, message }: UnsubscribeProps) {
  const isLaunched = useRootData()?.launch !== undefined;
  return (
    <main id="main" className="prose your-entry">
      <title>{`${view.kind === "unsubscribed" ? "You’re unsubscribed" : "Unsubscribe"} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1>{view.kind === "unsubscribed" ? "You’re unsubscribed" : "Unsubscribe"}</h1>
      {message === null ? null : (
        <p className="your-entry-answer" role="status">
          {message}
        </p>
      )}
      {view.kind === "bad-link" ? <BadLink /> : null}
      {view.kind === "gone" ? <Gone /> : null}
      {view.kind === "unsubscribed" ? (
        <>
          <p className="lead">
            <strong>{view.masked}</strong> is no longer on the waitlist, and we’ve stopped emailing it. To rejoin, use
            “See or erase your entry” in one of our{" "}
            <span>
              {isLaunched ? "emails." : "emails, or enter your address on our site again and we’ll email you a link."}
            </span>
          </p>
          {view.mayReturn ? (
            <form method="post">
              <p>We did this, and may undo it. To make sure that it stays so, unsubscribe yourself.</p>
              <button className="button" type="submit">
                Unsubscribe
              </button>
            </form>
          ) : null}
          <BackHome />
        </>
      ) : null}
      {view.kind === "active" ? (
        <form method="post">
          <p className="lead">
            <strong>{view.masked}</strong> is on the waitlist. Once you unsubscribe, we’ll stop emailing it.
          </p>
          <button className="button" type="submit">
            Unsubscribe
          </button>
        </form>
      ) : null}
    </main>
  );
}
