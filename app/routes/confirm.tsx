import { data, redirect } from "react-router";
import { appContext } from "#app/context.ts";
import { sendEmail } from "#app/email/deliver.server.ts";
import { logError } from "#app/server/log.ts";
import { Confirm, confirmMessage } from "#app/waitlist/my-data/confirm.tsx";
import { confirmPath } from "#app/waitlist/my-data/links.server.ts";
import { confirmByToken, readConfirmation } from "#app/waitlist/my-data/own-confirmation.server.ts";
import type { Route } from "./+types/confirm";

export const handle = { page: { styles: "waitlist/my-data/my-data.css" } };

/** Read-only: email scanners open links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const view = await readConfirmation(context.get(appContext), params.token);
  const message = confirmMessage(url.searchParams, view.kind);
  return data({ view, message }, { status: view.kind === "bad-link" ? 404 : 200 });
}

/** Redirects after success, so that reloading does not submit again. Sends the welcome email after the response. */
export async function action({ context, params }: Route.ActionArgs) {
  const app = context.get(appContext);
  const outcome = await confirmByToken(app, params.token);
  if (outcome.kind === "bad-link") return data(null, { status: 404 });
  const { email } = outcome;
  if (email !== null) app.waitUntil(sendEmail(app, { email }).catch((error) => logError("welcome-failed", error)));
  return redirect(`${confirmPath(params.token)}?${email === null ? "already" : "done"}=confirm`, 303);
}

export default function ConfirmPage({ loaderData }: Route.ComponentProps) {
  return <Confirm {...loaderData} />;
}
