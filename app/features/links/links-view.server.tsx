import { LetterButton } from "#app/features/links/letter-button.server.tsx";
import { type LinkProblems, linkHref, type TaggedLink } from "#app/features/links/tagged-link.server.ts";
import { UsedTags } from "#app/features/links/used-tags.server.tsx";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Field, type FieldProps } from "#app/owner/ui/field.server.tsx";
import { Page, Section } from "#app/owner/ui/page.server.tsx";
import { QrPicture } from "#app/owner/ui/qr-picture.server.tsx";
import type { PageRecord } from "#app/server/page-record.ts";
import { visits } from "#app/switches.ts";

interface LinksProps {
  /** As typed. */
  link: TaggedLink;
  problems: LinkProblems;
  /** The finished link, if nothing is wrong with it. */
  url: string | null;
  pages: readonly PageRecord[];
  /** Labels that people joined by. */
  names: Record<"utm_source" | "utm_campaign", string[]>;
  hasLetters: boolean;
}

export function linksView(props: LinksProps) {
  const { link, url, names, hasLetters } = props;
  return (
    <Page title="Links" section="links">
      <p className="lead">
        {`Use a separate link for every post, newsletter and sign. The overview then shows how many ${visits ? "visits and " : ""}sign-ups each of them brought.`}
      </p>
      <div className="link-columns">
        <LinkForm {...props} />
        {url === null ? null : <MadeLink link={link} url={url} hasLetters={hasLetters} />}
      </div>
      <UsedTags names={names} hasLetters={hasLetters} />
    </Page>
  );
}

const usualSources = ["newsletter", "facebook", "instagram", "poster", "fair"];
const usualMedia = ["email", "social", "print", "qr"];

function LinkForm({ link, problems, pages, names }: LinksProps) {
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
