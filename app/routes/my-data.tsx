import { data, redirect } from "react-router";
import { appContext } from "#app/context.ts";
import { readForm } from "#app/server/read-form.server.ts";
import { myDataPath } from "#app/waitlist/my-data/links.server.ts";
import { maskEmail } from "#app/waitlist/my-data/mask.ts";
import { type EntryView, flashMessage, MyData } from "#app/waitlist/my-data/my-data.tsx";
import { changeOwnEntry, intents, type OwnEntry, readOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import type { Route } from "./+types/my-data";

export const handle = { page: { styles: "waitlist/my-data/my-data.css" } };

/** Reads only: mail scanners open links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const own = await readOwnEntry(context.get(appContext), params.token);
  const view = viewOf(own);
  return data(
    { view, answer: flashMessage(url.searchParams, view.kind) },
    { status: own.kind === "bad-link" ? 404 : 200 },
  );
}

/** Redirects when it is done, so that going back or reloading sends nothing again. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const asked = (await readForm(request)).get("intent");
  const intent = intents.find((known) => known === asked);
  if (intent === undefined) return data(null, { status: 400 });
  const outcome = await changeOwnEntry(context.get(appContext), params.token, intent);
  if (outcome.kind === "bad-link") return data(null, { status: 404 });
  return redirect(`${myDataPath(params.token)}?${outcome.changed ? "done" : "already"}=${intent}`, 303);
}

export default function YourData({ loaderData: { view, answer }, params }: Route.ComponentProps) {
  return <MyData view={view} answer={answer} dataPath={`/your-data/${params.token}/export`} />;
}

function viewOf(own: OwnEntry): EntryView {
  return own.kind === "found" ? { kind: own.entry.status, masked: maskEmail(own.entry.email) } : { kind: own.kind };
}
