import { type FormatName, formats } from "#app/features/links/print/formats.ts";
import { headlineSize } from "#app/features/links/print/headline.ts";
import { QrPicture } from "#app/owner/ui/qr-picture.server.tsx";
import { site } from "#app/site.ts";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { MarketScene } from "#app/ui/illustrations/market-scene.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";
import { SharedParts } from "#app/ui/illustrations/shared-parts.tsx";

export interface SheetProps {
  format: FormatName;
  headline: string;
  url: string;
  invitation: string;
}

/** The page to print: on screen a preview, in print all there is. Lengths are hundredths of a piece's width. */
export function Sheet({ format, ...piece }: SheetProps) {
  const { paper, pieces, label } = formats[format];
  return (
    <figure className={`sheet sheet-${paper} sheet-${format}`} aria-label={`Preview: ${label}`}>
      <SharedParts />
      {Array.from({ length: pieces }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are alike
        <Piece key={index} isCopy={index > 0} {...piece} />
      ))}
    </figure>
  );
}

/** Characters of a product's name that fit beside the logo in large type. */
const LONG_NAME = 12;

function Piece({ isCopy, headline, url, invitation }: Omit<SheetProps, "format"> & { isCopy: boolean }) {
  return (
    <div className="piece" aria-hidden={isCopy || undefined}>
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
