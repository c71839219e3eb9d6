import { formCss, formHtml } from "#app/features/embed/form-html.ts";
import { type AllowedOrigin, MAX_ORIGINS } from "#app/features/embed/origins.server.ts";
import { Button, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { EMBED_SOURCE } from "#app/waitlist/entries/sources.ts";
import type { Wording } from "#app/waitlist/sign-up/consent-wording.ts";

export interface EmbedState {
  origins: AllowedOrigin[];
  /** The site that was typed, if it could not be allowed. */
  refused: { typed: string; problem: string } | undefined;
  typedSource: string;
  /** As entries get it; null if nothing of what was typed can be used. */
  source: string | null;
  siteUrl: string;
  wording: Wording;
}

export function embedView(state: EmbedState) {
  return (
    <Page title="Forms on other sites" section="embed">
      <Outcome />
      <p className="lead">
        People can also join on other sites, such as your shop or your blog. Allow the site here, then copy the form
        into one of its pages.
      </p>
      <div className="embed-columns">
        <Sites {...state} />
        <FormToCopy {...state} />
      </div>
    </Page>
  );
}

function Sites({ origins, refused }: EmbedState) {
  return (
    <Section id="sites" title="Allowed sites">
      {origins.length === 0 ? <p className="none">No site is allowed yet.</p> : null}
      <Table
        className="cards embed-sites"
        labelledBy="sites"
        columns={[
          { name: "Site", kind: "words", cell: ({ origin, id }) => <span id={id}>{origin}</span> },
          {
            name: "Change",
            cell: ({ origin, id }) => (
              <ButtonForm action="/owner/embed/remove" label="Remove" hidden={{ origin }} describedBy={id} />
            ),
          },
        ]}
        rows={origins.map(({ origin }, index) => ({ origin, id: `site-${index}` }))}
        rowKey={({ origin }) => origin}
      />
      {origins.length < MAX_ORIGINS || refused ? (
        <form className="form" method="post" action="/owner/embed">
          <Field
            name="site"
            label="Address of the site"
            hint="Such as https://www.example.com. The same address without www counts as another site."
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            required
            value={refused?.typed}
            problem={refused?.problem}
          />
          <Button label="Allow this site" />
        </form>
      ) : (
        <p>{`You can allow ${MAX_ORIGINS} sites. Remove one to allow another.`}</p>
      )}
    </Section>
  );
}

function FormToCopy({ typedSource, source, siteUrl, wording }: EmbedState) {
  return (
    <Section id="form" title="The form">
      <p>
        It needs no script. After sending it, people see a page of this site with your questions, or what went wrong.
      </p>
      <form className="form form-row" method="get" action="/owner/embed#form">
        <Field
          name="source"
          label="Name of the form"
          hint="People who use it get this name as their source."
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          value={source ?? typedSource}
          problem={source === null ? "Use letters from a to z, digits and _." : undefined}
        />
        <Button label="Change" kind="quiet" />
      </form>
      <Copied name="html" label="HTML to copy" rows={22} value={formHtml(siteUrl, source ?? EMBED_SOURCE, wording)} />
      <Copied
        name="css"
        label="Styles to begin with (optional)"
        hint="The form takes on the other site’s styles. To adjust it, add these lines to that site’s stylesheet and edit them."
        rows={11}
        value={formCss}
      />
    </Section>
  );
}

function Copied(field: { name: string; label: string; hint?: string; rows: number; value: string }) {
  return (
    <div className="form embed-code">
      <Field {...field} readOnly spellCheck={false} />
    </div>
  );
}
