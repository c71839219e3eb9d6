import type { ReactNode } from "react";
import { formatNumber } from "#app/owner/ui/labels.ts";

interface TileProps {
  name: string;
  value: number;
  main?: boolean;
  /** The people behind the number. */
  href?: string;
  /** A note below the number. */
  children?: ReactNode;
}

/** A number with its name, in a list of them (`dl`). */
export function Tile({ name, value, main = false, href, children }: TileProps) {
  return (
    <div className={main ? "tile tile-main" : "tile"}>
      <dt>{name}</dt>
      <dd>
        {href === undefined ? (
          formatNumber(value)
        ) : (
          <a className="quiet-link" href={href}>
            {formatNumber(value)}
          </a>
        )}
        {children === undefined || children === null ? null : <div className="tile-note">{children}</div>}
      </dd>
    </div>
  );
}
