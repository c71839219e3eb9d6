import { qrCode } from "#app/owner/links/qr-code.server.ts";
import { type LinkProblems, linkHref, MAX_LINE, type TaggedLink } from "#app/owner/links/tagged-link.server.ts";
import { BackLink } from "#app/owner/ui/back-link.server.tsx";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { site } from "#app/site.ts";
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

export function linksView(props: LinksProps): OwnerView {
  const { link, url } = props;
  return {
    title: "Links",
    section: "links",
    body: (
      <main id="main" className="page owner">
        <h1>Links</h1>
        <p className="lead">
          Use a separate link for every post, newsletter and sign. The overview then shows how many visits and sign-ups
          each of them brought.
        </p>
        <div className="link-columns">
          <LinkForm {...props} />
          {url === null ? null : <MadeLink link={link} url={url} />}
        </div>
      </main>
    ),
  };
}

const usualSources = ["newsletter", "facebook", "instagram", "poster", "fair"];
const usualMedia = ["email", "social", "print", "qr"];

function LinkForm({ link, problems, pages, sources, campaigns }: LinksProps) {
  return (
    <form className="owner-form link-form" method="post" action="/owner/links">
      <label htmlFor="page">Page</label>
      <select id="page" name="page" defaultValue={link.page || "/"}>
        {pages.map(({ path, title }) => (
          <option key={path} value={path}>
            {path === "/" ? "Landing page" : title.split(" | ")[0]}
          </option>
        ))}
      </select>
      <Problem id="page" problems={problems} />
      <Label
        name="utm_source"
        label="Where you will use it"
        hint="Such as newsletter or poster (utm_source)"
        required
        link={link}
        problems={problems}
        suggestions={[...new Set([...sources, ...usualSources])]}
      />
      <Label
        name="utm_medium"
        label="Medium (optional)"
        hint="Such as email or print (utm_medium)"
        link={link}
        problems={problems}
        suggestions={usualMedia}
      />
      <Label
        name="utm_campaign"
        label="Campaign (optional)"
        hint="Such as autumn_fair_2026 (utm_campaign)"
        link={link}
        problems={problems}
        suggestions={campaigns}
      />
      <Label
        name="line"
        label="Line on the sign (optional)"
        hint="Printed above the QR code"
        link={link}
        problems={problems}
        suggestions={[]}
      />
      <button className="button" type="submit">
        Make the link
      </button>
    </form>
  );
}

interface LabelProps {
  name: Exclude<keyof TaggedLink, "page">;
  label: string;
  hint: string;
  required?: boolean;
  link: TaggedLink;
  problems: LinkProblems;
  suggestions: string[];
}

function Label({ name, label, hint, required = false, link, problems, suggestions }: LabelProps) {
  const isInvalid = problems[name] !== undefined;
  return (
    <>
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="text"
        defaultValue={link[name]}
        required={required}
        maxLength={name === "line" ? MAX_LINE : undefined}
        autoComplete="off"
        autoCapitalize={name === "line" ? undefined : "none"}
        list={suggestions.length > 0 ? `${name}-used` : undefined}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? `${name}-problem` : `${name}-hint`}
      />
      {isInvalid ? (
        <Problem id={name} problems={problems} />
      ) : (
        <p className="link-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {suggestions.length === 0 ? null : (
        <datalist id={`${name}-used`}>
          {suggestions.map((used) => (
            <option key={used} value={used} />
          ))}
        </datalist>
      )}
    </>
  );
}

function Problem({ id, problems }: { id: keyof TaggedLink; problems: LinkProblems }) {
  const problem = problems[id];
  return problem === undefined ? null : (
    <p className="field-problem" id={`${id}-problem`} role="alert">
      {problem}
    </p>
  );
}

function MadeLink({ link, url }: { link: TaggedLink; url: string }) {
  return (
    <section className="link-made" aria-labelledby="made">
      <h2 id="made">Your link</h2>
      <p className="link-url">
        <a href={url} rel="noreferrer">
          {url}
        </a>
      </p>
      <QrCode url={url} />
      <div className="link-actions">
        <a className="button" href={linkHref("/owner/links/sign", link)}>
          Open the sign
        </a>
        <a className="button button-quiet" href={linkHref("/owner/links/qr.svg", link)} download="qr-code.svg">
          Download the QR code
        </a>
      </div>
      <p className="link-hint">Scan the code with your phone before you print it.</p>
    </section>
  );
}

function QrCode({ url }: { url: string }) {
  const { path, size } = qrCode(url);
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code that leads to ${url}`}>
      <rect className="qr-paper" width={size} height={size} />
      <path className="qr-ink" d={path} />
    </svg>
  );
}

/** A page to print and put up at a fair. */
export function signView({ link, url }: { link: TaggedLink; url: string }): OwnerView {
  return {
    title: "Sign",
    section: "links",
    body: (
      <main id="main" className="page owner">
        <BackLink href={linkHref("/owner/links", link)}>Back to the link</BackLink>
        <p className="link-hint sign-advice">
          Print this page with your browser. It fills a sheet of A4, A5 or Letter.
        </p>
        <div className="sign">
          <Logo />
          <h1>{site.name}</h1>
          <p className="sign-line">{link.line || site.tagline}</p>
          <QrCode url={url} />
          <p className="sign-address">{new URL(url).host}</p>
        </div>
      </main>
    ),
  };
}
