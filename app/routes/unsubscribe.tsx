import { data, redirect } from "react-router";
import { appContext } from "#app/server/context.ts";
import { changeQuery, unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { flashMessage } from "#app/waitlist/my-data/my-data.tsx";
import { readUnsubscribeEntry, toEntryView, unsubscribeByToken } from "#app/waitlist/my-data/own-entry.server.ts";
import { Unsubscribe } from "#app/waitlist/my-data/unsubscribe.tsx";
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

export default function UnsubscribePage({ loaderData }: Route.ComponentProps) {
  return <Unsubscribe {...loaderData} />;
}
