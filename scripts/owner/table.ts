import { stripVTControlCharacters } from "node:util";

/**
 * Lines of a table, columns aligned, numbers to the right. What strangers typed cannot steer the terminal.
 *
 * @param rows the first one is the head
 */
export function tableLines(rows: (string | number | null)[][]): string[] {
  const cells = rows.map((row) => row.map((cell) => printable(cell)));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row, line) =>
    row
      .map((text, column) =>
        typeof rows[line === 0 ? 1 : line]?.[column] === "number"
          ? text.padStart(widths[column] ?? 0)
          : text.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** Without control characters; an empty value is a dash. */
export function printable(value: string | number | null): string {
  if (value === null || value === "") return "-";
  if (typeof value === "number") return value.toLocaleString("en-GB", { useGrouping: false });
  return stripVTControlCharacters(value).replace(/[\p{Cc}\p{Cf}]/gu, "");
}

/** `2026-11-21 14:05` in the zone of this machine. */
export function moment<T extends number | null>(time: T): T extends null ? null : string;
export function moment(time: number | null): string | null {
  if (time === null) return null;
  return new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}
