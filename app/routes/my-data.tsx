import { data, redirect } from "react-router";
import { appContext } from "#app/context.ts";
import { readForm } from "#app/server/read-form.server.ts";
import { toConsentRecord } from "#app/waitlist/my-data/consent-record.server.ts";
import { myDataPath } from "#app/waitlist/my-data/links.server.ts";
import { flashMessage, MyData } from "#app/waitlist/my-data/my-data.tsx";
import { changeOwnEntry, intents, readOwnEntry, toEntryView } from "#app/waitlist/my-data/own-entry.server.ts";
import type { Route } from "./+types/my-data";

export const handle = { page: { styles: "waitlist/my-data/my-data.css" } };

/** Read-only: email scanners open links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const own = await readOwnEntry(context.get(appContext), params.token);
  const view = toEntryView(own);
  return data(
    { view, message: flashMessage(url.searchParams, view.kind), record: toConsentRecord(own) },
    { status: own.kind === "bad-link" ? 404 : 200 },
  );
}

/** Redirects after success, so that reloading does not submit again. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const submitted = (await readForm(request)).get("intent");
  const intent = intents.find((known) => known === submitted);
  if (intent === undefined) return data(null, { status: 400 });
  const outcome = await changeOwnEntry(context.get(appContext), params.token, intent);
  if (outcome.kind === "bad-link") return data(null, { status: 404 });
  return redirect(`${myDataPath(params.token)}?${outcome.changed ? "done" : "already"}=${intent}`, 303);
}

export default function YourData({ loaderData: { view, message, record }, params }: Route.ComponentProps) {
  return <MyData view={view} message={message} record={record} dataPath={`/your-data/${params.token}/export`} />;
}
