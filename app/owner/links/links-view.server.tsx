import { qrCode } from "#app/owner/links/qr-code.server.ts";
import { type LinkProblems, linkHref, MAX_LINE, type TaggedLink } from "#app/owner/links/tagged-link.server.ts";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Field, type FieldProps } from "#app/owner/ui/field.server.tsx";
import { Page, Section } from "#app/owner/ui/page.server.tsx";
import { site } from "#app/site.ts";
import { visits } from "#app/switches.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import type { PageRecord } from "#app/ui/page-record.ts";

interface LinksProps {
  /** As typed. */
  link: TaggedLink;
  problems: LinkProblems;
  /** The finished link, if nothing is wrong with it. */
  url: string | null;
  pages: readonly PageRecord[];
  /** Labels used before, to choose from. */
  sources: string[];
  campaigns: string[];
}

export function linksView(props: LinksProps) {
  const { link, url } = props;
  return (
    <Page title="Links" section="links">
      <p className="lead">
        {`Use a separate link for every post, newsletter and sign. The overview then shows how many ${visits ? "visits and " : ""}sign-ups each of them brought.`}
      </p>
      <div className="link-columns">
        <LinkForm {...props} />
        {url === null ? null : <MadeLink link={link} url={url} />}
      </div>
    </Page>
  );
}

const usualSources = ["newsletter", "facebook", "instagram", "poster", "fair"];
const usualMedia = ["email", "social", "print", "qr"];

function LinkForm({ link, problems, pages, sources, campaigns }: LinksProps) {
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
        suggestions: [...new Set([...sources, ...usualSources])],
      })}
      {label("utm_medium", {
        label: "Medium (optional)",
        hint: "Such as email or print",
        suggestions: usualMedia,
      })}
      {label("utm_campaign", {
        label: "Campaign (optional)",
        hint: "Such as autumn_fair_2026",
        suggestions: campaigns,
      })}
      <Field
        name="line"
        label="Line on the sign (optional)"
        hint="Printed above the QR code"
        maxLength={MAX_LINE}
        value={link.line}
        problem={problems.line}
      />
      <Button label="Make the link" />
    </form>
  );
}

function MadeLink({ link, url }: { link: TaggedLink; url: string }) {
  return (
    <Section id="made" title="Your link" className="panel">
      <p className="link-url">
        <a href={url} rel="noreferrer">
          {url}
        </a>
      </p>
      <QrCode url={url} />
      <Actions>
        <ButtonLink label="Open the sign" href={linkHref("/owner/links/sign", link)} />
        <ButtonLink
          label="Download the QR code"
          kind="quiet"
          href={linkHref("/owner/links/qr.svg", link)}
          download="qr-code.svg"
        />
      </Actions>
      <p className="hint">Scan the code with your phone before you print it.</p>
    </Section>
  );
}

function QrCode({ url }: { url: string }) {
  const { path, size } = qrCode(url);
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code that leads to ${url}`}>
      <rect width={size} height={size} fill="var(--qr-paper)" />
      <path d={path} fill="var(--qr-ink)" />
    </svg>
  );
}

/** A page to print and put up at a fair. */
export function signView({ link, url }: { link: TaggedLink; url: string }) {
  return (
    <Page
      title="Sign"
      section="links"
      heading={null}
      back={{ href: linkHref("/owner/links", link), name: "Back to the link" }}
    >
      <p className="hint sign-advice">Print this page with your browser. It fills a sheet of A4, A5 or Letter.</p>
      <div className="sign panel">
        <Logo />
        <h1>{site.name}</h1>
        <p className="sign-line">{link.line || site.tagline}</p>
        <QrCode url={url} />
        <p className="sign-address">{new URL(url).host}</p>
      </div>
    </Page>
  );
}
