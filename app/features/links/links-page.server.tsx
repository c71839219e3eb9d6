import { type LinkStats, readLinkStats, statsOf } from "#app/features/links/link-stats.server.ts";
import {
  addLink,
  findLink,
  linkTitle,
  listLinks,
  logDetails,
  type StoredLink,
} from "#app/features/links/links.server.ts";
import { qrPng } from "#app/features/links/qr-png.server.ts";
import { checkLink, type LinkProblems, type TaggedLink, taggedUrl } from "#app/features/links/tagged-link.server.ts";
import { Button, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Field, type FieldProps } from "#app/owner/ui/field.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { PageRecord } from "#app/server/page-record.ts";
import { qrSvg } from "#app/server/qr-code.server.ts";
import { shortDate } from "#app/server/time/british-date.ts";
import { localDate } from "#app/server/time/time-zone-days.ts";
import { visits } from "#app/switches.ts";
import { colour } from "#app/ui/theme.ts";
import { readNames } from "#app/waitlist/entries/used-names.server.ts";

/** Links of a page of the list. */
const PAGE_SIZE = 25;

/** The list of links, with the form to make one. */
export async function showLinks(c: OwnerContext, fields: URLSearchParams | FormData = new URL(c.req.url).searchParams) {
  const { app } = c.var;
  const isEmpty = !fields.has("page");
  const { link, problems, url } = checkLink(c, fields);
  if (!isEmpty && url === null) c.status(422);
  const stored = isEmpty || url === null ? undefined : await findLink(app.db, link);
  if (stored !== undefined) return c.redirect(`/owner/links/${stored.id}`, 303);
  const before = parseId(c.req.query("before"));
  const [names, { links, hasOlder }] = await Promise.all([
    readNames(app.db, ["utm_source", "utm_campaign"]),
    listLinks(app.db, { before, limit: PAGE_SIZE }),
  ]);
  const stats = links.length === 0 ? null : await readLinkStats(app);
  return c.render(
    <Page title="Links" section="links">
      <Outcome />
      <p className="lead">
        {`Use a separate link for every post, newsletter and sign. The list then shows how many ${visits ? "visits and " : ""}sign-ups each of them brought.`}
      </p>
      <LinkForm link={link} problems={isEmpty ? {} : problems} pages={c.var.publicPages} names={names} />
      {stats === null ? null : (
        <Section id="links" title="Your links">
          <LinkTable links={links} stats={stats} siteUrl={app.config.SITE_URL} timeZone={app.timeZone} />
          <Paging
            label="Pages of links"
            links={{
              Newest: before === undefined ? null : "/owner/links",
              Older: hasOlder && `/owner/links?before=${links.at(-1)?.id}`,
            }}
          />
        </Section>
      )}
      <UsedTags names={names} hasLetters={hasLetters(c)} />
    </Page>,
  );
}

/** Adds a link to the list, unless it is there. */
export async function makeLink(c: OwnerContext) {
  const { app, owner } = c.var;
  const { link, url } = checkLink(c, c.var.form);
  if (url === null) return showLinks(c, c.var.form);
  const { id, isNew } = await addLink(app.db, { ...link, actor: owner.email }, app.now());
  if (id === undefined) throw new Error("The link was removed while it was made");
  if (isNew) await c.var.record("make-link", { linkId: id, ...logDetails(link) });
  return c.redirect(`/owner/links/${id}${isNew ? "" : "?done=link-exists"}`, 303);
}

/** The QR code as a file, for signs and leaflets that are designed elsewhere. */
export async function downloadQrCode(c: OwnerContext) {
  const { url } = checkLink(c, new URL(c.req.url).searchParams);
  if (url === null) return c.notFound();
  const colours = { ink: colour("qrInk"), paper: colour("qrPaper") };
  const isPng = c.req.path.endsWith(".png");
  return new Response(isPng ? await qrPng(url, colours) : qrSvg(url, colours), {
    headers: {
      "Content-Type": isPng ? "image/png" : "image/svg+xml",
      "Content-Disposition": `attachment; filename="qr-code.${isPng ? "png" : "svg"}"`,
    },
  });
}

interface LinkTableProps {
  links: StoredLink[];
  stats: LinkStats;
  siteUrl: string;
  timeZone: string;
}

function LinkTable({ links, stats, siteUrl, timeZone }: LinkTableProps) {
  const number = (of: "visits" | "joined") => (link: StoredLink) => formatNumber(statsOf(stats, link)[of]);
  const oldest = links.at(-1);
  return (
    <>
      <Table
        className="cards link-table"
        labelledBy="links"
        columns={[
          { name: "Name", kind: "words", cell: (link) => <a href={`/owner/links/${link.id}`}>{linkTitle(link)}</a> },
          {
            name: "Address",
            kind: "words",
            cell: (link) => <code className="link-address">{taggedUrl(siteUrl, link)}</code>,
          },
          {
            name: "Made",
            cell: ({ created_at, actor }) => (
              <>
                {shortDate(localDate(created_at, timeZone))} <small>{`by ${actor}`}</small>
              </>
            ),
          },
          ...(visits ? [{ name: "Visits", kind: "number" as const, cell: number("visits") }] : []),
          { name: "Joined", kind: "number", cell: number("joined") },
        ]}
        rows={links}
        rowKey={({ id }) => id}
      />
      <VisitsHint stats={stats} since={oldest && localDate(oldest.created_at, timeZone)} />
    </>
  );
}

/** Where some links were made before their visits were counted. */
function VisitsHint({ stats: { visitsSince }, since }: { stats: LinkStats; since: string | undefined }) {
  if (visitsSince === null || since === undefined || since >= visitsSince) return null;
  return <p className="hint">{`Visits through links have been counted since ${shortDate(visitsSince)}.`}</p>;
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
    <form className="form form-wide link-form" method="post" action="/owner/links">
      <div className="fields">
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
      </div>
    </form>
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
      <TagTable tags={tags.slice(0, TOP_TAGS)} hasLetters={hasLetters} />
      {tags.length > TOP_TAGS ? (
        <details className="data">
          <summary>{`Show all ${tags.length}`}</summary>
          <TagTable tags={tags.slice(TOP_TAGS)} hasLetters={hasLetters} />
        </details>
      ) : null}
    </Section>
  );
}

/** Labels shown at once. */
const TOP_TAGS = 5;

interface UsedTag {
  id: string;
  name: string;
  kind: "utm_campaign" | "utm_source";
  label: string;
}

function TagTable({ tags, hasLetters }: { tags: UsedTag[]; hasLetters: boolean }) {
  return (
    <Table
      className="cards middle tag-table"
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
                cell: ({ name, kind, id }: UsedTag) => (
                  <LetterButton link={{ [kind]: name }} label="Write them a letter" describedBy={id} />
                ),
              },
            ]
          : []),
      ]}
      rows={tags}
      rowKey={({ id }) => id}
    />
  );
}
