import type { EmbedResult } from "#app/features/embed/embed-action.server.ts";
import { site } from "#app/site.ts";
import { type Launch, useRootData } from "#app/ui/root-data.ts";
import { SiteName } from "#app/ui/site-name.tsx";
import { EMBED_SOURCE } from "#app/waitlist/entries/sources.ts";
import type { Wording } from "#app/waitlist/sign-up/consent-wording.ts";
import { SignUpForm } from "#app/waitlist/sign-up/sign-up-form.tsx";

/** The site's own form, alone on a page, with the response to one on another site. */
export function EmbedPage({ result, wording }: { result: EmbedResult | undefined; wording: Wording }) {
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
  wording: Wording;
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

/** The response to a form on a site that is not on the owner's list, or that hides where it is. */
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

/** The response to a client that has sent too many forms from other sites. */
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
