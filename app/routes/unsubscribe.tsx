import { data, redirect } from "react-router";
import { appContext } from "#app/server/context.ts";
import { BackHome } from "#app/ui/back-home.tsx";
import { useRootData } from "#app/ui/root-data.ts";
import { changeQuery, unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { BadLink, flashMessage, Gone, OwnPage } from "#app/waitlist/my-data/my-data.tsx";
import { readUnsubscribeEntry, toEntryView, unsubscribeByToken } from "#app/waitlist/my-data/own-entry.server.ts";
import type { Route } from "./+types/unsubscribe";

export const handle = { page: { styles: "waitlist/my-data/my-data.css" }, hidesJoin: true };

/** Read-only: email scanners open links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const view = toEntryView(await readUnsubscribeEntry(context.get(appContext), params.token));
  const message = flashMessage(url.searchParams, view);
  return data({ view, message }, { status: view.kind === "bad-link" ? 404 : 200 });
}

/** Redirects after success, so that reloading does not submit again. */
export async function action({ context, params }: Route.ActionArgs) {
  const outcome = await unsubscribeByToken(context.get(appContext), params.token);
  if (outcome.kind !== "done") return data(null, { status: 404 });
  return redirect(unsubscribePath(params.token) + changeQuery("unsubscribe", outcome), 303);
}

/** The page behind an unsubscribe link, which can do nothing else. A button, because email scanners open links. */
export default function UnsubscribePage({ loaderData: { view, message } }: Route.ComponentProps) {
  const isLaunched = useRootData()?.launch !== undefined;
  return (
    <OwnPage
      heading={view.kind === "unsubscribed" ? "You’re off the waitlist" : "Unsubscribe"}
      scene={view.kind === "active" || view.kind === "unsubscribed" ? "packing" : "pitch"}
      message={message}
    >
      {view.kind === "bad-link" ? <BadLink /> : null}
      {view.kind === "gone" ? <Gone /> : null}
      {view.kind === "unsubscribed" ? (
        <>
          <p className="lead">
            We’ve stopped emailing <strong>{view.masked}</strong>. To rejoin, use “See or erase your entry” in one of
            our{" "}
            <span>
              {isLaunched ? "emails." : "emails, or enter your address on our site again and we’ll email you a link."}
            </span>
          </p>
          {view.mayReturn ? (
            <form method="post">
              <p>We unsubscribed you. To make sure it stays that way, unsubscribe yourself.</p>
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
    </OwnPage>
  );
}
