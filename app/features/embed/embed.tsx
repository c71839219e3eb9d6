import { type ActionFunctionArgs, type HeadersArgs, isRouteErrorResponse, type LoaderFunctionArgs } from "react-router";
import { sendEmail } from "#app/email/sender.server.ts";
import { type EmbedResult, handleEmbeddedForm } from "#app/features/embed/embed-action.server.ts";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { appContext } from "#app/server/context.ts";
import { readForm } from "#app/server/http/read-form.server.ts";
import { logError } from "#app/server/log.ts";
import { site } from "#app/site.ts";
import { type Launch, useRootData } from "#app/ui/root-data.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import { EMBED_SOURCE } from "#app/waitlist/entries/sources.ts";
import { type ConsentWording, wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";
import { SignUpForm } from "#app/waitlist/sign-up/sign-up-form.tsx";

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

/** The site's own form, alone on a page, with the response to one on another site. */
export function EmbedPage({ result, wording }: { result: EmbedResult | undefined; wording: ConsentWording }) {
  const launch = useRootData()?.launch;
  const ticket = result?.ticket;
  // A corrected address is typed into the form.
  const isDone = ticket !== undefined && ticket.suggestion === undefined;
  const heading = launch ? `${site.name} is open` : ticket ? "You have joined" : `Join the ${site.name} waitlist`;
  return (
    <main id="main" className={isDone ? "prose embed embed-done" : "prose embed"}>
      <title>{`${heading} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1>{withName(heading)}</h1>
      {launch ? <ProductLink launch={launch} /> : <Form result={result} wording={wording} />}
    </main>
  );
}

/** Translations leave the product's name in a heading as it is. */
function withName(heading: string) {
  const [before, after] = heading.split(site.name);
  if (after === undefined) return heading;
  return (
    <>
      <span>{before}</span>
      <SiteName />
      <span>{after}</span>
    </>
  );
}

/** What the visitor came with is beside the form, which sends it along. */
function Form({ result: { source, campaign, ticket } = { source: EMBED_SOURCE, campaign: {} }, wording }: FormProps) {
  return (
    <>
      {ticket ? null : <p className="lead">{site.description}</p>}
      <SignUpForm id="join" source={source} wording={wording} />
      {Object.entries(campaign).map(([name, value]) => (
        <input key={name} type="hidden" form="join" name={name} value={value} />
      ))}
    </>
  );
}

interface FormProps {
  result: Pick<EmbedResult, "source" | "campaign" | "ticket"> | undefined;
  wording: ConsentWording;
}

function ProductLink({ launch: { url, button, lead, note } }: { launch: Launch }) {
  return (
    <>
      <p className="lead">{lead}</p>
      <p>
        <a className="button" href={url}>
          {button}
        </a>
      </p>
      <p>{note}</p>
    </>
  );
}

export function FormNotSetUp() {
  return (
    <main id="main" className="prose error-page">
      <title>{`This form is not set up | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1>This form is not set up</h1>
      <p className="lead">
        You have not joined, and nothing was stored. Either this waitlist does not accept forms from that site, or the
        site or your browser hides where the form came from.
      </p>
      <p>
        <a className="button" href="/#join">
          Join on our own page
        </a>
      </p>
      <p className="muted">Is it your site? Ask the owner of this waitlist to allow it.</p>
    </main>
  );
}

export function TooManyForms() {
  return (
    <main id="main" className="prose error-page">
      <title>{`Too many attempts | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1>Too many attempts</h1>
      <p className="lead">You have not joined yet, and nothing was stored.</p>
      <p>Please wait a minute. Then go back to find what you typed, or join on our own page.</p>
      <p>
        <a className="button" href="/#join">
          Join on our own page
        </a>
      </p>
    </main>
  );
}
