import { redirect } from "react-router";
import { appContext } from "#app/context.ts";
import { yourDataPath } from "#app/your-data/links.server.ts";
import { changeOwnEntry } from "#app/your-data/own-entry.server.ts";
import type { Route } from "./+types/your-data-one-click";

/**
 * The unsubscribe button of mail programs: a POST without cookies or `Origin`, answered without a redirect.
 * https://www.rfc-editor.org/rfc/rfc8058
 */
export async function action({ context, params }: Route.ActionArgs) {
  const outcome = await changeOwnEntry(context.get(appContext), params.token, "unsubscribe");
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  if (outcome.kind === "bad-link") return new Response("This link is not complete.\n", { status: 404, headers });
  return new Response("You are off the list.\n", { headers });
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(yourDataPath(params.token), 303);
}
