import type { ReactNode } from "react";
import { formatNumber } from "#app/owner/ui/labels.ts";

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their cells. Words from visitors and providers may be long: they wrap anywhere. */
  kind?: "number" | "words";
  /** Narrow screens leave it out. */
  isExtra?: boolean;
}

interface TableProps<Row> {
  caption?: ReactNode;
  /** The id of its heading, if it has no caption. */
  labelledBy?: string;
  /** The first one names its row. */
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string | number;
  /** `cards` shows each row as a card on narrow screens; `middle` is for rows with buttons. */
  className?: string;
}

export function Table<Row>({ caption, labelledBy, columns, rows, rowKey, className = "" }: TableProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <table className={`table ${className}`.trimEnd()} aria-labelledby={labelledBy}>
      {caption === undefined ? null : <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ name, kind, isExtra }) => (
            <th key={name} scope="col" className={isExtra ? `${kind} extra` : kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ name, kind, isExtra, cell }, index) =>
              index === 0 ? (
                <th key={name} scope="row" className={kind}>
                  {cell(row)}
                </th>
              ) : (
                <td key={name} className={isExtra ? `${kind} extra` : kind} data-label={name}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Names with their values; those without a value are left out. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className="bare-list narrow facts">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

interface TileProps {
  name: string;
  value: number;
  main?: boolean;
  /** The people behind the number. */
  href?: string;
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
