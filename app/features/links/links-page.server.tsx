import { checkLink, type LinkProblems, linkHref, type TaggedLink } from "#app/features/links/tagged-link.server.ts";
import { Actions, Button, ButtonForm, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Field, type FieldProps } from "#app/owner/ui/field.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Page, Section } from "#app/owner/ui/page.server.tsx";
import { QrPicture } from "#app/owner/ui/qr-picture.server.tsx";
import type { PageRecord } from "#app/server/page-record.ts";
import { qrSvg } from "#app/server/qr-code.server.ts";
import { visits } from "#app/switches.ts";
import { colour } from "#app/ui/theme.ts";
import { readNames } from "#app/waitlist/entries/used-names.server.ts";

export async function showLinks(c: OwnerContext, fields: URLSearchParams | FormData = new URL(c.req.url).searchParams) {
  const isEmpty = !fields.has("page");
  const { link, problems, url } = checkLink(c, fields);
  const names = await readNames(c.var.app.db, ["utm_source", "utm_campaign"]);
  if (!isEmpty && url === null) c.status(422);
  return c.render(
    <Page title="Links" section="links">
      <p className="lead">
        {`Use a separate link for every post, newsletter and sign. The overview then shows how many ${visits ? "visits and " : ""}sign-ups each of them brought.`}
      </p>
      <div className="columns link-columns">
        <LinkForm link={link} problems={isEmpty ? {} : problems} pages={c.var.publicPages} names={names} />
        {url === null ? null : <MadeLink link={link} url={url} hasLetters={hasLetters(c)} />}
      </div>
      <UsedTags names={names} hasLetters={hasLetters(c)} />
    </Page>,
  );
}

/** Only makes a link. It is a POST because the log records it. */
export async function makeLink(c: OwnerContext) {
  const { link, url } = checkLink(c, c.var.form);
  if (url === null) return showLinks(c, c.var.form);
  await c.var.record("make-link", Object.fromEntries(Object.entries(link).filter(([, value]) => value !== "")));
  return c.redirect(linkHref("/owner/links", link), 303);
}

/** The QR code as a file, for signs and leaflets that are designed elsewhere. */
export function downloadQrCode(c: OwnerContext) {
  const { url } = checkLink(c, new URL(c.req.url).searchParams);
  if (url === null) return c.notFound();
  return c.body(qrSvg(url, { ink: colour("qrInk"), paper: colour("qrPaper") }), 200, {
    "Content-Type": "image/svg+xml",
    "Content-Disposition": 'attachment; filename="qr-code.svg"',
  });
}

const usualSources = ["newsletter", "facebook", "instagram", "poster", "fair"];
const usualMedia = ["email", "social", "print", "qr"];

/** Labels that people joined by. */
type UsedNames = Record<"utm_source" | "utm_campaign", string[]>;

interface LinkFormProps {
  /** As typed. */
  link: TaggedLink;
  problems: LinkProblems;
  pages: readonly PageRecord[];
  names: UsedNames;
}

function LinkForm({ link, problems, pages, names }: LinkFormProps) {
  const titles = pages.map(({ path, title }) => [path, path === "/" ? "Landing page" : title.split(" | ")[0]]);
  const label = (name: keyof TaggedLink, field: Pick<FieldProps, "label" | "hint" | "required" | "suggestions">) => (
    <Field name={name} {...field} value={link[name]} problem={problems[name]} autoCapitalize="none" />
  );
  return (
    <form className="form" method="post" action="/owner/links">
      <Field
        name="page"
        label="Page"
        options={Object.fromEntries(titles)}
        value={link.page || "/"}
        problem={problems.page}
      />
      {label("utm_source", {
        label: "Where you will use it",
        hint: "Such as newsletter or poster",
        required: true,
        suggestions: [...new Set([...names.utm_source, ...usualSources])],
      })}
      {label("utm_medium", {
        label: "Medium (optional)",
        hint: "Such as email or print",
        suggestions: usualMedia,
      })}
      {label("utm_campaign", {
        label: "Campaign (optional)",
        hint: "Such as autumn_fair_2026",
        suggestions: names.utm_campaign,
      })}
      <Button label="Make the link" />
    </form>
  );
}

function MadeLink({ link, url, hasLetters }: { link: TaggedLink; url: string; hasLetters: boolean }) {
  return (
    <Section id="made" title="Your link" className="panel">
      <p className="link-url">
        <a href={url} rel="noreferrer">
          {url}
        </a>
      </p>
      <QrPicture url={url} />
      <Actions>
        <ButtonLink label="Print a poster or flyers" href={linkHref("/owner/links/print", link)} />
        <ButtonLink
          label="Download the QR code"
          kind="quiet"
          href={linkHref("/owner/links/qr.svg", link)}
          download="qr-code.svg"
        />
      </Actions>
      {hasLetters ? <LetterButton link={link} /> : null}
      <p className="hint">Scan the code with your phone before you print it.</p>
    </Section>
  );
}

export function hasLetters(c: OwnerContext): boolean {
  return c.var.sections.some(({ section }) => section === "letters");
}

type Tag = Partial<Pick<TaggedLink, "utm_source" | "utm_campaign">>;

/** Begins a letter to the people who joined through links with these labels. The medium is not stored with them. */
export function LetterButton({ link, label, describedBy }: { link: Tag; label?: string; describedBy?: string }) {
  const { utm_source, utm_campaign } = link;
  const labels = Object.entries({ utm_source, utm_campaign }).filter(([, value]) => value);
  return (
    <ButtonForm
      action="/owner/letters/for"
      hidden={Object.fromEntries(labels) as Record<string, string>}
      label={label ?? "Write a letter to the people who joined through it"}
      describedBy={describedBy}
    />
  );
}

function UsedTags({ names, hasLetters }: { names: UsedNames; hasLetters: boolean }) {
  const tags = [
    ...names.utm_campaign.map((name) => ({ name, kind: "utm_campaign" as const, label: "Campaign" })),
    ...names.utm_source.map((name) => ({ name, kind: "utm_source" as const, label: "Source" })),
  ].map((tag, index) => ({ ...tag, id: `tag-${index}` }));
  if (tags.length === 0) return null;
  return (
    <Section id="used" title="People who joined through a link">
      <Table
        className="cards middle"
        labelledBy="used"
        columns={[
          {
            name: "Label",
            kind: "words",
            cell: ({ name, kind, id }) => (
              <a id={id} href={`/owner/entries?${new URLSearchParams({ [kind]: name })}`}>
                {name}
              </a>
            ),
          },
          { name: "Kind", cell: ({ label }) => label },
          ...(hasLetters
            ? [
                {
                  name: "Letter",
                  cell: ({ name, kind, id }: (typeof tags)[number]) => (
                    <LetterButton link={{ [kind]: name }} label="Write them a letter" describedBy={id} />
                  ),
                },
              ]
            : []),
        ]}
        rows={tags}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}
