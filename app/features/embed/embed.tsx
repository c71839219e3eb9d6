import { type ActionFunctionArgs, type HeadersArgs, isRouteErrorResponse, type LoaderFunctionArgs } from "react-router";
import { sendEmail } from "#app/email/sender.server.ts";
import { type EmbedResult, handleEmbeddedForm } from "#app/features/embed/embed-action.server.ts";
import { EmbedPage, FormNotSetUp, TooManyForms } from "#app/features/embed/embed-page.tsx";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { appContext } from "#app/server/context.ts";
import { logError } from "#app/server/log.ts";
import { readForm } from "#app/server/read-form.server.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";

export const handle = { page: { styles: "features/embed/critical.css" }, hidesJoin: true };

export async function loader({ context }: LoaderFunctionArgs) {
  return { hasFollowUps: await readHasFollowUps(context.get(appContext)) };
}

/** Signs up, and sends the welcome email after the response; or stores answers to the questions after joining. */
export async function action({ context, request, url }: ActionFunctionArgs) {
  const app = context.get(appContext);
  const referrer = request.headers.get("Referer") ?? "";
  const { response, emailId } = await handleEmbeddedForm(app, await readForm(request), url, referrer);
  if (emailId !== null)
    app.waitUntil(sendEmail(app, { id: emailId }).catch((error) => logError("welcome-failed", error)));
  return response;
}

export function headers({ actionHeaders }: HeadersArgs) {
  return actionHeaders;
}

interface EmbedProps {
  loaderData: Awaited<ReturnType<typeof loader>>;
  actionData?: EmbedResult;
}

export default function Embed({ loaderData: { hasFollowUps }, actionData }: EmbedProps) {
  return <EmbedPage result={actionData} wording={wordingFor(hasFollowUps)} />;
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : null;
  if (status === 403) return <FormNotSetUp />;
  return status === 429 ? <TooManyForms /> : <ErrorPage error={error} />;
}
