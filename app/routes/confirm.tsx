import { data, redirect } from "react-router";
import { sendEmail } from "#app/email/sender.server.ts";
import { appContext } from "#app/server/context.ts";
import { readForm } from "#app/server/http/read-form.server.ts";
import { logError } from "#app/server/log.ts";
import { Confirm, confirmMessage } from "#app/waitlist/my-data/confirm.tsx";
import { confirmPath } from "#app/waitlist/my-data/links.server.ts";
import { confirmByToken, readConfirmation } from "#app/waitlist/my-data/own-confirmation.server.ts";
import { ANSWER_TOKEN_FIELD } from "#app/waitlist/questions/answers.ts";
import { handleAnswersForm } from "#app/waitlist/sign-up/form-action.server.ts";
import type { Route } from "./+types/confirm";

export const handle = { page: { styles: "waitlist/my-data/my-data.css" }, hidesJoin: true };

/** Read-only: email scanners open links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const view = await readConfirmation(context.get(appContext), params.token);
  const message = confirmMessage(url.searchParams, view.kind);
  return data({ view, message }, { status: view.kind === "bad-link" ? 404 : 200 });
}

/** Redirects, so that reloading does not submit again. Without JavaScript, the ticket's answers are posted here too. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await readForm(request);
  if (form.has(ANSWER_TOKEN_FIELD)) return handleAnswersForm(app, form);
  const outcome = await confirmByToken(app, params.token);
  if (outcome.kind === "bad-link") return data(null, { status: 404 });
  const { email } = outcome;
  if (email !== null) app.waitUntil(sendEmail(app, { email }).catch((error) => logError("welcome-failed", error)));
  return redirect(`${confirmPath(params.token)}?${email === null ? "already" : "done"}=confirm`, 303);
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export default function ConfirmPage({ loaderData: { view, message }, actionData }: Route.ComponentProps) {
  const { answerToken, answers } = actionData?.ticket ?? {};
  const shown =
    view.kind === "confirmed" && answers ? { ...view, ticket: { ...view.ticket, answerToken, answers } } : view;
  return <Confirm view={shown} message={message} />;
}
