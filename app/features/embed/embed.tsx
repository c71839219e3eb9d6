import type { ReactNode } from "react";
import {
  type ActionFunctionArgs,
  data,
  type HeadersArgs,
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  useActionData,
  useLoaderData,
} from "react-router";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { handlePageForm } from "#app/layout/form-action.server.ts";
import { appContext } from "#app/server/context.ts";
import { readForm } from "#app/server/http/read-form.server.ts";
import { site } from "#app/site.ts";
import { useRootData } from "#app/ui/root-data.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import { type Campaign, campaignFromSearch, referrerHost } from "#app/waitlist/entries/campaign.ts";
import { EMBED_SOURCE, toSource } from "#app/waitlist/entries/sources.ts";
import { ANSWER_TOKEN_FIELD } from "#app/waitlist/questions/answers.ts";
import {
  type ConsentWording,
  statedVersion,
  WORDING_FIELD,
  wordingFor,
} from "#app/waitlist/sign-up/consent-wording.ts";
import type { FormResult } from "#app/waitlist/sign-up/form-action.server.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";
import { SignUpForm } from "#app/waitlist/sign-up/sign-up-form.tsx";

export const handle = { page: { styles: "features/embed/critical.css" }, hidesJoin: true };

export async function loader({ context }: LoaderFunctionArgs) {
  return { hasFollowUps: await readHasFollowUps(context.get(appContext)) };
}

interface EmbedResult extends FormResult {
  /** Where the visitor came from, to be sent again with a corrected address. */
  campaign: Campaign;
}

const UNSEEN_WORDING = "That form may not show what we promise. Please read it here, then join.";

/**
 * Handles a form that was sent from another site, or from the page that responded to it: signs up, and sends the welcome
 * email after the response; or stores answers to the questions after joining. Nobody joins unless the form names a version
 * of the consent wording: the one that it was copied with.
 */
export async function action({ context, request, url }: ActionFunctionArgs) {
  const app = context.get(appContext);
  const form = await readForm(request);
  const source = toSource(fieldOf(form, "source")) ?? EMBED_SOURCE;
  form.set("source", source);
  const campaign = campaignOf(form, url, request.headers.get("Referer") ?? "");
  const show = ({ data: result, init }: { data: FormResult; init: ResponseInit | null }) =>
    data<EmbedResult>({ ...result, source, campaign }, init ?? undefined);
  const isSignUp = !form.has(ANSWER_TOKEN_FIELD);
  const email = fieldOf(form, "email");
  if (isSignUp && statedVersion(fieldOf(form, WORDING_FIELD)) === undefined) {
    return show(data({ source, status: "error", message: UNSEEN_WORDING, email }, { status: 409 }));
  }
  for (const [name, value] of Object.entries(campaign)) form.set(name, value);
  return show(await handlePageForm(app, form, url));
}

export function headers({ actionHeaders }: HeadersArgs) {
  return actionHeaders;
}

/** Hidden fields of the form, then parameters of the URL that it names, then the site that it is on. */
function campaignOf(form: FormData, url: URL, referrer: string): Campaign {
  const fields = Array.from(form).filter((field): field is [string, string] => typeof field[1] === "string");
  const host = referrerHost(referrer, url.host);
  return {
    ...(host === undefined ? {} : { referrer_host: host }),
    ...campaignFromSearch(url.searchParams),
    ...campaignFromSearch(new URLSearchParams(fields)),
  };
}

function fieldOf(form: FormData, name: string): string {
  const value = form.getAll(name).at(-1);
  return typeof value === "string" ? value : "";
}

/** The site's own form, alone on a page, with the response to one on another site. */
export default function Embed() {
  const { hasFollowUps } = useLoaderData<typeof loader>();
  const result = useActionData<EmbedResult>();
  const launch = useRootData()?.launch;
  const ticket = result?.ticket;
  // A corrected address is typed into the form.
  const isDone = ticket !== undefined && ticket.suggestion === undefined;
  const heading = launch ? `${site.name} is open` : ticket ? "You’ve joined" : `Join the ${site.name} waitlist`;
  return (
    <main id="main" className={isDone ? "prose embed embed-done" : "prose embed"}>
      <title>{`${heading} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1>{withName(heading)}</h1>
      {launch ? (
        <>
          <p className="lead">{launch.lead}</p>
          <p>
            <a className="button" href={launch.url}>
              {launch.button}
            </a>
          </p>
          <p>{launch.note}</p>
        </>
      ) : (
        <Form result={result} wording={wordingFor(hasFollowUps)} />
      )}
    </main>
  );
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : null;
  if (status === 403) {
    return (
      <Refusal title="This form isn’t set up">
        <p className="lead">
          You haven’t joined, and nothing was stored. Either this waitlist doesn’t accept forms from that site, or the
          site or your browser hides where the form came from.
        </p>
        {joinHere}
        <p className="muted">Is it your site? Ask the owner of this waitlist to allow it.</p>
      </Refusal>
    );
  }
  if (status === 429) {
    return (
      <Refusal title="Too many attempts">
        <p className="lead">You haven’t joined yet, and nothing was stored.</p>
        <p>Please wait a minute. Then go back to find what you typed, or join on our own page.</p>
        {joinHere}
      </Refusal>
    );
  }
  return <ErrorPage error={error} />;
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
function Form({ result, wording }: { result: EmbedResult | undefined; wording: ConsentWording }) {
  const { source, campaign = {}, ticket } = result ?? { source: EMBED_SOURCE };
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

const joinHere = (
  <p>
    <a className="button" href="/#join">
      Join on our own page
    </a>
  </p>
);

function Refusal({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" className="prose error-page">
      <title>{`${title} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1>{title}</h1>
      {children}
    </main>
  );
}
