import { hasLetters, LetterButton } from "#app/features/links/links-page.server.tsx";
import a3 from "#app/features/links/print/a3.css?url";
import a4 from "#app/features/links/print/a4.css?url";
import a4Landscape from "#app/features/links/print/a4-landscape.css?url";
import { headlineSize, MAX_HEADLINE, readHeadline } from "#app/features/links/print/headline.ts";
import ink from "#app/features/links/print/ink.css?url";
import printStyles from "#app/features/links/print/print.css?url";
import tableCard from "#app/features/links/print/table-card.css?url";
import { checkLink, linkHref } from "#app/features/links/tagged-link.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { ChoiceField, Field } from "#app/owner/ui/field.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Page } from "#app/owner/ui/page.server.tsx";
import { QrPicture } from "#app/owner/ui/qr-picture.server.tsx";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { site } from "#app/site.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { MarketScene } from "#app/ui/illustrations/market-scene.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";
import { SharedParts } from "#app/ui/illustrations/shared-parts.tsx";

/** Sheets of paper, as printers know them. The stylesheet `<paper>.css` sets the size of the printed page. */
const papers = { a3, a4, "a4-landscape": a4Landscape };

interface Format {
  label: string;
  paper: keyof typeof papers;
  /** Pieces on a page, which are all alike. */
  pieces: number;
  afterwards?: string;
}

/** What can be printed, by the names in the page's URL. */
const formats = {
  "poster-a3": { label: "Poster, A3", paper: "a3", pieces: 1 },
  "poster-a4": { label: "Poster, A4", paper: "a4", pieces: 1 },
  "flyer-a5": {
    label: "Flyers, A5: two on an A4 page",
    paper: "a4-landscape",
    pieces: 2,
    afterwards: "Cut the page along the dotted line.",
  },
  "flyer-a6": {
    label: "Flyers, A6: four on an A4 page",
    paper: "a4",
    pieces: 4,
    afterwards: "Cut the page along the dotted lines.",
  },
  "table-card": {
    label: "Table card, A4 folded",
    paper: "a4",
    pieces: 2,
    afterwards: "Fold the page outwards along the dotted line, and stand it up. Card of 160 g/m² or more stands best.",
  },
} satisfies Record<string, Format>;

type FormatName = keyof typeof formats;

const inks = { light: "In colour", ink: "Ink-saving: black lines on white" };

/** All that is printed is in the query string, so that it can be kept as a bookmark. */
export function showPrint(c: OwnerContext) {
  const fields = new URL(c.req.url).searchParams;
  const { link, url } = checkLink(c, fields);
  if (url === null) return c.redirect(linkHref("/owner/links", link), 303);
  const headline = readHeadline(fieldText(fields, "headline"));
  const isTooLong = headline.length > MAX_HEADLINE;
  if (isTooLong) c.status(422);
  const name = fieldText(fields, "format");
  const format = Object.hasOwn(formats, name) ? (name as FormatName) : "poster-a4";
  const chosen: Format = formats[format];
  const isInkSaving = fieldText(fields, "style") === "ink";
  // Once the product is open, there is no waitlist to join.
  const isInvitation = c.var.app.config.LAUNCH_URL === undefined && link.page === "/";
  return c.render(
    <Page title="Print" section="links" back={{ href: linkHref("/owner/links", link), name: "Back to the link" }}>
      <link rel="stylesheet" href={printStyles} />
      {format === "table-card" ? <link rel="stylesheet" href={tableCard} /> : null}
      <link rel="stylesheet" href={papers[chosen.paper]} />
      {isInkSaving ? <link rel="stylesheet" href={ink} /> : null}
      <div className="columns print-columns">
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
            problem={isTooLong ? `Use at most ${MAX_HEADLINE} characters.` : undefined}
          />
          <Field
            name="format"
            label="Size"
            options={Object.fromEntries(Object.entries(formats).map(([name, { label }]) => [name, label]))}
            value={format}
          />
          <ChoiceField name="style" legend="Style" options={inks} value={isInkSaving ? "ink" : "light"} />
          <Button label="Update the preview" />
        </form>
        {isTooLong ? null : (
          <Sheet
            format={format}
            headline={headline || site.tagline}
            url={url}
            invitation={isInvitation ? "Scan to join" : "Scan to open"}
          />
        )}
        <div className="print-notes">
          <p>
            To print, use your browser’s own command (Ctrl+P, ⌘P or <em>Print</em> in its menu) without scaling;{" "}
            <em>Save as PDF</em> there makes a file for a print shop.
          </p>
          {chosen.afterwards === undefined ? null : <p>{chosen.afterwards}</p>}
          <p>Scan the code with your phone before you print many.</p>
          {hasLetters(c) ? <LetterButton link={link} /> : null}
        </div>
      </div>
    </Page>,
  );
}

interface SheetProps {
  format: FormatName;
  headline: string;
  url: string;
  invitation: string;
}

/** Characters of a product's name that fit beside the logo in large type. */
const LONG_NAME = 12;

/** The page to print: on screen a preview, in print all there is. Lengths are hundredths of a piece's width. */
function Sheet({ format, headline, url, invitation }: SheetProps) {
  const { paper, pieces, label } = formats[format];
  return (
    <figure className={`sheet sheet-${paper} sheet-${format}`} aria-label={`Preview: ${label}`}>
      <SharedParts />
      {Array.from({ length: pieces }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are alike
        <div key={index} className="piece" aria-hidden={index > 0 || undefined}>
          <div className={site.name.length > LONG_NAME ? "piece-top piece-top-long" : "piece-top"}>
            <Logo />
            <span>{site.name}</span>
            <Valance />
          </div>
          <div className="piece-body">
            <p className={`piece-headline headline-${headlineSize(headline)}`}>
              <bdi>{headline}</bdi>
            </p>
            <QrPicture url={url} />
            <div className="piece-words">
              <p className="piece-invitation">{invitation}</p>
              <p className="piece-address">{shortAddress(url)}</p>
            </div>
          </div>
          <div className="piece-picture">
            <MarketScene />
          </div>
        </div>
      ))}
    </figure>
  );
}

/** The scalloped edge of the awning. */
function Valance() {
  const scallops = (first: number) =>
    [0, 1, 2, 3, 4].map((nth) => `M${first + 20 * nth} 0h10a5 5 0 0 1-10 0z`).join("");
  return (
    <Picture className="piece-valance" viewBox="0 0 100 5.2" preserveAspectRatio="none">
      <path d={scallops(0)} fill="var(--bar)" />
      <path d={scallops(10)} fill="var(--gold)" />
    </Picture>
  );
}

/** The address to type: without `https://`, and without the labels, which only the QR code needs. */
function shortAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === "/" ? "" : pathname}`;
}
