import { redirect } from "react-router";
import { appContext } from "#app/server/context.ts";
import { underWayMessage } from "#app/waitlist/my-data/entry-view.ts";
import { unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { unsubscribeByToken } from "#app/waitlist/my-data/own-entry.server.ts";
import type { Route } from "./+types/one-click-unsubscribe";

/**
 * The one-click unsubscribe of email clients: a POST without cookies, from any origin, answered without a redirect. The token
 * alone says whose it is.
 * https://www.rfc-editor.org/rfc/rfc8058
 */
export async function action({ context, params }: Route.ActionArgs) {
  const outcome = await unsubscribeByToken(context.get(appContext), params.token);
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  if (outcome.kind !== "done") return new Response("This link is incomplete.\n", { status: 404, headers });
  return new Response(`You’ve unsubscribed.${outcome.underWay ? ` ${underWayMessage}` : ""}\n`, { headers });
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(unsubscribePath(params.token), 303);
}
