import { LetterButton } from "#app/features/links/links-page.server.tsx";
import a3 from "#app/features/links/print/a3.css?url";
import a4 from "#app/features/links/print/a4.css?url";
import a4Landscape from "#app/features/links/print/a4-landscape.css?url";
import { type FormatName, formats, type StyleName, styles } from "#app/features/links/print/formats.ts";
import { MAX_HEADLINE } from "#app/features/links/print/headline.ts";
import ink from "#app/features/links/print/ink.css?url";
import printStyles from "#app/features/links/print/print.css?url";
import { Sheet } from "#app/features/links/print/sheet.server.tsx";
import tableCard from "#app/features/links/print/table-card.css?url";
import { linkHref, type TaggedLink } from "#app/features/links/tagged-link.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Choice, Field } from "#app/owner/ui/field.server.tsx";
import { Page } from "#app/owner/ui/page.server.tsx";
import { site } from "#app/site.ts";

export interface PrintProps {
  link: TaggedLink;
  url: string;
  format: FormatName;
  style: StyleName;
  headline: string;
  problem: string | undefined;
  /** Whether the product is open, so that there is no waitlist to join. */
  isLaunched: boolean;
  hasLetters: boolean;
}

const papers = { a3, a4, "a4-landscape": a4Landscape };

export function printView({ link, url, format, style, headline, problem, isLaunched, hasLetters }: PrintProps) {
  const chosen = formats[format];
  return (
    <Page title="Print" section="links" back={{ href: linkHref("/owner/links", link), name: "Back to the link" }}>
      <link rel="stylesheet" href={printStyles} />
      {format === "table-card" ? <link rel="stylesheet" href={tableCard} /> : null}
      <link rel="stylesheet" href={papers[chosen.paper]} />
      {style === "ink" ? <link rel="stylesheet" href={ink} /> : null}
      <div className="print-columns">
        <form className="form" method="get" action="/owner/links/print">
          {Object.entries(link).map(([name, value]) =>
            value === "" ? null : <input key={name} type="hidden" name={name} value={value} />,
          )}
          <Field
            name="headline"
            label="Headline (optional)"
            hint={`Without one it says “${site.tagline}”`}
            maxLength={MAX_HEADLINE}
            value={headline}
            problem={problem}
          />
          <Field
            name="format"
            label="Size"
            options={Object.fromEntries(Object.entries(formats).map(([name, { label }]) => [name, label]))}
            value={format}
          />
          <Choice name="style" legend="Style" options={styles} value={style} />
          <Button label="Update the preview" />
        </form>
        {problem === undefined ? (
          <Sheet
            format={format}
            headline={headline || site.tagline}
            url={url}
            invitation={isLaunched || link.page !== "/" ? "Scan to open" : "Scan to join"}
          />
        ) : null}
        <div className="print-notes">
          <p>
            To print, use your browser’s own command (Ctrl+P, ⌘P or <em>Print</em> in its menu) without scaling;{" "}
            <em>Save as PDF</em> there makes a file for a print shop.
          </p>
          {"afterwards" in chosen ? <p>{chosen.afterwards}</p> : null}
          <p>Scan the code with your phone before you print many.</p>
          {hasLetters ? <LetterButton link={link} /> : null}
        </div>
      </div>
    </Page>
  );
}
