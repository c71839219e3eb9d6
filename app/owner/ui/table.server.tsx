import type { ReactNode } from "react";

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their cells. Words from visitors and providers may be long: they wrap anywhere. */
  kind?: "number" | "words";
}

interface TableProps<Row> {
  caption?: string;
  /** The id of its heading, if it has no caption. */
  labelledBy?: string;
  /** The first one names its row. */
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string | number;
  /** `cards` shows each row as a card on narrow screens. */
  className?: string;
}

export function Table<Row>({ caption, labelledBy, columns, rows, rowKey, className = "" }: TableProps<Row>) {
  return (
    <table className={`table ${className}`.trimEnd()} aria-labelledby={labelledBy}>
      {caption === undefined ? null : <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ name, kind }) => (
            <th key={name} scope="col" className={kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ name, kind, cell }, index) =>
              index === 0 ? (
                <th key={name} scope="row" className={kind}>
                  {cell(row)}
                </th>
              ) : (
                <td key={name} className={kind} data-label={name}>
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
