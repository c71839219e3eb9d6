import { formCss, formHtml } from "#app/features/embed/form-html.ts";
import {
  type AllowedOrigin,
  allowOrigin,
  listOrigins,
  MAX_ORIGINS,
  removeOrigin,
} from "#app/features/embed/origins.server.ts";
import { readOrigin } from "#app/features/embed/read-origin.ts";
import { Button, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { EMBED_SOURCE, toSource } from "#app/waitlist/entries/sources.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";

interface Refused {
  typed: string;
  problem: string;
}

export async function showEmbed(c: OwnerContext, refused?: Refused) {
  const { db, config } = c.var.app;
  const wording = wordingFor(await readHasFollowUps(c.var.app));
  const typedSource = c.req.query("source")?.trim() ?? EMBED_SOURCE;
  const source = toSource(typedSource);
  if (refused !== undefined || source === null) c.status(422);
  const origins = await listOrigins(db);
  const html = formHtml(config.SITE_URL, source ?? EMBED_SOURCE, wording);
  return c.render(
    <Page title="Forms on other sites" section="embed">
      <Outcome />
      <p className="lead">
        People can also join on other sites, such as your shop or your blog. Allow the site here, then copy the form
        into one of its pages.
      </p>
      <div className="columns late embed-columns">
        <Sites origins={origins} refused={refused} />
        <FormToCopy source={source ?? typedSource} isRefused={source === null} html={html} />
      </div>
    </Page>,
  );
}

export async function addOrigin(c: OwnerContext) {
  const { db, now, config } = c.var.app;
  const typed = fieldText(c.var.form, "site");
  const read = readOrigin(typed, config.SITE_URL);
  if ("problem" in read) return showEmbed(c, { typed, problem: read.problem });
  if (!(await allowOrigin(db, read.origin, now()))) {
    const isListed = (await listOrigins(db)).some(({ origin }) => origin === read.origin);
    if (isListed) return c.redirect("/owner/embed?done=unchanged", 303);
    return showEmbed(c, { typed, problem: `You can allow ${MAX_ORIGINS} sites. Remove one first.` });
  }
  await c.var.record("allow-origin", { site: read.origin });
  return c.redirect("/owner/embed?done=allow-origin", 303);
}

export async function deleteOrigin(c: OwnerContext) {
  const origin = fieldText(c.var.form, "origin");
  const isRemoved = await removeOrigin(c.var.app.db, origin);
  if (isRemoved) await c.var.record("remove-origin", { site: origin });
  return c.redirect(`/owner/embed?done=${isRemoved ? "remove-origin" : "unchanged"}`, 303);
}

function Sites({ origins, refused }: { origins: AllowedOrigin[]; refused: Refused | undefined }) {
  return (
    <Section id="sites" title="Allowed sites">
      {origins.length === 0 ? <p className="none">No site is allowed yet.</p> : null}
      <Table
        className="cards plain middle embed-sites"
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

function FormToCopy({ source, isRefused, html }: { source: string; isRefused: boolean; html: string }) {
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
          value={source}
          problem={isRefused ? "Use letters from a to z, digits and _." : undefined}
        />
        <Button label="Change" kind="quiet" />
      </form>
      <Copied name="html" label="HTML to copy" rows={22} value={html} />
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
    <div className="form form-wide embed-code">
      <Field {...field} readOnly spellCheck={false} />
    </div>
  );
}
